package events

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"roclua/host/plan"
	"roclua/host/result"
	"roclua/input"
	"roclua/internal/atomicfile"
)

// Planned is a run that resumes another.
type Planned struct {
	Version string // of this program
	Plan    *Identity
	Part    plan.Shard // part of the plan that it runs
	Cases   plan.List

	// Keep receives each result as soon as it is read, so that no other is in memory as a whole then.
	Keep func(c *plan.Case, r *result.Result)
}

// Resumed is an unfinished run that this run resumes.
type Resumed struct {
	Argv    []string         // command line that started it
	Started time.Time        // when it began
	Elapsed time.Duration    // time that it and earlier resumptions took
	Results []*result.Result // of each case, nil for a case that did not finish

	file *atomicfile.Appender // locked
}

// Resume reads the event file of an earlier run, checks that this run has the same plan, and removes a line at its
// end that is incomplete. A shard whose file does not exist, or ends within its first line, begins: a scheduler starts
// a task again by the same command.
func Resume(s atomicfile.System, path string, now Planned) (r *Resumed, err error) {
	flag := os.O_RDWR | input.NonBlocking
	if !now.Part.IsWhole() {
		flag |= os.O_CREATE
	}
	file, err := atomicfile.OpenAppender(s, path, flag)
	if err != nil {
		return nil, fmt.Errorf("the events cannot be read: %w", err)
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	text, err := input.Check(file.File(), path, input.Results)
	if err != nil {
		return nil, fmt.Errorf("the events cannot be read: %w", err)
	}
	if !atomicfile.Lock(file.File(), waitForLock) {
		return nil, errBusy(path)
	}
	past := &Past{}
	r = &Resumed{file: file}
	if r.Results, err = past.restore(path, text, now); err != nil {
		if past.whole > 0 || past.noBegin || !isIncompleteBegin(past.rest) {
			return nil, err
		}
		if now.Part.IsWhole() {
			return nil, fmt.Errorf("%s: the run ended before it wrote its first event; %s", path, startAgain(path))
		}
		return r, file.Truncate(0)
	}
	r.Argv, r.Started, r.Elapsed = past.Begin.Argv, past.Begin.Started, past.duration()
	return r, file.Truncate(past.whole)
}

// isIncompleteBegin reports whether an incomplete line may be a part of a run's first line.
func isIncompleteBegin(text []byte) bool {
	const begin = `{"event":"begin",`
	return strings.HasPrefix(string(text), begin) || strings.HasPrefix(begin, string(text))
}

func startAgain(path string) string {
	return fmt.Sprintf("--out jsonl=%s in place of --resume starts again and replaces the file", path)
}

// CheckPart reports a file that has the events of another part of a plan than this run has.
func CheckPart(path string, part plan.Shard) error {
	file, err := input.Open(path, input.Results)
	if err != nil {
		return nil // opening the file for events reports the error, unless there are none yet
	}
	defer file.Close()
	past, err := ParseBegin(path, file)
	if err != nil || past.Begin.Part == part {
		return nil
	}
	return fmt.Errorf("%s has the events of %s, this is %s; give each shard its file, such as jsonl=%s-%d.jsonl", path,
		past.Begin.Part, part, strings.TrimSuffix(path, filepath.Ext(path)), max(1, part.Index))
}

// checkSame reports how the run of the file differs from the one that is planned now.
func (p *Past) checkSame(path string, now Planned) error {
	if p.Begin.Version != now.Version {
		return fmt.Errorf("%s: version %s of the program wrote the events, this is %s; %s", path,
			p.Begin.Version, now.Version, startAgain(path))
	}
	if p.Begin.Plan == nil {
		return fmt.Errorf("%s: the events do not have the plan of the run; %s", path, startAgain(path))
	}
	if p.Begin.Plan.Digest == now.Plan.Digest {
		return nil
	}
	changes, err := now.Plan.Changes(p.Begin.Plan)
	if err != nil {
		return err
	}
	switch {
	case p.Begin.Cases != len(now.Cases):
		changes = append(changes, fmt.Sprintf("cases: were %d, are %d", p.Begin.Cases, len(now.Cases)))
	case len(changes) == 0:
		changes = []string{"cases: others are selected"}
	}
	return p.errDiffers(path, changes)
}

// maxChanges bounds how many differences an error lists.
const maxChanges = 10

func (p *Past) errDiffers(path string, changes []string) error {
	if more := len(changes) - maxChanges; more > 0 {
		changes = append(changes[:maxChanges], fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("%s: this is not the run that the events record:\n  %s\nit was started with: %s\n%s",
		path, strings.Join(changes, "\n  "), strings.Join(p.Begin.Argv, " "), startAgain(path))
}

// modules finds the modules below folders that have changed since finished cases loaded them.
type modules struct {
	folders []string
	was, is map[string]string
}

func (m *modules) add(required map[string]string) {
	for path, before := range required {
		if _, known := m.is[path]; !known {
			m.is[path] = fileDigests([]string{path}, m.folders)[path]
		}
		if _, known := m.was[path]; !known || before != m.is[path] { // one case with another version is enough
			m.was[path] = before
		}
	}
}

// restore reads the events of a run and returns the results of the cases that finished. Unfinished cases are not among
// them: they run again.
func (p *Past) restore(path string, file io.Reader, now Planned) ([]*result.Result, error) {
	positions, results := now.Cases.Positions(), make([]*result.Result, len(now.Cases))
	used := &modules{folders: searchPaths(now.Cases), was: map[string]string{}, is: map[string]string{}}
	same := sync.OnceValue(func() error { return cmp.Or(p.checkBegin(path), p.checkSame(path, now)) })
	p.Each = func(e *result.Line) error {
		if err := same(); err != nil {
			return err
		}
		used.add(e.Required)
		for _, i := range positions[e.ID] {
			if results[i] = nil; e.Outcome.IsUnfinished() {
				continue
			}
			c := now.Cases[i]
			results[i] = Restored(c, e)
			now.Keep(c, results[i])
		}
		return nil
	}
	if err := p.Read(path, file); err != nil {
		return nil, err
	}
	if err := same(); err != nil {
		return nil, err
	}
	if changed := changedFiles(used.was, used.is); len(changed) > 0 {
		return nil, p.errDiffers(path, changed)
	}
	return results, nil
}

// Restored returns the result of a finished case from its line. Its checks include the expectations already.
func Restored(c *plan.Case, l *result.Line) *result.Result {
	l.Record.Required = slices.Sorted(maps.Keys(l.Required))
	return &result.Result{Case: &c.Case, Record: &l.Record, Started: l.Started, HistoryMissing: l.History == nil,
		PassedUnexpectedly: c.KnownFailure != "" && l.Outcome == result.Failed}
}
