package events

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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

// LastRun remembers of the cases of a folder which failed when they last ran or did not run because others had failed,
// and why others were skipped, in a file of the user's cache. There is one such file for each folder where runs start.
type LastRun struct {
	system atomicfile.System
	file   string
}

// memory is the content of the file.
type memory struct {
	Failed []string            `json:"failed"` // ids of cases that failed or did not run, in the order of their runs
	Skips  map[string][]string `json:"skips"`  // reasons by the name of the scenario, for all that ran
}

// OpenLastRun returns the memory for the current folder. cache is the program's folder in the user's cache; with ""
// nothing is remembered.
func OpenLastRun(s atomicfile.System, cache string) LastRun {
	folder, err := os.Getwd()
	if err != nil || cache == "" {
		return LastRun{}
	}
	return LastRun{s, filepath.Join(cache, fmt.Sprintf("last-%x", sha256.Sum256([]byte(folder)))[:22])}
}

// Remember replaces the facts about the cases that ran. A file that cannot be written does not fail the run.
func (l LastRun) Remember(results []*result.Result) {
	if l.file == "" {
		return
	}
	earlier, known := l.read()
	now := memory{failedNow(results, earlier.Failed), skipsNow(results, earlier.Skips)}
	if known && slices.Equal(now.Failed, earlier.Failed) && maps.EqualFunc(now.Skips, earlier.Skips, slices.Equal) {
		return
	}
	if text, err := json.Marshal(now); err == nil {
		atomicfile.Write(l.system, l.file, text)
	}
}

// failedNow returns the ids of the cases that failed or did not run, and those that failed earlier and are not in the
// results.
func failedNow(results []*result.Result, earlier []string) []string {
	others := map[string]bool{}
	for _, id := range earlier {
		others[id] = true
	}
	list := []string{}
	for _, r := range results {
		fails := r.FailsRun() || r.Outcome() == result.NotRun
		if !fails && len(others) == 0 {
			continue
		}
		c := r.Case
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
	return list
}

// skipsNow returns the reasons for skipped cases by scenario, and the earlier ones of scenarios that did not run now.
func skipsNow(results []*result.Result, earlier map[string][]string) map[string][]string {
	skips := maps.Clone(earlier)
	if skips == nil {
		skips = map[string][]string{}
	}
	for _, r := range results {
		if r.Outcome() != result.NotRun {
			skips[r.Scenario] = []string{}
		}
	}
	for _, r := range results {
		if reason := r.Record.Skipped; r.Outcome() == result.Skipped && !slices.Contains(skips[r.Scenario], reason) {
			skips[r.Scenario] = append(skips[r.Scenario], reason)
		}
	}
	return skips
}

// Skips returns why cases of scenarios were skipped when they last ran, with a list for each scenario that ran.
func (l LastRun) Skips() map[string][]string {
	m, _ := l.read()
	return m.Skips
}

// read reads the file. known reports whether a run was remembered.
func (l LastRun) read() (m memory, known bool) {
	text, err := input.File(l.file, input.LastRun)
	if err != nil || json.Unmarshal(text, &m) != nil {
		return memory{}, false
	}
	return m, true
}

// brokenIDs returns the ids that the case of a script has while the script cannot be loaded: its name is the
// scenario's, or the name of the file that declares a list of scenarios.
func brokenIDs(c *result.Case) []string {
	_, target, _ := strings.Cut(c.ID, "@")
	return []string{c.Scenario + "@" + target, path.Dir(c.Scenario) + "@" + target}
}

// Select keeps the cases that failed when they last ran or were to run, and the cases of scripts that could not be
// loaded then or cannot be loaded now. It is an error when there are none.
func (l LastRun) Select(p *plan.Plan) (*plan.Plan, error) {
	last, known := l.read()
	if !known {
		return nil, exit.With(exit.Nothing, errors.New("--rerun-failed: no earlier run is known in this folder"))
	}
	failed := map[string]bool{}
	for _, id := range last.Failed {
		failed[id] = true
	}
	isFailed := func(id string) bool { return failed[id] }
	var ids []string
	for _, c := range p.Cases {
		if c.Definition.Broken != nil || failed[c.ID] || slices.ContainsFunc(brokenIDs(&c.Case),
			isFailed) {
			ids = append(ids, c.ID)
		}
	}
	if len(ids) == 0 {
		return nil, exit.With(exit.Nothing, errors.New("--rerun-failed: every case passed when it last ran"))
	}
	return p.Restrict(ids)
}
