package events

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"roclua/host/output"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/input"
)

// Resumed is an unfinished run that this run resumes.
type Resumed struct {
	Argv    []string                  // command line that started it
	Started time.Time                 // when it began
	Elapsed time.Duration             // time that it and earlier resumptions took
	Results map[string]*result.Result // of the cases that finished, by id; not compared with baselines yet

	file *output.Appender // locked
}

// Resume reads the event file of an earlier run, checks that this run has the same plan, and removes a line at its
// end that is incomplete. version is that of this program.
func Resume(s output.System, path, version string, id *Identity, cases []*plan.Case) (r *Resumed, err error) {
	file, err := output.OpenAppender(s, path, os.O_RDWR|syscall.O_NONBLOCK)
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
	if !lockFile(file.File()) {
		return nil, errBusy(path)
	}
	past, err := Parse(path, text)
	if err != nil {
		if past.whole == 0 && !past.noBegin && isIncompleteBegin(past.rest) {
			err = fmt.Errorf("%s: the run ended before it wrote its first event; %s", path, startAgain(path))
		}
		return nil, err
	}
	if err := past.checkSame(path, version, id, cases); err != nil {
		return nil, err
	}
	results, err := past.results(cases)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r = &Resumed{Argv: past.Begin.Argv, Started: past.Begin.Started, Elapsed: past.duration(), Results: results,
		file: file}
	return r, file.Truncate(past.whole)
}

// isIncompleteBegin reports whether an incomplete line is what a run may have written of its first line.
func isIncompleteBegin(text []byte) bool {
	const begin = `{"event":"begin",`
	return strings.HasPrefix(string(text), begin) || strings.HasPrefix(begin, string(text))
}

func startAgain(path string) string {
	return fmt.Sprintf("--out jsonl=%s in place of --resume starts again and replaces the file", path)
}

// checkSame reports how the run of the file differs from the one that is planned now.
func (p *Past) checkSame(path, version string, id *Identity, cases []*plan.Case) error {
	if p.Begin.Version != version {
		return fmt.Errorf("%s: version %s of the program wrote the events, this is %s; %s", path, p.Begin.Version,
			version, startAgain(path))
	}
	if p.Begin.Plan == nil {
		return fmt.Errorf("%s: the events do not say what was run; %s", path, startAgain(path))
	}
	if p.Begin.Plan.Digest == id.Digest {
		if changed := p.changedModules(searchPaths(cases)); len(changed) > 0 {
			return p.errDiffers(path, changed)
		}
		return nil
	}
	changes, err := id.Changes(p.Begin.Plan)
	if err != nil {
		return err
	}
	switch {
	case p.Begin.Cases != len(cases):
		changes = append(changes, fmt.Sprintf("cases: were %d, are %d", p.Begin.Cases, len(cases)))
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
	return fmt.Errorf("%s: this is not the run that the events record:\n  %s\nit was started with: %s\n%s", path,
		strings.Join(changes, "\n  "), strings.Join(p.Begin.Argv, " "), startAgain(path))
}

// changedModules lists the modules below folders that have changed since finished cases loaded them.
func (p *Past) changedModules(folders []string) []string {
	was, is := map[string]string{}, map[string]string{}
	var list []string
	for _, c := range p.Cases {
		for path, before := range c.Required {
			if _, known := is[path]; !known {
				is[path] = fileDigests([]string{path}, folders)[path]
			}
			if first, twice := was[path]; twice && first != before && is[path] == first {
				list = append(list, path+": has changed") // in between, and back
			}
			was[path] = before
		}
	}
	return append(list, changedFiles(was, is)...)
}

// results restores the results of the cases that finished. Interrupted cases are not among them: they run again.
func (p *Past) results(cases []*plan.Case) (map[string]*result.Result, error) {
	list := map[string]*result.Result{}
	for _, c := range cases {
		i, ok := p.index[c.ID]
		if !ok || p.Cases[i].Outcome == result.Interrupted {
			continue
		}
		r, err := p.Cases[i].Result(c)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", c.ID, err)
		}
		list[c.ID] = r
	}
	return list, nil
}

// Result restores a finished case. Its checks include the expectations already.
func (e *Case) Result(c *plan.Case) (*result.Result, error) {
	record, err := e.Entry.Record()
	if err != nil {
		return nil, err
	}
	r := &result.Result{Case: &c.Case, Record: record, Started: e.Started, HistoryMissing: e.History == nil,
		PassedUnexpectedly: c.KnownFailure != "" && e.Outcome == result.Failed}
	if e.History != nil {
		record.History = *e.History
	}
	for path := range e.Required {
		record.Required = append(record.Required, path)
	}
	slices.Sort(record.Required)
	return r, nil
}
