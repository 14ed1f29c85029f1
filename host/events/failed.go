package events

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/input"
	"roclua/internal/atomicfile"
)

// FailedCases remembers which cases failed when they last ran, in a file of the user's cache. There is one such file
// for each folder where runs start.
type FailedCases struct {
	system atomicfile.System
	file   string
}

// OpenFailedCases returns the memory for the current folder. cache is the program's folder in the user's cache; with
// "" nothing is remembered.
func OpenFailedCases(s atomicfile.System, cache string) FailedCases {
	folder, err := os.Getwd()
	if err != nil || cache == "" {
		return FailedCases{}
	}
	return FailedCases{s, filepath.Join(cache, fmt.Sprintf("failed-%x", sha256.Sum256([]byte(folder)))[:24])}
}

// Remember replaces what is known of the cases that ran. caseAt returns the case of a result. A file that cannot be
// written does not fail the run.
func (f FailedCases) Remember(results []*result.Result, caseAt func(i int) *result.Case) {
	if f.file == "" {
		return
	}
	earlier, known := f.read()
	others := map[string]bool{} // that failed earlier and did not run now
	for _, id := range earlier {
		others[id] = true
	}
	var list []string
	for i, r := range results {
		fails := r.FailsRun()
		if !fails && len(others) == 0 {
			continue
		}
		c := caseAt(i)
		delete(others, c.ID)
		for _, id := range brokenIDs(c) {
			delete(others, id)
		}
		if fails {
			list = append(list, c.ID)
		}
	}
	for _, id := range earlier {
		if others[id] {
			list = append(list, id)
		}
	}
	if known && slices.Equal(list, earlier) {
		return
	}
	atomicfile.Write(f.system, f.file, []byte(strings.Join(list, "\n")))
}

// read returns the cases that failed. known reports whether a run was remembered.
func (f FailedCases) read() (failed []string, known bool) {
	text, err := input.File(f.file, input.Lines)
	if err != nil || len(text) == 0 {
		return nil, err == nil
	}
	return strings.Split(string(text), "\n"), true
}

// brokenIDs returns the ids that the case of a script has while the script cannot be loaded: its name is that of the
// scenario, or of the file that declares a list of scenarios.
func brokenIDs(c *result.Case) []string {
	_, target, _ := strings.Cut(c.ID, "@")
	return []string{c.Scenario + "@" + target, path.Dir(c.Scenario) + "@" + target}
}

// Select keeps the cases that failed when they last ran, and those of scripts that could not be loaded then or cannot
// be loaded now. It is an error when there are none.
func (f FailedCases) Select(p *plan.Plan) (*plan.Plan, error) {
	if _, err := os.Stat(f.file); f.file == "" || err != nil {
		return nil, exit.With(exit.Nothing, errors.New("--rerun-failed: no earlier run is known in this folder"))
	}
	failed := map[string]bool{}
	list, _ := f.read()
	for _, id := range list {
		failed[id] = true
	}
	isFailed := func(id string) bool { return failed[id] }
	var ids []string
	for i := range p.Len() {
		if c := p.Case(i); c.Definition.Broken != nil || failed[c.ID] || slices.ContainsFunc(brokenIDs(&c.Case),
			isFailed) {
			ids = append(ids, c.ID)
		}
	}
	if len(ids) == 0 {
		return nil, exit.With(exit.Nothing, errors.New("--rerun-failed: every case passed when it last ran"))
	}
	return p.Restrict(ids)
}
