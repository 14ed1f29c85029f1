package host

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// eventFiles are the files of events that a run writes, and what --resume found in one of them.
type eventFiles struct {
	logs   []*eventLog
	before time.Duration // that it took
}

// openEvents opens the file of --resume and those of --out jsonl, and writes their first lines. The report takes over when and
// how the earlier run was started.
func (s *session) openEvents(rep *report, cases []*plannedCase, kept *book) (*eventFiles, error) {
	f := &eventFiles{}
	history := slices.ContainsFunc(s.outs, output.showsHistory)
	add := func(w io.WriteCloser, file *os.File) {
		f.logs = append(f.logs, &eventLog{w: w, file: file, all: file != nil || !s.watching, history: history})
	}
	wanted := slices.DeleteFunc(slices.Clone(s.outs), func(o output) bool { return o.format != "jsonl" })
	if s.resume == "" && len(wanted) == 0 {
		return f, nil
	}
	plan, err := identify(rep.cfg, s.scriptArgs, cases)
	if err != nil {
		return nil, err
	}
	began := rep.started
	var taken os.FileInfo
	if s.resume != "" {
		file, err := s.takeOver(f, rep, plan, cases, kept)
		if err != nil {
			return nil, fmt.Errorf("--resume: %w", err)
		}
		add(file, file)
		if taken, err = file.Stat(); err != nil {
			return nil, err
		}
	}
	for _, o := range wanted {
		if o.file == "" {
			add(keepOpen{s.env.Stdout}, nil)
			continue
		}
		if info, err := os.Stat(o.file); err == nil && taken != nil && os.SameFile(info, taken) {
			continue
		}
		file, err := createEvents(o.file)
		if err != nil {
			return nil, fmt.Errorf("--out jsonl: %w", err)
		}
		add(file, file)
	}
	s.begin(f, jsonBegin{Argv: s.argv(), Started: began, Environment: environmentOf(rep.cfg, s.env.CPUs), Plan: plan}, cases)
	return f, nil
}

// begin writes the first lines, and the cases that are settled where they do not stand already.
func (s *session) begin(f *eventFiles, b jsonBegin, cases []*plannedCase) {
	for i, e := range f.logs {
		b.Cases, b.Restored = len(cases), 0
		switch {
		case !e.all:
			b.Cases -= len(s.settled)
		case s.resume != "":
			b.Restored = len(s.settled)
		}
		e.begin(b)
		if !e.all || s.resume != "" && i == 0 {
			continue
		}
		for _, c := range cases {
			if r := s.settled[c.id]; r != nil {
				e.finished(r)
			}
		}
	}
}

