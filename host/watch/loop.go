// Package watch runs cases again when files change. It looks at the files of the last run several times a second, which
// finds changes on every file system, also on those whose changes the system does not report.
package watch

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
	Plan func() ([]*plan.Case, error)
	// Execute runs the cases that have no kept result, and reports. It returns the results of all cases, or nil when
	// the run could not begin. The error carries the exit code of the run.
	Execute func(cases []*plan.Case, kept map[string]*result.Result) ([]*result.Result, error)

	cases   []*plan.Case              // of the last plan without an error
	results map[string]*result.Result // the last result of each case, by id; nil before the first run
	problem error                     // the error of the last plan or the last run
	seen    map[string]fs.FileInfo    // the files when they were last looked at
	changed map[string]bool           // files that changed since the last plan without an error
	all     bool                      // all cases must run, whatever changed
	pending bool                      // files changed while the cases ran
	sources
}

// Changes come in bursts. A burst ends when nothing changed between two looks, or when it has lasted for longest.
const (
	quiet   = 100 * time.Millisecond // between two looks
	longest = time.Second
)

// Run runs the loop until the context is canceled. The error is an interruption during a run, or an error of the first
// plan.
func (l *Loop) Run(ctx context.Context) error {
	l.changed, l.all = map[string]bool{}, true
	if l.replan(); l.problem != nil {
		return l.problem
	}
	for {
		if l.rerun(ctx); exit.Of(l.problem) == exit.Interrupted {
			return l.problem
		}
		if !l.wait(ctx) {
			return nil
		}
		l.replan()
	}
}

// replan lists the cases again. It repeats until no file changed while it was read. An error becomes l.problem.
func (l *Loop) replan() {
	for again := true; again; {
		started := time.Now()
		cases, err := l.Plan()
		if l.problem = err; err == nil {
			l.cases = cases
		}
		l.find()
		again = l.look(started)
	}
}

// look finds the files that changed since the last look. A file that is looked at for the first time has changed if it
// was written after a time, when its reader began.
func (l *Loop) look(began time.Time) (found bool) {
	now := l.state()
	for path, info := range now {
		before, known := l.seen[path]
		if known && !isSame(before, info) || !known && info != nil && info.ModTime().After(began) {
			l.changed[path], found = true, true
		}
	}
	for path, before := range l.seen {
		if _, known := now[path]; known || before == nil {
			continue
		}
		if _, err := os.Stat(path); err != nil { // of a folder; other files are no longer looked at
			l.changed[path], found = true, true
		}
	}
	l.seen = now
	return found
}

// rerun runs the cases that the changes since the last run affect, and writes the state of the loop.
func (l *Loop) rerun(ctx context.Context) {
	if l.problem == nil {
		affected := l.affected()
		description := l.describeChanges()
		l.changed, l.all = map[string]bool{}, false
		if len(affected) == 0 && len(l.results) == len(l.cases) { // none was removed
			return
		}
		if l.results != nil {
			l.say("\n%s changed: running %d of %s\n", description, len(affected), units.Count(len(l.cases), "case"))
		}
		l.execute(affected)
	}
	if ctx.Err() == nil {
		l.sayState()
	}
}

// affected lists the cases to run after the changes. When the configuration changed these are all cases; otherwise the
// cases of scripts that changed or that require a changed module, cases whose baseline changed, and new cases.
func (l *Loop) affected() []*plan.Case {
	isChanged := func(file string) bool { return l.changed[l.path(file)] }
	isConfig := func(arg string) bool { return filepath.Ext(arg) == ".toml" && isChanged(arg) }
	if l.all || slices.ContainsFunc(l.arguments(), isConfig) {
		return l.cases
	}
	scripts := map[string]bool{}
	for _, r := range l.results {
		if slices.ContainsFunc(r.Record.Required, isChanged) {
			scripts[filepath.FromSlash(r.Script)] = true
		}
	}
	for _, c := range l.cases {
		if isChanged(c.Definition.Path()) || slices.ContainsFunc(c.Definition.Declared.Required, isChanged) {
			scripts[c.Definition.Path()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(l.cases), func(c *plan.Case) bool {
		return l.results[c.ID] != nil && !scripts[c.Definition.Path()] && (c.Baseline == "" || !isChanged(c.Baseline))
	})
}

// execute runs the affected cases and keeps the results of the others.
func (l *Loop) execute(affected []*plan.Case) {
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
	results, err := l.Execute(l.cases, kept)
	l.problem = err
	if results == nil {
		l.all = true
		return
	}
	l.results = map[string]*result.Result{}
	for _, r := range results {
		l.results[r.ID] = r
	}
	l.find()
	l.pending = l.look(started)
}

// wait waits for a change of a file that the run depends on. It returns false when the context is canceled.
func (l *Loop) wait(ctx context.Context) bool {
	var began time.Time // of the changes
	for found := l.pending; ; found = l.look(time.Time{}) {
		switch {
		case found && began.IsZero():
			began = time.Now()
		case !began.IsZero() && (!found || time.Since(began) >= longest):
			l.pending = false
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(quiet):
		}
	}
}

// describeChanges names a few of the changed files.
func (l *Loop) describeChanges() string {
	const few = 3
	var names []string
	folder, _ := filepath.Abs(".")
	for path := range l.changed {
		if rel, err := filepath.Rel(folder, path); err == nil && !strings.HasPrefix(rel, "..") {
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
