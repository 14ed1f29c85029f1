package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/host/watch"
)

// vigil is run --watch: it runs everything, and then what each change of a file affects, until it is interrupted. A change
// during a run cancels nothing; it is looked at when the run has ended.
type vigil struct {
	*session
	files   *watch.Watcher
	cfg     *config.Config            // of the last plan that worked, like cases
	cases   []*plan.Case              // all of them
	last    map[string]*result.Result // what each case came to when it ran last, by its id
	problem error                     // what is wrong with the plan, or what the last run ended with
	wanting []string                  // where a script that cannot be loaded looked for modules
	changed map[string]bool           // what changed since the last plan that worked
	all     bool                      // everything must run, whatever changed
	missed  bool                      // there are changes that nobody waited for
}

// watch runs, and stays.
func (s *session) watch() error {
	if err := s.canWatch(); err != nil {
		return err
	}
	files, err := watch.New()
	if err != nil {
		return err
	}
	defer files.Close()
	v := &vigil{session: s, files: files, changed: map[string]bool{}, all: true}
	if err := v.look(); err != nil {
		return err
	}
	if v.problem != nil && exit.Of(v.problem) != exit.Script { // what no change of a script cures
		return v.problem
	}
	for {
		if err := v.turn(); err != nil {
			return err
		}
		if !v.wait() {
			return nil
		}
		if err := v.look(); err != nil {
			return err
		}
	}
}

// canWatch refuses what makes no sense together with --watch.
func (s *session) canWatch() error {
	if slices.Contains(s.names, "-") {
		return errors.New("--watch: a script from standard input has no file that could change; save it and name the file")
	}
	for _, other := range []struct{ flag, why string }{
		{"update", "every change would be taken over as the new baseline; update with a run of its own"},
		{"rerun-failed", "--watch chooses itself which cases run again"},
		{"resume", "--watch begins with a whole run"},
	} {
		if s.cmd.Flags().Changed(other.flag) {
			return fmt.Errorf("--watch and --%s do not go together: %s", other.flag, other.why)
		}
	}
	return nil
}

// look plans anew, with every file watched before it is read for the last time. The error is one of watching; what is wrong
// with the plan is v.problem.
func (v *vigil) look() error {
	for {
		cfg, cases, err := v.plan()
		if err == nil && len(cases) == 0 {
			err = v.NothingSelected()
		}
		var load *plan.LoadError
		v.problem, v.wanting = err, nil
		if errors.As(err, &load) {
			v.wanting = load.Required
		}
		if err == nil {
			v.cfg, v.cases = cfg, cases
		}
		added, err := v.files.Watch(v.places().toWatch())
		if err != nil || len(added) == 0 {
			return err
		}
	}
}

// turn runs what the changes since the last turn affect, and says how things stand.
func (v *vigil) turn() error {
	if v.problem == nil {
		todo := v.affected()
		gone := len(v.last) - v.known()
		what := v.whatChanged()
		v.changed, v.all = map[string]bool{}, false
		if len(todo) == 0 && gone == 0 {
			return nil
		}
		if v.last != nil {
			v.say("\n%s changed: running %d of %d case%s\n", what, len(todo), len(v.cases), plural(len(v.cases)))
		}
		if err := v.rerun(todo); err != nil {
			return err
		}
	}
	if v.cmd.Context().Err() == nil {
		v.stand()
	}
	if exit.Of(v.problem) == exit.Interrupted {
		return v.problem
	}
	return nil
}

// rerun runs cases and keeps the results of the others.
func (v *vigil) rerun(todo []*plan.Case) error {
	v.settled = map[string]*result.Result{}
	for _, c := range v.cases {
		if v.last[c.ID] != nil {
			v.settled[c.ID] = v.last[c.ID]
		}
	}
	for _, c := range todo {
		delete(v.settled, c.ID)
	}
	started := time.Now() // as files' times are
	v.results = nil
	v.problem = v.runCases(v.cfg, v.cases)
	if v.results == nil { // it could not begin
		v.all = true
		return nil
	}
	v.last = map[string]*result.Result{}
	for _, r := range v.results {
		v.last[r.ID] = r
	}
	added, err := v.files.Watch(v.places().toWatch())
	v.noteNewer(added, started)
	return err
}

// noteNewer finds the modules that changed after a case read them and before anybody watched their folder.
func (v *vigil) noteNewer(folders []string, started time.Time) {
	for _, r := range v.last {
		for _, path := range r.Record.Required {
			for _, path := range realPaths(path) {
				info, err := os.Stat(path)
				if err == nil && info.ModTime().After(started) && slices.Contains(folders, filepath.Dir(path)) {
					v.changed[path], v.missed = true, true
				}
			}
		}
	}
}

// wait waits for a change that matters; false when the vigil is to end.
func (v *vigil) wait() bool {
	matters := v.missed
	for !matters {
		select {
		case <-v.cmd.Context().Done():
			return false
		case c := <-v.files.Changes():
			p := v.places()
			for _, path := range c.Paths {
				if p.matter(path) {
					v.changed[path], matters = true, true
				}
			}
			if c.Lost {
				v.all, matters = true, true
			}
		}
	}
	v.missed = false
	return true
}

// known counts the cases that have a result.
func (v *vigil) known() int {
	n := 0
	for _, c := range v.cases {
		if v.last[c.ID] != nil {
			n++
		}
	}
	return n
}

// whatChanged names a few of the files that changed.
func (v *vigil) whatChanged() string {
	const few = 3
	var names []string
	folder, _ := filepath.Abs(".")
	for path := range v.changed {
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

// stand says what is wrong, and that changes are waited for.
func (v *vigil) stand() {
	if v.problem != nil && v.problem.Error() != "" {
		fmt.Fprintf(v.env.Stderr, "roclua: %s\n", v.problem)
		v.say("watching for a correction; ctrl-c ends\n")
		return
	}
	bad := 0
	for _, r := range v.last {
		if r.FailsRun() {
			bad++
		}
	}
	v.say("watching; %d case%s, %d not passed; ctrl-c ends\n", len(v.last), plural(len(v.last)), bad)
}

func (v *vigil) say(format string, args ...any) {
	if !v.quiet {
		fmt.Fprintf(v.env.Stderr, format, args...)
	}
}

// foldersBelow lists a folder and all in it.
func foldersBelow(root string) []string {
	var list []string
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			list = append(list, path)
		}
		return nil
	})
	return list
}
