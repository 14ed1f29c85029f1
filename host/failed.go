package host

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"roclua/host/exit"
	"slices"
	"strings"
)

// Which cases did not pass when they ran last is kept in the user's cache, a file for each folder that runs are started in.

// failedFile names that file; "" when there is no place for it.
func failedFile(env Env) string {
	folder, err := os.Getwd()
	if err != nil {
		return ""
	}
	return cacheFile(env, fmt.Sprintf("failed-%x", sha256.Sum256([]byte(folder)))[:24])
}

// cacheFile names a file in the user's cache; "" when there is none.
func cacheFile(env Env, name string) string {
	cache := env.Getenv("XDG_CACHE_HOME")
	if cache == "" && env.Getenv("HOME") != "" {
		cache = filepath.Join(env.Getenv("HOME"), ".cache")
	}
	if cache == "" {
		return ""
	}
	return filepath.Join(cache, "roclua", name)
}

// rememberFailed replaces what is known of the cases that ran. That it cannot be kept is no matter for the run.
func rememberFailed(results []*result, env Env) {
	file := failedFile(env)
	if file == "" {
		return
	}
	ran := map[string]bool{}
	var list []string
	for _, r := range results {
		ran[r.id] = true
		if r.bad() {
			list = append(list, r.id)
		}
	}
	for _, id := range readFailed(file) {
		if !ran[id] {
			list = append(list, id)
		}
	}
	if os.MkdirAll(filepath.Dir(file), 0o755) == nil {
		os.WriteFile(file, []byte(strings.Join(list, "\n")), 0o644)
	}
}

func readFailed(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil || len(text) == 0 {
		return nil
	}
	return strings.Split(string(text), "\n")
}

// onlyFailed keeps the cases that did not pass when they ran last.
func onlyFailed(cases []*plannedCase, env Env) ([]*plannedCase, error) {
	file := failedFile(env)
	if _, err := os.Stat(file); file == "" || err != nil {
		return nil, exit.With(exit.Nothing, errors.New("--rerun-failed: nothing is known of a last run in this folder"))
	}
	failed := readFailed(file)
	cases = slices.DeleteFunc(cases, func(c *plannedCase) bool { return !slices.Contains(failed, c.id) })
	if len(cases) == 0 {
		return nil, exit.With(exit.Nothing, errors.New("--rerun-failed: every case passed when it ran last"))
	}
	return cases, nil
}