// takeOver reads the events of an earlier run, makes sure that this one is the same, and cuts off a torn last line.
func (s *session) takeOver(f *eventFiles, rep *report, plan *jsonPlan, cases []*plannedCase, kept *book) (file *os.File, err error) {
	if file, err = os.OpenFile(s.resume, os.O_RDWR|os.O_APPEND, 0); err != nil {
		return nil, fmt.Errorf("the events cannot be read: %w", err)
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	if !lockFile(file) {
		return nil, errBusy(s.resume)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("the events cannot be read: %w", err)
	}
	past, err := parseEvents(s.resume, text)
	if err != nil {
		if past.whole == 0 && isTornBegin(text) {
			err = fmt.Errorf("%s: the run ended before it wrote its first event; %s", s.resume, s.anew())
		}
		return nil, err
	}
	if err := s.checkSame(past, plan, len(cases)); err != nil {
		return nil, err
	}
	if err := s.restore(past, cases, kept); err != nil {
		return nil, err
	}
	f.before, rep.started, rep.argv = past.duration(), past.begin.Started, past.begin.Argv
	return file, file.Truncate(int64(past.whole))
}

// isTornBegin reports whether a file is no more than what a run may have written of its first line.
func isTornBegin(text []byte) bool {
	const begin = `{"event":"begin",`
	return !slices.Contains(text, '\n') && (strings.HasPrefix(string(text), begin) || strings.HasPrefix(begin, string(text)))
}

func (s *session) anew() string {
	return fmt.Sprintf("--out jsonl=%s in place of --resume begins anew and replaces the file", s.resume)
}

// checkSame makes sure that a file tells of the run that is planned now.
func (s *session) checkSame(past *pastRun, plan *jsonPlan, cases int) error {
	if past.begin.Version != version() {
		return fmt.Errorf("%s: version %s of the program wrote the events, this is %s; %s", s.resume, past.begin.Version, version(), s.anew())
	}
	if past.begin.Plan == nil {
		return fmt.Errorf("%s: the events do not tell what was run; %s", s.resume, s.anew())
	}
	if past.begin.Plan.Digest == plan.Digest {
		if changed := past.changedModules(); len(changed) > 0 {
			return s.another(past, changed)
		}
		return nil
	}
	changes, err := plan.changes(past.begin.Plan)
	if err != nil {
		return err
	}
	switch {
	case past.begin.Cases != cases:
		changes = append(changes, fmt.Sprintf("cases: were %d, are %d", past.begin.Cases, cases))
	case len(changes) == 0:
		changes = []string{"cases: others are selected"}
	}
	return s.another(past, changes)
}

// mostChanges bounds how many lines tell what is not as it was.
const mostChanges = 10

func (s *session) another(past *pastRun, changes []string) error {
	if more := len(changes) - mostChanges; more > 0 {
		changes = append(changes[:mostChanges], fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("%s: this is not the run that the events tell of:\n  %s\nit was started with: %s\n%s", s.resume,
		strings.Join(changes, "\n  "), strings.Join(past.begin.Argv, " "), s.anew())
}

// changedModules tells which modules are not what they were when the finished cases loaded them.
func (p *pastRun) changedModules() []string {
	was, is := map[string]string{}, map[string]string{}
	var list []string
	for _, c := range p.cases {
		for path, before := range c.Required {
			if _, known := is[path]; !known {
				is[path] = fileDigests([]string{path})[path]
			}
			if first, twice := was[path]; twice && first != before && is[path] == first {
				list = append(list, path+": has changed") // in between, and back
			}
			was[path] = before
		}
	}
	return append(list, changedFiles(was, is)...)
}

// restore takes the cases that came to their end as they are; those that were interrupted are missing.
func (s *session) restore(past *pastRun, cases []*plannedCase, kept *book) error {
	s.settled = map[string]*result{}
	for _, c := range cases {
		i, ok := past.at[c.id]
		if !ok || past.cases[i].Outcome == interrupted {
			continue
		}
		r, err := past.cases[i].result(c)
		if err != nil {
			return fmt.Errorf("%s: case %s: %w", s.resume, c.id, err)
		}
		if !s.update {
			kept.compare(r)
		}
		s.settled[c.id] = r
	}
	return nil
}

// result is a finished case as an event tells of it: what was expected of it stands among its checks already.
func (e *caseEvent) result(c *plannedCase) (*result, error) {
	record, err := e.record()
	if err != nil {
		return nil, err
	}
	r := &result{plannedCase: c, record: record, started: e.Started, untold: e.History == nil, surprise: c.known != "" && e.Outcome == failed}
	if e.History != nil {
		record.History = *e.History
	}
	for path := range e.Required {
		record.Required = append(record.Required, path)
	}
	slices.Sort(record.Required)
	return r, nil
}

// printAgain prints what plain scripts printed in an earlier run, so that this one prints all of it.
func (s *session) printAgain() {
	for _, id := range slices.Sorted(maps.Keys(s.settled)) {
		io.WriteString(s.env.Stdout, s.settled[id].record.Log)
	}
}

// finished writes a case to every file.
func (f *eventFiles) finished(r *result) {
	for _, e := range f.logs {
		e.finished(r)
	}
}

// end writes the last lines and gives back the first error that a file met.
func (f *eventFiles) end(r *report) error {
	var all []error
	for _, e := range f.logs {
		all = append(all, e.end(r))
	}
	return errors.Join(all...)
}
