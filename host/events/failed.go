package events

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/result"
)

// FailedCases remembers which cases failed when they last ran, in a file of the user's cache. There is one such file
// for each folder in which runs are started.
type FailedCases struct{ file string }

// OpenFailedCases returns the memory for the current folder. cache is the program's folder in the user's cache; with
// "" nothing is remembered.
func OpenFailedCases(cache string) FailedCases {
	folder, err := os.Getwd()
	if err != nil || cache == "" {
		return FailedCases{}
	}
	return FailedCases{filepath.Join(cache, fmt.Sprintf("failed-%x", sha256.Sum256([]byte(folder)))[:24])}
}

// Remember replaces what is known of the cases that ran. A file that cannot be written does not fail the run.
func (f FailedCases) Remember(results []*result.Result) {
	if f.file == "" {
		return
	}
	ran := map[string]bool{}
	var list []string
	for _, r := range results {
		ran[r.ID] = true
		if r.FailsRun() {
			list = append(list, r.ID)
		}
	}
	for _, id := range f.read() {
		if !ran[id] {
			list = append(list, id)
		}
	}
	if os.MkdirAll(filepath.Dir(f.file), 0o755) == nil {
		os.WriteFile(f.file, []byte(strings.Join(list, "\n")), 0o644)
	}
}

func (f FailedCases) read() []string {
	text, err := os.ReadFile(f.file)
	if err != nil || len(text) == 0 {
		return nil
	}
	return strings.Split(string(text), "\n")
}

// Select keeps the cases that failed when they last ran. It is an error when there are none.
func (f FailedCases) Select(cases []*plan.Case) ([]*plan.Case, error) {
	if _, err := os.Stat(f.file); f.file == "" || err != nil {
		return nil, exit.With(exit.Nothing, errors.New("--rerun-failed: no earlier run is known in this folder"))
	}
	failed := f.read()
	cases = slices.DeleteFunc(cases, func(c *plan.Case) bool { return !slices.Contains(failed, c.ID) })
	if len(cases) == 0 {
		return nil, exit.With(exit.Nothing, errors.New("--rerun-failed: every case passed when it last ran"))
	}
	return cases, nil
}
