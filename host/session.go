package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"roclua/host/config"
	"roclua/host/exit"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// session is one invocation of run.
type session struct {
	*runOptions
	cmd        *cobra.Command
	env        Env
	names      []string // what to run
	scriptArgs []string // what stands behind --
	outs       []output
	color      bool
	settled    map[string]*result // by id: results that stand, of cases that need not run
	results    []*result          // of all cases, when they have run
}

// once plans, runs and reports.
func (s *session) once() error {
	cfg, cases, err := s.plan(s.cmd, s.names, s.env)
	if err != nil {
		return err
	}
	if s.rerunFailed {
		if cases, err = onlyFailed(cases, s.env); err != nil {
			return err
		}
	}
	if len(cases) == 0 {
		return exit.With(exit.Nothing, fmt.Errorf("no case is selected%s", s.describe()))
	}
	if s.isWhole(cfg) {
		for _, idle := range idleExceptions(cfg, cases) {
			fmt.Fprintf(s.env.Stderr, "roclua: warning: %s\n", idle)
		}
	}
	return s.runCases(cfg, cases)
}

// argv is the command line.
func (s *session) argv() []string { return append([]string{"roclua"}, s.env.Args...) }

// runCases runs what was planned. Whatever output cannot be written, the others are.
func (s *session) runCases(cfg *config.Config, cases []*plannedCase) error {
	kept, err := s.openBaselines(cases)
	if err != nil {
		return err
	}
	began := s.env.Now()
	rep := &report{argv: s.argv(), summaryFile: s.env.Getenv("GITHUB_STEP_SUMMARY"), cfg: cfg, started: began,
		color: s.color, verbose: s.verbose, cpus: s.env.CPUs}
	events, err := s.openEvents(rep, cases, kept)
	if err != nil {
		return err
	}
	plain := allPlain(cases)
	if plain && s.resume != "" {
		s.printAgain()
	}
	rep.results = s.execute(rep, cases, events, kept, plain)
	s.results = rep.results
	if s.watching && len(s.settled) > 0 {
		rep.ran = slices.DeleteFunc(slices.Clone(rep.results), func(r *result) bool { return s.settled[r.id] != nil })
	}
	if rep.overall, err = overall(cfg, rep.results); err != nil {
		return err
	}
	if s.isWhole(cfg) {
		rep.gone = kept.gone(rep.results)
	}
	if s.update {
		if rep.updated, err = kept.update(rep.results, rep.gone); err != nil {
			return err
		}
		rep.gone = nil
	}
	rep.exit = exitCode(rep.results, rep.overall, rep.gone)
	rep.seconds = (events.before + s.env.Now().Sub(began)).Seconds()
	rememberFailed(rep.results, s.env)
	return s.report(rep, events, plain)
}

// openBaselines reads the baselines; an update that has none to write is a mistake.
func (s *session) openBaselines(cases []*plannedCase) (*book, error) {
	b, err := openBook(cases)
	if err == nil && s.update && len(b.files) == 0 {
		err = errors.New("--update: no baseline is configured; name a folder for them, such as baseline = \"baselines\" in the configuration or --set baseline=baselines")
	}
	return b, err
}

// execute runs the cases that are not settled and tells of each as it ends; it returns the results of all.
func (s *session) execute(rep *report, cases []*plannedCase, events *eventFiles, kept *book, plain bool) []*result {
	r := &runner{cfg: rep.cfg, jobs: cmp.Or(rep.cfg.Jobs, defaultJobs(rep.cfg, s.env)), args: s.scriptArgs,
		history: slices.ContainsFunc(s.outs, output.showsHistory)}
	if !s.update {
		r.book = kept
	}
	if plain {
		r.output = s.env.Stdout
	}
	todo := slices.DeleteFunc(slices.Clone(cases), func(c *plannedCase) bool { return s.settled[c.id] != nil })
	p := s.newProgress(todo, r.jobs, plain)
	r.began = p.began
	r.finished = func(res *result) {
		events.finished(res)
		p.finished(res)
	}
	p.begin()
	defer p.end()
	defer context.AfterFunc(s.cmd.Context(), p.interrupted)()
	ran := r.run(s.cmd.Context(), todo)
	results := make([]*result, len(cases))
	for i, c := range cases {
		if results[i] = s.settled[c.id]; results[i] == nil {
			results[i], ran = ran[0], ran[1:]
		}
	}
	return results
}

// defaultJobs is one case for each processor; on a real device cases share its memory, and run one after the other.
func defaultJobs(cfg *config.Config, env Env) int {
	if slices.ContainsFunc(cfg.Targets, config.Target.IsReal) {
		return 1
	}
	return env.CPUs
}

// isWhole reports whether a run is all of its configuration, so that a case it does not have is gone: nothing was filtered, and
// the targets are the file's.
func (s *session) isWhole(cfg *config.Config) bool {
	if s.filter != "" || s.tags != nil || s.skipTags != nil || s.axes != nil || s.rerunFailed || s.cmd.Context().Err() != nil {
		return false
	}
	for _, key := range []string{"platform", "profile", "arch"} {
		if cfg.Source(key) != "" {
			return false
		}
	}
	return !slices.ContainsFunc(s.names, func(name string) bool { return filepath.Ext(name) != ".toml" })
}

// report writes the outputs. Plain scripts have printed what they print; only what went wrong is left to say.
func (s *session) report(rep *report, events *eventFiles, plain bool) error {
	outs := s.outs
	if plain && len(s.out) == 0 {
		outs = nil
		var b strings.Builder
		for _, c := range rep.shown() {
			c.record.Log = ""
			rep.explain(&b, c)
		}
		io.WriteString(s.env.Stderr, strings.TrimLeft(b.String(), "\n"))
	}
	err := rep.write(outs, s.env)
	if failed := events.end(rep); err == nil {
		err = failed
	}
	if rep.count(interrupted) > 0 {
		s.tellHowToGoOn()
	}
	if err == nil && rep.exit != exit.Pass {
		err = exit.Silent(rep.exit)
	}
	return err
}

// tellHowToGoOn names the file by which an interrupted run can go on.
func (s *session) tellHowToGoOn() {
	file := s.resume
	for _, o := range s.outs {
		if o.format == "jsonl" && file == "" {
			file = o.file
		}
	}
	if file != "" && !s.watching {
		fmt.Fprintf(s.env.Stderr, "roclua: the same command with --resume %s runs what is missing\n", file)
	}
}

func allPlain(cases []*plannedCase) bool {
	return !slices.ContainsFunc(cases, func(c *plannedCase) bool { return !c.scenario.declared.Plain })
}
