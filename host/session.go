package host

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roclua/host/config"
	"roclua/host/events"
	"roclua/host/output"
	"roclua/host/plan"
	"roclua/host/progress"
	"roclua/host/result"
	"roclua/host/watch"
	"roclua/internal/escape"
)

// session is one invocation of run.
type session struct {
	options    *runOptions
	cmd        *cobra.Command
	env        Env
	names      []string // configurations, scripts, names of scenarios, ids of cases
	scriptArgs []string // arguments after --
	outs       []output.Output
	color      bool
	store      result.Store // the records of the cases that have ended
	planned    *plan.Plan   // last plan without an error
	part       *events.Part // part of the plan that runs; nil for all
	profiles   *profiles    // nil for none
	began      bool         // cases have run, or may have
}

// once plans, runs and reports.
func (s *session) once() error {
	p, err := s.plan()
	if err != nil {
		return err
	}
	if s.options.rerunFailed {
		if p, err = s.failedCases().Select(p); err != nil {
			return err
		}
		s.planned = p
	}
	if p.Len() == 0 {
		return s.options.selection.NothingSelected(p)
	}
	cfg := p.Config
	warn(s.env, cfg.Warnings())
	if s.part != nil {
		cases, err := s.shardCases(p)
		if err == nil {
			_, err = s.runCases(cfg, cases, nil)
		}
		return err
	}
	if err := p.CheckCount(); err != nil {
		return err
	}
	warn(s.env, plan.StrayResults(p.Cases))
	if s.isWhole(p.Cases) {
		warn(s.env, plan.UnusedExceptions(cfg, p.Cases))
	}
	_, err = s.runCases(cfg, p.Cases, nil)
	return err
}

// warn writes warnings to standard error.
func warn(env Env, warnings []string) {
	for _, text := range warnings {
		fmt.Fprintf(env.Stderr, "roclua: warning: %s\n", escape.Text(text))
	}
}

// watch runs all cases, and then after each change of a file those that it affects.
func (s *session) watch() error {
	if err := s.checkWatch(); err != nil {
		return err
	}
	loop := &watch.Loop{Names: s.names, Stderr: escape.Plain(s.env.Stderr), Quiet: s.options.quiet,
		Execute: s.rerunCases,
		Plan: func() (*config.Config, []*plan.Case, error) {
			p, err := s.plan()
			if err == nil && p.Len() == 0 {
				err = s.options.selection.NothingSelected(p)
			}
			if err != nil {
				return nil, nil, err
			}
			cases, err := p.All()
			return p.Config, cases, err
		}}
	return loop.Run(s.cmd.Context())
}

// checkWatch reports an error for arguments and flags that cannot be combined with --watch.
func (s *session) checkWatch() error {
	if slices.Contains(s.names, "-") {
		return fmt.Errorf("--watch: a script from standard input has no file to watch; save it and name the file")
	}
	for _, other := range []struct{ flag, why string }{
		{"update", "each change would become the new baseline; update in a separate run"},
		{"rerun-failed", "--watch chooses the cases to run again"},
		{"resume", "--watch starts with a whole run"},
		{"luaprofile", "a profile is of one run"},
		{"cpuprofile", "a profile is of one run"},
		{"memprofile", "a profile is of one run"},
	} {
		if s.cmd.Flags().Changed(other.flag) {
			return fmt.Errorf("--watch cannot be combined with --%s: %s", other.flag, other.why)
		}
	}
	return nil
}

// plan lists the cases that the command line selects.
func (s *session) plan() (*plan.Plan, error) {
	in := s.env.planInput(s.cmd)
	in.Args = s.scriptArgs
	p, err := s.options.selection.Plan(s.cmd.Context(), in, s.names)
	if err != nil {
		return nil, err
	}
	p.Whole = s.selectsAll(p.Config)
	s.planned = p
	return p, nil
}

func (s *session) failedCases() events.FailedCases {
	return events.OpenFailedCases(s.env.files(), cacheFolder(s.env))
}

// rerunCases runs the cases of the last plan without an error that have no kept result, by id, as runCases does.
func (s *session) rerunCases(cfg *config.Config, cases []*plan.Case, kept map[string]*result.Result) ([]*result.Result,
	error) {
	list := make([]*result.Result, len(cases))
	for i, c := range cases {
		list[i] = kept[c.ID]
	}
	return s.runCases(cfg, s.planned.Cases, list)
}

