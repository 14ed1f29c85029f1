package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"roclua/host/config"
	"roclua/host/events"
	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/report"
	"roclua/host/result"
	"roclua/host/run"
)

// session is one invocation of run.
type session struct {
	*runOptions
	cmd        *cobra.Command
	env        Env
	names      []string // what to run
	scriptArgs []string // arguments after --
	outs       []report.Output
	color      bool
	settled    map[string]*result.Result // by id: results that are kept, of cases that need not run
	results    []*result.Result          // of all cases, when they have run
}

// once plans, runs and reports.
func (s *session) once() error {
	cfg, cases, err := s.plan()
	if err != nil {
		return err
	}
	if s.rerunFailed {
		if cases, err = s.failedCases().Select(cases); err != nil {
			return err
		}
	}
	if len(cases) == 0 {
		return s.NothingSelected()
	}
	if s.isWhole(cfg) {
		for _, unused := range plan.UnusedExceptions(cfg, cases) {
			fmt.Fprintf(s.env.Stderr, "roclua: warning: %s\n", unused)
		}
	}
	return s.runCases(cfg, cases)
}

// plan lists the cases that the command line selects.
func (s *session) plan() (*config.Config, []*plan.Case, error) {
	return s.Plan(s.cmd.Context(), s.env.planInput(s.cmd), s.names)
}

func (s *session) failedCases() events.FailedCases { return events.OpenFailedCases(cacheFolder(s.env)) }

// runCases runs what was planned. An output that cannot be written does not prevent the others.
func (s *session) runCases(cfg *config.Config, cases []*plan.Case) error {
	baselines, err := s.openBaselines(cases)
	if err != nil {
		return err
	}
	began := s.env.Now()
	rep := &report.Report{Version: version(), Argv: append([]string{"roclua"}, s.env.Args...), Config: cfg, Started: began,
		Color: s.color, Verbose: s.verbose, CPUs: s.env.CPUs, SummaryFile: s.env.Getenv("GITHUB_STEP_SUMMARY")}
	logs, elapsed, err := s.openEvents(rep, cases, baselines)
	if err != nil {
		return err
	}
	plain := allPlain(cases)
	if plain && s.resume != "" {
		s.printEarlierLogs(cases)
	}
	rep.Results = s.execute(rep, cases, logs, baselines, plain)
	s.results = rep.Results
	if s.watching && len(s.settled) > 0 {
		rep.New = slices.DeleteFunc(slices.Clone(rep.Results), func(r *result.Result) bool { return s.settled[r.ID] != nil })
	}
	if rep.Overall, err = plan.CheckOverall(cfg, cases, rep.Results); err != nil {
		return err
	}
	if s.isWhole(cfg) {
		rep.Gone = baselines.Gone()
	}
	if s.update {
		if rep.Updated, err = baselines.Update(rep.Results, rep.Gone); err != nil {
			return err
		}
		rep.Gone = nil
	}
	rep.Exit = result.ExitCode(rep.Results, rep.Overall, rep.Gone)
	rep.Seconds = (elapsed + s.env.Now().Sub(began)).Seconds()
	s.failedCases().Remember(rep.Results)
	return s.report(rep, logs, plain)
}

// openBaselines reads the baselines. It is an error to update when none is configured.
func (s *session) openBaselines(cases []*plan.Case) (*run.Baselines, error) {
	b, err := run.OpenBaselines(cases)
	if err == nil && s.update && b.IsEmpty() {
		err = errors.New("--update: no baseline is configured; name a folder for them, such as baseline = \"baselines\" in the configuration or --set baseline=baselines")
	}
	return b, err
}

// needsHistory reports whether an output shows the history of cases.
func (s *session) needsHistory() bool { return slices.ContainsFunc(s.outs, report.Output.NeedsHistory) }

// openEvents opens the file of --resume and those of --out jsonl. A resumed run keeps its start and command line, and its
// finished cases become settled. elapsed is the time that it took so far.
func (s *session) openEvents(rep *report.Report, cases []*plan.Case, baselines *run.Baselines) (logs *events.Logs, elapsed time.Duration, err error) {
	o := events.Options{Stdout: s.env.Stdout, History: s.needsHistory(), OnlyNew: s.watching}
	for _, out := range s.outs {
		if out.IsEvents() {
			o.Files = append(o.Files, out.File)
		}
	}
	if s.resume == "" && len(o.Files) == 0 {
		return &events.Logs{}, 0, nil
	}
	id, err := events.Identify(rep.Config, s.scriptArgs, cases)
	if err != nil {
		return nil, 0, err
	}
	b := events.Begin{Version: rep.Version, Argv: rep.Argv, Started: rep.Started, Plan: id}
	if s.resume != "" {
		if o.Resumed, err = events.Resume(s.resume, rep.Version, id, cases); err != nil {
			return nil, 0, fmt.Errorf("--resume: %w", err)
		}
		s.settled = o.Resumed.Results
		if !s.update {
			for _, c := range cases {
				if r := s.settled[c.ID]; r != nil {
					baselines.Compare(c, r)
				}
			}
		}
		rep.Argv, rep.Started, elapsed = o.Resumed.Argv, o.Resumed.Started, o.Resumed.Elapsed
	}
	b.Environment = run.NewEnvironment(rep.Config, s.env.CPUs)
	if logs, err = events.Open(o, b, cases, s.settled); err != nil {
		return nil, 0, fmt.Errorf("--out jsonl: %w", err)
	}
	return logs, elapsed, nil
}

