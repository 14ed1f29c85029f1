package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"roclua/host/config"
	"roclua/host/events"
	"roclua/host/exit"
	"roclua/host/output"
	"roclua/host/plan"
	"roclua/host/progress"
	"roclua/host/report"
	"roclua/host/result"
	"roclua/internal/escape"
	"roclua/luabind"
	"roclua/luabind/record"
)

// pipeline is one run of planned cases: it opens its files, takes the results that its source has, executes the other
// cases, judges all of them, and writes the outputs.
type pipeline struct {
	*Session
	plan      *plan.Plan
	config    *config.Config
	cases     plan.List
	source    source
	reads     []string         // files of events that the source reads, which no output may replace
	plain     bool             // all cases are plain scripts, which print their output themselves
	kept      []*result.Result // results of the source, nil for the cases that run; nil when all cases run
	began     time.Time
	started   time.Time     // time in the events
	elapsed   time.Duration // duration of the runs that the source has
	baselines *Baselines
	logs      *events.Logs
	report    *report.Report
}

// With manyCases cases most of the memory of the program is their results. Garbage is then collected when it is a part
// of that, not when it is as much.
const (
	manyCases   = 20_000
	partPercent = 50
)

// open reads the baselines, checks and opens the files of the run, and takes the results of the source.
func (r *pipeline) open(ctx context.Context) error {
	if len(r.cases) >= manyCases && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(partPercent)
	}
	for _, c := range r.cases {
		c.FailsIfFlaky = r.FailOnFlaky
	}
	if r.Part.IsWhole() { // shards are judged together
		if err := r.openBaselines(); err != nil {
			return err
		}
	}
	r.began = r.Now()
	r.started = r.began
	environment := sync.OnceValue(func() *record.Environment { return NewEnvironment(r.config, r.CPUs) })
	r.report = &report.Report{Version: r.Version, Argv: r.Argv, Config: r.config, Store: &r.Store, Started: r.began,
		Again: r.Again, Verbose: r.Verbose, Slowest: r.Slowest, Profiles: Profiles(r.config.Targets),
		Environment: environment}
	r.report.SchemeDefects, r.report.Quiet = schemeDefects(r.cases, r.config), r.Quiet
	if err := r.checkFiles(); err != nil {
		return err
	}
	return r.openEvents(ctx)
}

func (r *pipeline) openBaselines() error {
	var folders []string
	if r.isWhole(r.plan, r.cases) { // files of scenarios that are gone, too
		folders = r.cases.Files(func(c *plan.Case) string { return c.Space.Baselines })
	}
	var err error
	if r.baselines, err = OpenBaselines(r.cases.Files(func(c *plan.Case) string { return c.Baseline }),
		folders...); err != nil {
		return err
	}
	if r.Update && r.baselines.IsEmpty() {
		return errors.New("--update: no baseline is configured; name a folder for baselines, " +
			"such as baseline = \"baselines\" in the configuration or --set baseline=baselines")
	}
	return nil
}

// openEvents takes the results of the source and opens the files of --out jsonl.
func (r *pipeline) openEvents(ctx context.Context) error {
	o := events.Options{Stdout: r.Stdout, System: r.System, History: r.needsHistory(), OnlyNew: r.Watching}
	for _, out := range r.Outs {
		if out.IsEvents() {
			o.Files = append(o.Files, out.File)
		}
	}
	id, err := r.source.open(ctx, r, &o)
	if err != nil {
		return err
	}
	r.logs = &events.Logs{}
	if len(o.Files) == 0 && o.Resumed == nil {
		return nil
	}
	begin := events.Begin{Version: r.Version, Argv: r.report.Argv, Started: r.started, Plan: id, Part: r.Part,
		Cases: len(r.cases), FailOnFlaky: r.FailOnFlaky, Environment: r.report.Environment()}
	o.Kept = events.Kept{Count: r.keptCount(), Each: func(f func(*result.Result) error) error {
		earlier := report.Report{Results: r.kept, Store: &r.Store}
		return earlier.Each(func(_ int, c *result.Result) error { return f(c) })
	}}
	if r.logs, err = events.Open(o, begin, r.cases); err != nil {
		return fmt.Errorf("--out jsonl: %w", err)
	}
	return nil
}

// isKept reports whether a case, counted from 0, need not run.
func (r *pipeline) isKept(i int) bool { return r.kept != nil && r.kept[i] != nil }

func (r *pipeline) keptCount() int {
	n := 0
	for i := range r.kept {
		if r.isKept(i) {
			n++
		}
	}
	return n
}

// compared returns the baselines that results are compared with: none with --update, which replaces them.
func (r *pipeline) compared() *Baselines {
	if r.Update {
		return nil
	}
	return r.baselines
}

// execute runs the cases without a kept result.
func (r *pipeline) execute(ctx context.Context) {
	runner := &Runner{Config: r.config, Jobs: DefaultJobs(r.config, r.CPUs), Args: r.Args, History: r.needsHistory(),
		Workers: r.Workers, LuaProfile: r.LuaProfile, Baselines: r.compared(), MaxFail: r.MaxFail,
		Retries: r.Retries}
	if r.plain {
		runner.Output = r.scriptOutput()
	}
	var todo plan.List
	var positions []int
	for i, c := range r.cases {
		if !r.isKept(i) {
			todo, positions = append(todo, c), append(positions, i)
		}
	}
	p := r.newProgress(todo, runner.Jobs, r.plain)
	runner.Observer = followers{p, r.logs, &r.Store}
	defer observe(ctx, p)()
	results := make([]*result.Result, len(r.cases))
	copy(results, r.kept)
	for i, one := range runner.Run(ctx, todo) {
		results[positions[i]] = one
	}
	r.report.Results = results
}

