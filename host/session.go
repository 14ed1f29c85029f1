package host

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"roclua/host/exit"
	"roclua/host/output"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/host/run"
	"roclua/host/watch"
	"roclua/internal/escape"
)

// session is one invocation of run or merge: its command line, and the runs that follow from it.
type session struct {
	*run.Session
	options *runOptions
	cmd     *cobra.Command
	env     Env
}

// newSession reads the outputs and options of a session.
func newSession(o *runOptions, cmd *cobra.Command, env Env) (*session, error) {
	outs, err := o.out.parse(cmd)
	if err != nil {
		return nil, err
	}
	if env.Getenv("GITHUB_ACTIONS") == "true" && !slices.ContainsFunc(outs,
		func(o output.Output) bool { return o.Format == "github" }) {
		outs = append(outs, output.Output{Format: "github", Stderr: true})
	}
	if o.Color, err = useColor(o.color, env.StdoutIsTerminal, env); err != nil {
		return nil, err
	}
	o.Version, o.Argv = version(), append([]string{"roclua"}, env.Args...)
	o.Outs, o.NoOut = outs, len(o.out.list) == 0
	s := &session{&run.Session{Options: o.Options, Process: env.process(o.color)}, o, cmd, env}
	s.Again = s.againCommand(env.Args)
	return s, nil
}

// process describes the process to the runs of a session. color is --color.
func (e Env) process(color string) run.Process {
	p := run.Process{Stdout: e.Stdout, Stderr: e.Stderr, StdoutIsTerminal: e.StdoutIsTerminal,
		StderrIsTerminal: e.StderrIsTerminal, StderrWidth: e.StderrWidth, StdoutWidth: e.width(),
		Getenv: e.Getenv, Now: e.Now, CPUs: e.CPUs,
		System: e.files(), Summary: e.destination().Summary, Cache: cacheFolder(e), Workers: e.Workers,
		SurviveClosed: e.surviveClosedStreams}
	p.StderrColor, _ = useColor(color, e.StderrIsTerminal, e)
	if e.stdout != nil {
		p.StdoutFile = e.stdout.file()
	}
	return p
}

func (s *session) once() error {
	p, err := s.plan()
	if err != nil {
		return err
	}
	if s.RerunFailed {
		if p, err = s.LastRun().Select(p); err != nil {
			return err
		}
	}
	if p.All == 0 {
		return s.options.selection.NothingSelected(p)
	}
	return s.Run(s.cmd.Context(), p)
}

// plan lists the cases that the command line selects.
func (s *session) plan() (*plan.Plan, error) {
	in := s.env.planInput(s.cmd)
	in.Args = s.Args
	s.options.selection.Shard = s.Part
	p, err := s.options.selection.Plan(s.cmd.Context(), in, s.Names)
	if err != nil {
		return nil, err
	}
	// All cases of the configurations are selected, on the targets of the files.
	p.Whole = !s.options.selection.IsPartial() && !p.Config.TargetsOverridden() && !slices.ContainsFunc(s.Names,
		func(name string) bool { return filepath.Ext(name) != ".toml" })
	return p, nil
}

// watch runs all cases, and then after each change of a file those that it affects.
func (s *session) watch() error {
	if err := s.checkWatch(); err != nil {
		return err
	}
	var planned *plan.Plan // last plan without an error
	loop := &watch.Loop{Names: s.Names, Stderr: escape.Plain(s.Stderr), Quiet: s.Quiet,
		Execute: func(cases []*plan.Case, kept map[string]*result.Result) ([]*result.Result, error) {
			return s.Rerun(s.cmd.Context(), planned, cases, kept)
		},
		Plan: func() ([]*plan.Case, error) {
			p, err := s.plan()
			if err != nil {
				return nil, err
			}
			if planned = p; p.All == 0 {
				return nil, s.options.selection.NothingSelected(p)
			}
			return p.Cases, nil
		}}
	return loop.Run(s.cmd.Context())
}

// checkWatch reports an error for arguments and flags that cannot be combined with --watch.
func (s *session) checkWatch() error {
	if slices.Contains(s.Names, "-") {
		return fmt.Errorf("--watch: a script from standard input has no file to watch; save it and name the file")
	}
	return s.refuse("watch", []conflict{
		{"update", "each change would become the new baseline; update in a separate run"},
		{"rerun-failed", "--watch chooses the cases to run again"},
		{"resume", "--watch starts with a whole run"},
		{"luaprofile", "a profile is of one run"},
	})
}

// conflict is a flag that another one excludes.
type conflict struct{ flag, why string }

// refuse returns an error if the command line has one of the flags that another one excludes.
func (s *session) refuse(flag string, others []conflict) error {
	for _, other := range others {
		if s.cmd.Flags().Changed(other.flag) {
			return fmt.Errorf("--%s cannot be combined with --%s: %s", flag, other.flag, other.why)
		}
	}
	return nil
}

// checkShard reads --shard and reports flags that cannot be combined with it. It sets the part of the session.
func (s *session) checkShard() error {
	o := s.options
	if !s.cmd.Flags().Changed("shard") {
		return nil
	}
	if err := s.refuse("shard", []conflict{
		{"update", "a shard does not have all values; write the baselines with roclua merge --update"},
		{"rerun-failed", "each machine remembers other cases; resume the shard with --resume"},
		{"watch", "it divides one run"},
	}); err != nil {
		return err
	}
	var err error
	if s.Part, err = plan.ParseShard(o.shard); err != nil {
		return fmt.Errorf("--shard %w", err)
	}
	return nil
}

// errInterrupted is the cause of a context that a signal canceled.
var errInterrupted = fmt.Errorf("interrupted: %w", context.Canceled)

// untilInterrupted returns a context that the first SIGINT, SIGTERM or SIGHUP cancels, so that the running cases are
// torn down and reported. The second signal ends the program at once. atOnce restores the default handling of these
// signals, for a command without teardown.
func untilInterrupted() (ctx context.Context, atOnce, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals, stopped := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, endings()...)
	go func() {
		for range 2 {
			select {
			case <-signals:
			case <-stopped:
				return
			}
			if ctx.Err() != nil {
				os.Exit(int(exit.Interrupted))
			}
			cancel(errInterrupted)
		}
	}()
	// signal.Reset would lose a signal that has come and is not yet in the channel.
	atOnce = func() {
		signal.Stop(signals)
		context.AfterFunc(ctx, func() {
			if context.Cause(ctx) == errInterrupted {
				os.Exit(int(exit.Interrupted))
			}
		})
	}
	return ctx, atOnce, func() {
		signal.Stop(signals)
		close(stopped)
		cancel(nil)
	}
}
