package run

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"roclua/host/events"
	"roclua/host/output"
	"roclua/host/plan"
	"roclua/host/progress"
	"roclua/host/report"
	"roclua/host/result"
	"roclua/host/worker"
	"roclua/internal/atomicfile"
	"roclua/internal/escape"
	"roclua/luabind/record"
)

// Session is one command that runs cases or merges results: its command line, its environment and its results. With
// --watch it has several runs.
type Session struct {
	Options
	Process
	Store result.Store // the records of the cases that have ended
	Began bool         // cases have run, or may have
}

// Options are the choices of the command line.
type Options struct {
	Version     string   // of the program
	Argv        []string // command line
	Again       string   // command line that runs the cases again that failed; "" for none
	Names       []string // configurations, scripts, names of scenarios, ids of cases
	Args        []string // arguments of scripts
	Outs        []output.Output
	NoOut       bool // the command line has no --out
	Color       bool // text on standard output is colored
	Quiet       bool
	Verbose     bool
	Slowest     int        // slowest cases that are listed
	Update      bool       // write the baselines
	Retries     int        // times that a failed case is tried again
	FailOnFlaky bool       // cases that pass after they had failed fail the run
	MaxFail     int        // failed cases after which no other begins; 0 for no bound
	RerunFailed bool       // only the cases that did not pass when they last ran
	Watching    bool       // there are several runs; cases do not share results
	Resume      string     // file of events; "" for none
	Part        plan.Shard // part of the plan that runs
	ProfileTo   string     // file of the profile of scripts; "" for none
	LuaProfile  func(*record.LuaProfile)
}

// SlowestOfLongRuns lists the slowest cases of long runs.
const SlowestOfLongRuns = report.SlowestOfLongRuns

// Process is where the program runs.
type Process struct {
	Stdout, Stderr   io.Writer
	StdoutFile       *os.File // the file that standard output writes; nil for none
	StdoutIsTerminal bool
	StderrIsTerminal bool
	StderrColor      bool
	StderrWidth      func() int
	StdoutWidth      int // 0 for no terminal
	Getenv           func(name string) string
	Now              func() time.Time
	CPUs             int
	System           atomicfile.System // where outputs are written
	Summary          string            // file for the summary of a step of GitHub Actions; "" elsewhere
	Cache            string            // the program's folder in the user's cache; "" for none
	Workers          *worker.Pool
	SurviveClosed    func() // lets the program continue when the reader of a stream ends
}

// Run runs the cases of a plan, or of the session's shard, and reports.
func (s *Session) Run(ctx context.Context, p *plan.Plan) error {
	s.warn(p.Config.Warnings())
	if p.Shard.IsWhole() {
		s.warn(plan.StrayResults(p.Cases))
	} else if !s.Quiet {
		fmt.Fprintf(s.Stderr, "roclua: %s: %d of %d cases\n", p.Shard, len(p.Cases), p.All)
	}
	_, err := s.do(ctx, p, s.resumed())
	return err
}

// Rerun runs the cases of a plan without a kept result, by id, and reports. It returns the results of all cases, nil
// when the run could not begin.
func (s *Session) Rerun(ctx context.Context, p *plan.Plan, cases []*plan.Case, results map[string]*result.Result,
) ([]*result.Result, error) {
	list := make(kept, len(cases))
	for i, c := range cases {
		list[i] = results[c.ID]
	}
	return s.do(ctx, p, list)
}

// do runs the cases that the source has no result of.
func (s *Session) do(ctx context.Context, p *plan.Plan, from source) ([]*result.Result, error) {
	r := &pipeline{Session: s, plan: p, config: p.Config, cases: p.Cases, source: from, plain: allPlain(p.Cases)}
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	s.Began = true
	r.execute(ctx)
	return r.report.Results, r.finish()
}

// LastRun returns the memory of the last run in the current folder.
func (s *Session) LastRun() events.LastRun { return events.OpenLastRun(s.System, s.Cache) }

func (s *Session) warn(warnings []string) { Warn(s.Stderr, warnings) }

// Warn writes warnings.
func Warn(w io.Writer, warnings []string) {
	for _, text := range warnings {
		fmt.Fprintf(w, "roclua: warning: %s\n", escape.Text(text))
	}
}

// isWhole reports whether a run has all cases of its configuration, so that a case of a baseline that is missing no
// longer exists.
func (s *Session) isWhole(p *plan.Plan, cases plan.List) bool {
	return p.Whole && s.Part.IsWhole() && !s.RerunFailed && plan.LoadErrors(cases) == nil
}

func allPlain(cases plan.List) bool {
	return !slices.ContainsFunc(cases.Scenarios(), func(sc *plan.Scenario) bool { return !sc.Declared.Plain })
}

func (s *Session) destination() output.Destination {
	return output.Destination{Stdout: s.Stdout, Stderr: s.Stderr, System: s.System, Summary: s.Summary,
		Width: s.StdoutWidth, Color: s.Color, Links: s.Color && s.StdoutIsTerminal}
}

func (s *Session) needsHistory() bool { return slices.ContainsFunc(s.Outs, output.Output.NeedsHistory) }

// scriptOutput returns where plain scripts print: on standard output, but on standard error when --out writes a
// document to standard output. A terminal gets no control characters.
func (s *Session) scriptOutput() io.Writer {
	if slices.ContainsFunc(s.Outs, output.Output.IsDocument) {
		return escape.Live(s.Stderr, s.StderrIsTerminal)
	}
	return escape.Live(s.Stdout, s.StdoutIsTerminal)
}

// newProgress returns the progress of cases on standard error. When results are written line by line to the same
// terminal, it is quiet, because the results would interrupt a redrawn line.
func (s *Session) newProgress(cases plan.List, jobs int, plain bool) *progress.Progress {
	streams := plain || slices.ContainsFunc(s.Outs, func(o output.Output) bool { return o.IsEvents() && o.File == "" })
	return progress.New(progress.Options{Out: s.Stderr, Now: s.Now, Width: s.StderrWidth, Color: s.StderrColor,
		Verbose: s.Verbose, Quiet: s.Quiet || plain || streams && s.StdoutIsTerminal,
		Live: s.StderrIsTerminal && s.Getenv("CI") == "" && s.Getenv("TERM") != "dumb"}, cases, jobs)
}

// observe shows the progress until the returned function is called once.
func observe(ctx context.Context, p *progress.Progress) (stop func()) {
	p.Start()
	said := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
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