// followers show the progress of a run, write its events and keep its results.
type followers struct {
	progress *progress.Progress
	logs     *events.Logs
	store    *result.Store
}

// Began shows the progress.
func (o followers) Began(c *plan.Case) { o.progress.Began(c) }

// Second writes the event of a second of a workload, and shows it.
func (o followers) Second(c *plan.Case, i record.Interval) {
	o.logs.Second(c.ID, i)
	o.progress.Second(c, i)
}

// Finished writes the event of a case, which has its whole record, before the store takes it over.
func (o followers) Finished(r *result.Result) {
	o.logs.Finished(r)
	o.progress.Finished(r)
	o.store.Put(r)
}

// finish judges the run as a whole, and writes the outputs.
func (r *pipeline) finish() error {
	rep := r.report
	if r.Watching && r.keptCount() > 0 {
		rep.New = []*result.Result{}
		for i, c := range rep.Results {
			if !r.isKept(i) {
				rep.New = append(rep.New, c)
			}
		}
	}
	var err error
	if r.Part.IsWhole() {
		err = r.checkOverall()
	}
	if r.isWhole(r.plan, r.cases) && result.Unfinished(rep.Results) == 0 {
		rep.Gone = r.baselines.Gone(r.cases)
	}
	if r.Update {
		var failed error
		rep.Updated, failed = r.baselines.Update(r.System, r.each, rep.Gone, rep.Environment().Numbers())
		err, rep.Gone = errors.Join(err, failed), nil
	} else if changed := r.changed(); len(changed) > 0 {
		rep.Otherwise = r.baselines.Otherwise(rep.Environment().Numbers(), changed)
	}
	rep.Exit = result.ExitCode(rep.Results, rep.Overall, rep.Gone)
	if rep.Exit == exit.Nothing && !r.Part.IsWhole() {
		rep.Exit = exit.Pass // other shards may run cases
	}
	rep.Seconds = (r.elapsed + r.Now().Sub(r.began)).Seconds()
	if r.Part.IsWhole() {
		last := r.LastRun()
		rep.Skips = last.Skips()
		last.Remember(rep.Results)
	}
	if err = errors.Join(err, r.write()); err == nil && rep.Exit != exit.Pass {
		err = exit.Silent(rep.Exit)
	}
	return err
}

// changed returns the cases with values that differ from their baseline.
func (r *pipeline) changed() []*plan.Case {
	var list []*plan.Case
	for i, one := range r.report.Results {
		if one.Outcome() == result.Changed {
			list = append(list, r.cases[i])
		}
	}
	return list
}

// each calls f with each case and its whole result.
func (r *pipeline) each(f func(c *plan.Case, one *result.Result) error) error {
	return r.report.Each(func(i int, one *result.Result) error { return f(r.cases[i], one) })
}

// checkOverall checks the expectations over several cases, and that settings name values that cases have.
func (r *pipeline) checkOverall() error {
	overall, err := plan.NewOverall(r.config)
	if err != nil {
		return err
	}
	overall.RequireNames(r.config, r.cases, r.isWhole(r.plan, r.cases))
	for i, short := range r.report.Results {
		if !overall.Wants(r.cases[i].Space) {
			continue
		}
		whole, err := r.Store.Full(short)
		if err != nil {
			return err
		}
		overall.Add(r.cases[i].Space, r.cases[i].ID, whole.Record)
	}
	r.report.Overall = overall.Checks()
	return nil
}

// write writes the outputs. An output that cannot be written does not prevent the others. Plain scripts have printed
// their output already; only their problems are reported.
func (r *pipeline) write() error {
	rep, outs := r.report, r.Outs
	var err error
	if r.plain && r.NoOut {
		outs = nil
		var problems string
		problems, err = rep.Explain(r.StderrColor)
		io.WriteString(r.Stderr, strings.TrimLeft(problems, "\n"))
	}
	collectAsBefore := luabind.CollectSeldom()
	err = errors.Join(err, output.Write(outs, rep, r.destination()))
	collectAsBefore()
	toStdout := func(o output.Output) bool { return o.File == "" }
	if rep.Exit != exit.Pass && !r.NoOut && !slices.ContainsFunc(outs, toStdout) {
		err = errors.Join(err, rep.WriteFailures(escape.Live(r.Stderr, r.StderrIsTerminal)))
	}
	endErr := r.logs.End(events.Summary{Results: rep.Results, New: rep.Shown(), Seconds: rep.Seconds,
		Failures: rep.Failures(), Exit: rep.Exit})
	if endErr != nil {
		err = errors.Join(err, fmt.Errorf("--out jsonl: %w", endErr))
	}
	if len(rep.Shards) == 0 && result.Unfinished(rep.Results) > 0 {
		r.suggestResume()
	}
	return err
}

// suggestResume names the file with which an interrupted run can be resumed.
func (r *pipeline) suggestResume() {
	file := r.Resume
	for _, o := range r.Outs {
		if o.IsEvents() && file == "" {
			file = o.File
		}
	}
	if file != "" && !r.Watching {
		fmt.Fprintf(r.Stderr, "roclua: the same command with --resume %s runs the missing cases\n", escape.Text(file))
	}
}
