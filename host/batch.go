package host

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"roclua/host/config"
	"roclua/host/events"
	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/progress"
	"roclua/host/report"
	"roclua/host/result"
	"roclua/host/run"
	"roclua/luabind"
	"roclua/luabind/record"
)

// batch is one run of a list of cases with its baselines, events and report. With --watch a session has several.
type batch struct {
	session   *session
	config    *config.Config
	cases     *plan.Cases
	merged    bool             // other runs have run the cases
	kept      []*result.Result // results of cases that need not run, nil for the others; nil when all cases run
	plain     bool             // all cases are plain scripts, which print their output themselves
	began     time.Time
	elapsed   time.Duration // duration of the run that is resumed
	baselines *run.Baselines
	logs      *events.Logs
	report    *report.Report
}

// open reads the baselines and opens the files of events.
func (b *batch) open() error {
	s := b.session
	if s.part == nil { // shards are judged together
		if err := b.openBaselines(); err != nil {
			return err
		}
	}
	b.began = s.env.Now()
	environment := sync.OnceValue(func() *record.Environment { return run.NewEnvironment(b.config, s.env.CPUs) })
	b.report = &report.Report{Version: version(), Argv: append([]string{"roclua"}, s.env.Args...), Config: b.config,
		Store: &s.store, Started: b.began, Color: s.color, Verbose: s.options.verbose,
		Profiles: run.Profiles(b.config.Targets), Environment: environment}
	if err := b.checkFiles(); err != nil {
		return err
	}
	b.shareResults()
	if err := b.openEvents(); err != nil {
		return err
	}
	if b.plain && s.options.resume != "" {
		if err := b.printEarlierLogs(s.scriptOutput()); err != nil {
			return err
		}
	}
	return nil
}

// shareResults lets cases that passed share their results, so that the memory does not grow with the number of cases.
// --watch does not: it needs to know what each case depends on.
func (b *batch) shareResults() {
	if s := b.session; !s.options.watching {
		s.store.Share(b.cases.Len(), b.cases.Shown)
	}
}

func (b *batch) openBaselines() error {
	var err error
	if b.baselines, err = run.OpenBaselines(b.cases.Baselines()); err != nil {
		return err
	}
	if b.session.options.update && b.baselines.IsEmpty() {
		return errors.New("--update: no baseline is configured; name a folder for baselines, " +
			"such as baseline = \"baselines\" in the configuration or --set baseline=baselines")
	}
	return nil
}

// eventOptions says where --out jsonl writes.
func (b *batch) eventOptions() events.Options {
	s := b.session
	o := events.Options{Stdout: s.env.Stdout, System: s.env.files(), History: s.needsHistory(),
		OnlyNew: s.options.watching}
	for _, out := range s.outs {
		if out.IsEvents() {
			o.Files = append(o.Files, out.File)
		}
	}
	return o
}

// openEvents opens the file of --resume and those of --out jsonl. A resumed run keeps its start, its command line and
// the results of its finished cases.
func (b *batch) openEvents() error {
	s := b.session
	o := b.eventOptions()
	b.logs = &events.Logs{}
	if s.options.resume == "" && len(o.Files) == 0 {
		return nil
	}
	id, err := events.Identify(s.scriptArgs, s.planned)
	if err != nil {
		return err
	}
	begin := events.Begin{Version: b.report.Version, Argv: b.report.Argv, Started: b.began, Plan: id, Part: s.part}
	for _, path := range o.Files {
		if err := events.CheckPart(path, s.part); s.part != nil && path != s.options.resume && err != nil {
			return fmt.Errorf("--out jsonl: %w", err)
		}
	}
	switch {
	case s.resumesFolder():
		if err := b.resumeFolder(&o, b.planned(id)); err != nil {
			return fmt.Errorf("--resume: %w", err)
		}
	case s.options.resume != "":
		if err := events.CheckPart(s.options.resume, s.part); err != nil {
			return fmt.Errorf("--resume: %w", err)
		}
		if o.Resumed, err = events.Resume(o.System, s.options.resume, b.planned(id)); err != nil {
			return fmt.Errorf("--resume: %w", err)
		}
		b.resume(o.Resumed)
	}
	o.Kept = events.Kept{Count: b.keptCount(), Each: b.eachKept}
	begin.Environment, begin.Cases = b.report.Environment(), b.cases.Len()
	if b.logs, err = events.Open(o, begin, b.cases); err != nil {
		return fmt.Errorf("--out jsonl: %w", err)
	}
	return nil
}

// isKept reports whether a case, counted from 0, need not run.
func (b *batch) isKept(i int) bool { return b.kept != nil && b.kept[i] != nil }

func (b *batch) keptCount() int {
	n := 0
	for i := range b.kept {
		if b.isKept(i) {
			n++
		}
	}
	return n
}