// printEarlierLogs prints the output of the plain scripts that an earlier run finished.
func (s *session) printEarlierLogs(cases []*plan.Case) {
	for _, c := range slices.SortedFunc(slices.Values(cases), func(a, b *plan.Case) int { return strings.Compare(a.ID, b.ID) }) {
		if r := s.settled[c.ID]; r != nil {
			io.WriteString(s.env.Stdout, r.Record.Log)
		}
	}
}

// execute runs the cases that are not settled and returns the results of all cases.
func (s *session) execute(rep *report.Report, cases []*plan.Case, logs *events.Logs, baselines *run.Baselines, plain bool) []*result.Result {
	r := &run.Runner{Config: rep.Config, Jobs: run.DefaultJobs(rep.Config, s.env.CPUs), Args: s.scriptArgs, History: s.needsHistory()}
	if !s.update {
		r.Baselines = baselines
	}
	if plain {
		r.Output = s.env.Stdout
	}
	todo := slices.DeleteFunc(slices.Clone(cases), func(c *plan.Case) bool { return s.settled[c.ID] != nil })
	p := s.newProgress(todo, r.Jobs, plain)
	r.Observer = observer{p, logs}
	p.begin()
	defer p.end()
	defer context.AfterFunc(s.cmd.Context(), p.interrupted)()
	ran := r.Run(s.cmd.Context(), todo)
	results := make([]*result.Result, len(cases))
	for i, c := range cases {
		if results[i] = s.settled[c.ID]; results[i] == nil {
			results[i], ran = ran[0], ran[1:]
		}
	}
	return results
}

// observer shows the progress of a run and writes its events.
type observer struct {
	*progress
	logs *events.Logs
}

// Finished writes the event of a case before it shows the progress.
func (o observer) Finished(r *result.Result) {
	o.logs.Finished(r)
	o.progress.Finished(r)
}

// isWhole reports whether a run has all cases of its configuration, so that missing cases are gone: no case is deselected, and
// the targets are those of the file.
func (s *session) isWhole(cfg *config.Config) bool {
	if s.IsPartial() || s.rerunFailed || s.cmd.Context().Err() != nil {
		return false
	}
	for _, key := range []string{"platform", "profile", "arch"} {
		if cfg.Source(key) != "" {
			return false
		}
	}
	return !slices.ContainsFunc(s.names, func(name string) bool { return filepath.Ext(name) != ".toml" })
}

// report writes the outputs. Plain scripts have printed their output already; only the problems are reported for them.
func (s *session) report(rep *report.Report, logs *events.Logs, plain bool) error {
	outs := s.outs
	if plain && len(s.out) == 0 {
		outs = nil
		var b strings.Builder
		for _, c := range rep.Shown() {
			c.Record.Log = ""
			b.WriteString(rep.Explain(c))
		}
		io.WriteString(s.env.Stderr, strings.TrimLeft(b.String(), "\n"))
	}
	err := rep.Write(outs, s.env.Stdout, s.env.Stderr)
	endErr := logs.End(events.Summary{Results: rep.Results, New: rep.Shown(), Seconds: rep.Seconds, Exit: rep.Exit})
	if err == nil && endErr != nil {
		err = fmt.Errorf("--out jsonl: %w", endErr)
	}
	if result.Count(rep.Results, result.Interrupted) > 0 {
		s.suggestResume()
	}
	if err == nil && rep.Exit != exit.Pass {
		err = exit.Silent(rep.Exit)
	}
	return err
}

// suggestResume names the file with which an interrupted run can be resumed.
func (s *session) suggestResume() {
	file := s.resume
	for _, o := range s.outs {
		if o.IsEvents() && file == "" {
			file = o.File
		}
	}
	if file != "" && !s.watching {
		fmt.Fprintf(s.env.Stderr, "roclua: the same command with --resume %s runs what is missing\n", file)
	}
}

func allPlain(cases []*plan.Case) bool {
	return !slices.ContainsFunc(cases, func(c *plan.Case) bool { return !c.Definition.Declared.Plain })
}