// runCases runs the cases that have no kept result, and reports. It returns the results of all cases, nil when the run
// could not begin.
func (s *session) runCases(cfg *config.Config, cases *plan.Cases, kept []*result.Result) ([]*result.Result, error) {
	b := &batch{session: s, config: cfg, cases: cases, kept: kept, plain: allPlain(cases)}
	if err := b.open(); err != nil {
		return nil, err
	}
	s.began = true
	b.report.Results = b.execute()
	return b.report.Results, b.finish()
}

// needsHistory reports whether an output shows the history of cases.
func (s *session) needsHistory() bool { return slices.ContainsFunc(s.outs, output.Output.NeedsHistory) }

// isWhole reports whether a run has all cases of its configuration, so that a case of a baseline that is missing no
// longer exists.
func (s *session) isWhole(cases *plan.Cases) bool {
	return s.planned.Whole && s.part == nil && !s.options.rerunFailed && plan.LoadErrors(cases) == nil
}

// selectsAll reports whether the command selects all cases of its configurations, on the targets of the files.
func (s *session) selectsAll(cfg *config.Config) bool {
	return !s.options.selection.IsPartial() && !cfg.TargetsOverridden() && !slices.ContainsFunc(s.names,
		func(name string) bool { return filepath.Ext(name) != ".toml" })
}

// scriptOutput returns where plain scripts print: on standard output, but on standard error when --out writes a
// document to standard output. A terminal gets no control characters.
func (s *session) scriptOutput() io.Writer {
	if slices.ContainsFunc(s.outs, output.Output.IsDocument) {
		return live(s.env.Stderr, s.env.StderrIsTerminal)
	}
	return live(s.env.Stdout, s.env.StdoutIsTerminal)
}

// writesStdout reports whether a report or a script writes to standard output.
func (s *session) writesStdout() bool {
	return slices.ContainsFunc(s.outs, func(o output.Output) bool { return o.File == "" && !o.Stderr })
}

// writesSummary reports whether the summary of a step of GitHub Actions is written.
func (s *session) writesSummary() bool {
	return slices.ContainsFunc(s.outs, func(o output.Output) bool { return o.Format == "github" })
}

// hasOtherOutputs reports whether the run writes files, which are written also when nothing reads standard output.
func (s *session) hasOtherOutputs() bool {
	return s.options.update || s.options.resume != "" ||
		slices.ContainsFunc(s.outs, func(o output.Output) bool { return o.File != "" })
}

// newProgress returns the progress of cases on standard error. When results are written line by line to the same
// terminal, it is quiet, because the results would interrupt a redrawn line.
func (s *session) newProgress(cases plan.Sequence, jobs int, plain bool) *progress.Progress {
	streams := plain || slices.ContainsFunc(s.outs, func(o output.Output) bool { return o.IsEvents() && o.File == "" })
	color, _ := useColor(s.options.color, s.env.StderrIsTerminal, s.env)
	return progress.New(progress.Options{Out: s.env.Stderr, Now: s.env.Now, Width: s.env.StderrWidth, Color: color,
		Verbose: s.options.verbose, Quiet: s.options.quiet || plain || streams && s.env.StdoutIsTerminal,
		Live: s.env.StderrIsTerminal && s.env.Getenv("CI") == "" && s.env.Getenv("TERM") != "dumb"}, cases, jobs)
}

// observe shows the progress until the returned function is called once.
func (s *session) observe(p *progress.Progress) (stop func()) {
	p.Start()
	said := make(chan struct{})
	forget := context.AfterFunc(s.cmd.Context(), func() {
		defer close(said)
		p.Interrupted()
	})
	return func() {
		if !forget() {
			<-said
		}
		p.Stop()
	}
}

// printEarlierLogs prints the output of the plain scripts that an earlier run finished.
func (b *batch) printEarlierLogs(w io.Writer) error {
	var positions []int
	for i := range b.kept {
		if b.isKept(i) {
			positions = append(positions, i)
		}
	}
	slices.SortStableFunc(positions, func(i, j int) int { return strings.Compare(b.cases.ID(i), b.cases.ID(j)) })
	for _, i := range positions {
		full, err := b.session.store.FullAt(b.kept[i], i)
		if err != nil {
			return err
		}
		io.WriteString(w, full.Record.Log)
	}
	return nil
}

func allPlain(cases *plan.Cases) bool {
	return !slices.ContainsFunc(cases.Scenarios(), func(sc *plan.Scenario) bool { return !sc.Declared.Plain })
}