// eachKept calls f with each kept result, in the order of the plan.
func (b *batch) eachKept(f func(*result.Result) error) error {
	for i, r := range b.kept {
		if r == nil {
			continue
		}
		full, err := b.session.store.FullAt(r, i)
		if err == nil {
			err = f(full)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// planned describes this run to the events of an earlier part of it. The earlier results are put into the store.
func (b *batch) planned(id *events.Identity) events.Planned {
	s := b.session
	return events.Planned{Version: b.report.Version, Plan: id, Part: s.part, Cases: b.cases,
		Keep: func(i int, c *plan.Case, r *result.Result) *result.Result {
			if !s.options.update {
				b.baselines.Compare(c, r)
			}
			return s.store.PutAt(r, i)
		}}
}

// resume takes the results of an earlier run.
func (b *batch) resume(earlier *events.Resumed) {
	b.kept, b.elapsed = earlier.Results, earlier.Elapsed
	b.report.Argv, b.report.Started = earlier.Argv, earlier.Started
}

// execute runs the cases without a kept result and returns the results of all cases.
func (b *batch) execute() []*result.Result {
	s := b.session
	r := &run.Runner{Config: b.config, Jobs: run.DefaultJobs(b.config, s.env.CPUs), Args: s.scriptArgs,
		History: s.needsHistory(), Workers: s.env.workers}
	if !s.options.update {
		r.Baselines = b.baselines
	}
	if b.plain {
		r.Output = s.scriptOutput()
	}
	if s.profiles != nil && s.profiles.lua != nil {
		r.LuaProfile = s.profiles.lua.Add
	}
	todo, positions := b.cases.Without(b.isKept)
	p := s.newProgress(todo, r.Jobs, b.plain)
	r.Observer = observer{p, b.logs}
	r.Keep = func(i int, one *result.Result) *result.Result { return s.store.PutAt(one, positions[i]) }
	defer s.observe(p)()
	results := make([]*result.Result, b.cases.Len())
	copy(results, b.kept)
	for i, one := range r.Run(s.cmd.Context(), todo) {
		results[positions[i]] = one
	}
	return results
}

// observer shows the progress of a run and writes its events.
type observer struct {
	progress *progress.Progress
	logs     *events.Logs
}

// Began shows the progress.
func (o observer) Began(c *plan.Case) { o.progress.Began(c) }

// Finished writes the event of a case before it shows the progress.
func (o observer) Finished(r *result.Result) {
	o.logs.Finished(r)
	o.progress.Finished(r)
}

// ids lists the ids of all cases.
func (b *batch) ids(yield func(id string) bool) {
	for i := range b.report.Results {
		if !yield(b.cases.ID(i)) {
			return
		}
	}
}

// each calls f with each case and its whole result.
func (b *batch) each(f func(c *plan.Case, r *result.Result) error) error {
	return b.report.Each(func(i int, r *result.Result) error { return f(b.cases.Case(i), r) })
}

// finish checks and updates what concerns the whole run, and writes the outputs.
func (b *batch) finish() error {
	s, rep := b.session, b.report
	if s.options.watching && b.keptCount() > 0 {
		rep.New = []*result.Result{}
		for i, r := range rep.Results {
			if !b.isKept(i) {
				rep.New = append(rep.New, r)
			}
		}
	}
	var err error
	if s.part == nil && !b.merged {
		err = b.checkOverall()
	}
	if s.isWhole(b.cases) && result.Count(rep.Results, result.Interrupted) == 0 {
		rep.Gone = b.baselines.Gone(b.ids)
	}
	if s.options.update {
		var failed error
		rep.Updated, failed = b.baselines.Update(s.env.files(), b.each, rep.Gone)
		err, rep.Gone = errors.Join(err, failed), nil
	}
	rep.Exit = result.ExitCode(rep.Results, rep.Overall, rep.Gone)
	rep.Seconds = (b.elapsed + s.env.Now().Sub(b.began)).Seconds()
	if s.part == nil {
		s.failedCases().Remember(rep.Results, b.cases.Shown)
	}
	if err = errors.Join(err, b.write()); err == nil && rep.Exit != exit.Pass {
		err = exit.Silent(rep.Exit)
	}
	return err
}

// checkOverall checks the expectations over several cases.
func (b *batch) checkOverall() error {
	overall, err := plan.NewOverall(b.config)
	if err != nil {
		return err
	}
	for i, short := range b.report.Results {
		if !overall.Wants(b.cases.Space(i)) {
			continue
		}
		record, err := b.session.store.RecordAt(short, i)
		if err != nil {
			return err
		}
		overall.Add(b.cases.Space(i), record)
	}
	b.report.Overall = overall.Checks()
	return nil
}

// write writes the outputs. An output that cannot be written does not prevent the others. Plain scripts have printed
// their output already; only their problems are reported.
func (b *batch) write() error {
	s, rep := b.session, b.report
	outs := s.outs
	var err error
	if b.plain && len(s.options.out.list) == 0 {
		outs = nil
		var problems string
		problems, err = rep.Explain()
		io.WriteString(s.env.Stderr, strings.TrimLeft(problems, "\n"))
	}
	collectAsBefore := luabind.CollectSeldom()
	err = errors.Join(err, s.env.write(outs, rep))
	collectAsBefore()
	endErr := b.logs.End(events.Summary{Results: rep.Results, New: rep.Shown(), Seconds: rep.Seconds, Exit: rep.Exit})
	if endErr != nil {
		err = errors.Join(err, fmt.Errorf("--out jsonl: %w", endErr))
	}
	if len(rep.Shards) == 0 && result.Count(rep.Results, result.Interrupted) > 0 {
		b.suggestResume()
	}
	return err
}

// suggestResume names the file with which an interrupted run can be resumed.
func (b *batch) suggestResume() {
	s := b.session
	file := s.options.resume
	for _, o := range s.outs {
		if o.IsEvents() && file == "" {
			file = o.File
		}
	}
	if file != "" && !s.options.watching {
		fmt.Fprintf(s.env.Stderr, "roclua: the same command with --resume %s runs the missing cases\n", file)
	}
}
