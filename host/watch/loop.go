package watch

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/internal/units"
)

// Loop runs all cases, and then after each change of a file the cases that it affects. A change during a run does not
// cancel the run; it is handled when the run has ended.
type Loop struct {
	Names  []string // arguments of the command: configurations, scripts, names of scenarios, ids of cases
	Stderr io.Writer
	Quiet  bool // write errors only

	// Plan loads the configuration and lists the cases. It returns an error when there are none.
	Plan func() (*config.Config, []*plan.Case, error)
	// Execute runs the cases that have no kept result, and reports. It returns the results of all cases, or nil when
	// the run could not begin. The error carries the exit code of the run.
	Execute func(cfg *config.Config, cases []*plan.Case, kept map[string]*result.Result) ([]*result.Result, error)

	watcher *Watcher
	config  *config.Config            // of the last plan without an error
	cases   []*plan.Case              // of the last plan without an error
	results map[string]*result.Result // the last result of each case, by id; nil before the first run
	problem error                     // the error of the last plan or the last run
	changed map[string]bool           // files that changed since the last plan without an error
	all     bool                      // all cases must run, whatever changed
	pending bool                      // changes arrived while the cases ran
}

// Run runs the loop until the context is canceled. The error is an error of watching, an interruption during a run, or
// an error of the first plan.
func (l *Loop) Run(ctx context.Context) error {
	watcher, err := New()
	if err != nil {
		return err
	}
	defer watcher.Close()
	l.watcher, l.changed, l.all = watcher, map[string]bool{}, true
	if err := l.replan(); err != nil {
		return err
	}
	if l.problem != nil {
		return l.problem
	}
	for {
		if err := l.rerun(ctx); err != nil {
			return err
		}
		if !l.wait(ctx) {
			return nil
		}
		if err := l.replan(); err != nil {
			return err
		}
	}
}

// replan lists the cases again. It repeats until every file was watched before it was read for the last time. The
// returned error is one of watching; an error of the plan becomes l.problem.
func (l *Loop) replan() error {
	for {
		cfg, cases, err := l.Plan()
		l.problem = err
		if err == nil {
			l.config, l.cases = cfg, cases
		}
		added, err := l.watcher.Watch(l.sources().folders())
		if err != nil || len(added) == 0 {
			return err
		}
	}
}

// rerun runs the cases that the changes since the last run affect, and writes the state of the loop.
func (l *Loop) rerun(ctx context.Context) error {
	if l.problem == nil {
		affected := l.affected()
		removed := len(l.results) - l.known()
		description := l.describeChanges()
		l.changed, l.all = map[string]bool{}, false
		if len(affected) == 0 && removed == 0 {
			return nil
		}
		if l.results != nil {
			l.say("\n%s changed: running %d of %s\n", description, len(affected), units.Count(len(l.cases), "case"))
		}
		if err := l.execute(affected); err != nil {
			return err
		}
	}
	if ctx.Err() == nil {
		l.sayState()
	}
	if exit.Of(l.problem) == exit.Interrupted {
		return l.problem
	}
	return nil
}

// execute runs the affected cases and keeps the results of the others. The returned error is one of watching.
func (l *Loop) execute(affected []*plan.Case) error {
	kept := map[string]*result.Result{}
	for _, c := range l.cases {
		if r := l.results[c.ID]; r != nil {
			kept[c.ID] = r
		}
	}
	for _, c := range affected {
		delete(kept, c.ID)
	}
	started := time.Now() // the clock of file times, which tests do not replace
	results, err := l.Execute(l.config, l.cases, kept)
	l.problem = err
	if results == nil {
		l.all = true
		return nil
	}
	l.results = map[string]*result.Result{}
	for _, r := range results {
		l.results[r.ID] = r
	}
	added, err := l.watcher.Watch(l.sources().folders())
	l.addUnwatchedChanges(added, started)
	return err
}

// addUnwatchedChanges finds the modules that changed after a case had read them and before their folder was watched.
func (l *Loop) addUnwatchedChanges(folders []string, started time.Time) {
	for _, r := range l.results {
		for _, path := range r.Record.Required {
			for _, path := range realPaths(path) {
				info, err := os.Stat(path)
				if err == nil && info.ModTime().After(started) && slices.Contains(folders, filepath.Dir(path)) {
					l.changed[path], l.pending = true, true
				}
			}
		}
	}
}

// wait waits for a change of a file that the run depends on. It returns false when the context is canceled.
func (l *Loop) wait(ctx context.Context) bool {
	relevant := l.pending
	for !relevant {
		select {
		case <-ctx.Done():
			return false
		case c := <-l.watcher.Changes():
			s := l.sources()
			for _, path := range c.Paths {
				if s.include(path) {
					l.changed[path], relevant = true, true
				}
			}
			if c.Lost {
				l.all, relevant = true, true
			}
		}
	}
	l.pending = false
	return true
}

// known counts the cases that have a result.
func (l *Loop) known() int {
	n := 0
	for _, c := range l.cases {
		if l.results[c.ID] != nil {
			n++
		}
	}
	return n
}

// describeChanges names a few of the changed files.
func (l *Loop) describeChanges() string {
	const few = 3
	var names []string
	folder, _ := filepath.Abs(".")
	for path := range l.changed {
		if rel, err := filepath.Rel(realPath(folder), path); err == nil && !strings.HasPrefix(rel, "..") {
			path = rel
		}
		names = append(names, path)
	}
	slices.Sort(names)
	switch {
	case len(names) == 0:
		return "many files"
	case len(names) > few:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}

// sayState writes the problem, if there is one, and that the loop waits for changes.
func (l *Loop) sayState() {
	if l.problem != nil && l.problem.Error() != "" {
		fmt.Fprintf(l.Stderr, "roclua: %s\n", l.problem)
		l.say("watching for a correction; ctrl-c ends\n")
		return
	}
	failed := 0
	for _, r := range l.results {
		if r.FailsRun() {
			failed++
		}
	}
	l.say("watching; %s, %d not passed; ctrl-c ends\n", units.Count(len(l.results), "case"), failed)
}

func (l *Loop) say(format string, args ...any) {
	if !l.Quiet {
		fmt.Fprintf(l.Stderr, format, args...)
	}
}
