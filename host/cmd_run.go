package host

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

const defaultConfigFile = "config.toml"

// runOptions are the flags of run that are not settings of the configuration.
type runOptions struct {
	selection
	out     []string
	color   string
	quiet   bool
	verbose bool
}

func newRun(env Env) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [CONFIG.toml | SCRIPT.lua | NAME | ID | -]...",
		Short: "Run a configuration, scripts, scenarios by name, or a script from standard input",
		Long: `run executes cases and reports them: results on standard output, progress on standard error.

Without arguments it runs ./config.toml. A .lua file runs on the default target, a NAME is a scenario of ./config.toml, an ID
one of its cases as reports call it, and - reads a script from standard input. What stands behind -- is handed to scripts in the table arg.`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args, env) },
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return completeScenarios(cmd.Context()), cobra.ShellCompDirectiveDefault
		},
	}
	flags := cmd.Flags()
	addOverrides(flags)
	o.selection.addFlags(flags)
	flags.StringArrayVar(&o.out, "out", nil, "write the report as FORMAT[=FILE]: "+strings.Join(formatNames(), ", ")+" (repeatable)")
	flags.StringVar(&o.color, "color", "auto", "auto, always or never")
	flags.BoolVar(&o.quiet, "quiet", false, "no progress")
	flags.BoolVar(&o.verbose, "verbose", false, "show the log of passed cases too")
	return cmd
}

func (o *runOptions) run(cmd *cobra.Command, args []string, env Env) error {
	outs, err := parseOutputs(o.out)
	if err != nil {
		return err
	}
	if env.Getenv("GITHUB_ACTIONS") == "true" && !slices.ContainsFunc(outs, func(o output) bool { return o.format == "github" }) {
		outs = append(outs, output{format: "github", stderr: true})
	}
	color, err := useColor(o.color, env)
	if err != nil {
		return err
	}
	names, scriptArgs := args, []string(nil)
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		names, scriptArgs = args[:n], args[n:]
	}
	cfg, cases, err := o.plan(cmd, names, env)
	if err != nil {
		return err
	}
	if len(cases) == 0 {
		return withExit(ExitNothing, fmt.Errorf("no case is selected%s", o.describe()))
	}
	r := &runner{cfg: cfg, jobs: cfg.Jobs, args: scriptArgs, history: slices.ContainsFunc(outs, output.showsHistory)}
	if r.jobs == 0 {
		r.jobs = defaultJobs(cfg, env)
	}
	plain := allPlain(cases)
	if plain {
		r.output = env.Stdout
	}
	p := newProgress(env, o.quiet || plain, len(cases))
	started, argv := env.Now(), append([]string{"roclua"}, env.Args...)
	events, err := openEvents(outs, env.Stdout, time.Duration(cfg.Limits.Timeout))
	if err != nil {
		return err
	}
	for _, e := range events {
		e.begin(len(cases), started, argv)
	}
	r.finished = func(res *result) {
		for _, e := range events {
			e.finished(res)
		}
		p.finished(res)
	}
	results := r.run(cmd.Context(), cases)
	p.end()
	checks, err := overall(cfg, results)
	if err != nil {
		return err
	}
	rep := &report{argv: argv, summaryFile: env.Getenv("GITHUB_STEP_SUMMARY"), cfg: cfg, results: results, overall: checks, exit: exitCode(results, checks), started: started,
		seconds: env.Now().Sub(started).Seconds(), color: color, verbose: o.verbose}
	err = o.report(rep, outs, plain, env)
	for _, e := range events {
		if failed := e.end(rep); failed != nil && (err == nil || exitOf(err) == ExitFailed) {
			err = failed
		}
	}
	return err
}

// defaultJobs is one case for each processor; on a real device cases share its memory, and run one after the other.
func defaultJobs(cfg *Config, env Env) int {
	if slices.ContainsFunc(cfg.Targets, Target.isReal) {
		return 1
	}
	return env.CPUs
}

// report writes the outputs. Plain scripts have printed what they print; only what went wrong is left to say.
func (o *runOptions) report(rep *report, outs []output, plain bool, env Env) error {
	if plain && len(o.out) == 0 {
		outs = nil
		var b strings.Builder
		for _, c := range rep.results {
			c.record.Log = ""
			rep.explain(&b, c)
		}
		io.WriteString(env.Stderr, strings.TrimLeft(b.String(), "\n"))
	}
	if err := rep.write(outs, env); err != nil {
		return err
	}
	if rep.exit != ExitPass {
		return &exitError{rep.exit, silent{}}
	}
	return nil
}

func allPlain(cases []*plannedCase) bool {
	return !slices.ContainsFunc(cases, func(c *plannedCase) bool { return !c.scenario.declared.Plain })
}

func useColor(mode string, env Env) (bool, error) {
	switch mode {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return env.StdoutIsTerminal && env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb", nil
	}
	return false, fmt.Errorf("--color %s: want auto, always or never", mode)
}

// completeScenarios offers the names of ./config.toml to the shell; whatever goes wrong offers nothing.
func completeScenarios(ctx context.Context) []string {
	cfg, err := loadConfig(defaultConfigFile)
	if err != nil {
		return nil
	}
	scenarios, err := loadScenarios(ctx, cfg)
	if err != nil {
		return nil
	}
	return names(scenarios)
}
