package host

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roclua/hip/routine"
)

const defaultConfigFile = "config.toml"

// runOptions are the flags of run that are not settings of the configuration.
type runOptions struct {
	filter  string
	set     []string
	out     []string
	color   string
	quiet   bool
	verbose bool
}

func newRun(env Env) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [CONFIG.toml | SCRIPT.lua | NAME | -]...",
		Short: "Run a configuration, scripts, scenarios by name, or a script from standard input",
		Long: `run executes cases and reports them: results on standard output, progress on standard error.

Without arguments it runs ./config.toml. A .lua file runs on the default target, a NAME is a scenario of ./config.toml,
and - reads a script from standard input. What stands behind -- is handed to scripts in the table arg.`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args, env) },
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return completeScenarios(cmd.Context()), cobra.ShellCompDirectiveDefault
		},
	}
	flags := cmd.Flags()
	addOverrides(flags)
	flags.StringVar(&o.filter, "filter", "", "run only the cases whose id matches this regular expression")
	flags.StringArrayVar(&o.set, "set", nil, "set a key of the configuration, KEY=VALUE (repeatable)")
	flags.StringArrayVar(&o.out, "out", nil, "write the report as text, json or junit, to FORMAT[=FILE] (repeatable)")
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
		return withExit(ExitNothing, fmt.Errorf("no case is selected%s", o.selection()))
	}
	r := &runner{cfg: cfg, jobs: cfg.Jobs, args: scriptArgs}
	if r.jobs == 0 {
		r.jobs = defaultJobs(cfg, env)
	}
	plain := allPlain(cases)
	if plain {
		r.output = env.Stdout
	}
	p := newProgress(env, o.quiet || plain, len(cases))
	r.finished = p.finished
	started := env.Now()
	results := r.run(cmd.Context(), cases)
	p.end()
	rep := &report{argv: append([]string{"roclua", "run"}, args...), cfg: cfg, results: results, exit: exitCode(results), started: started,
		seconds: env.Now().Sub(started).Seconds(), color: color, verbose: o.verbose}
	return o.report(rep, outs, plain, env)
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
	if err := rep.write(outs, env.Stdout); err != nil {
		return err
	}
	if rep.exit != ExitPass {
		return &exitError{rep.exit, silent{}}
	}
	return nil
}

func (o *runOptions) selection() string {
	if o.filter != "" {
		return fmt.Sprintf(": no case id matches --filter %q", o.filter)
	}
	return ": the configuration names no scenario"
}

func allPlain(cases []*plannedCase) bool {
	return !slices.ContainsFunc(cases, func(c *plannedCase) bool { return !c.scenario.declared.Plain })
}

// plan reads what the arguments name and lists its cases.
func (o *runOptions) plan(cmd *cobra.Command, args []string, env Env) (*Config, []*plannedCase, error) {
	if len(args) == 0 {
		args = []string{defaultConfigFile}
	}
	var all *Config
	var cases []*plannedCase
	for _, arg := range args {
		cfg, scenarios, err := o.load(cmd, arg, env)
		if err != nil {
			return nil, nil, err
		}
		list, err := planCases(cfg, scenarios)
		if err != nil {
			return nil, nil, err
		}
		cases = append(cases, list...)
		if all == nil {
			all = cfg
		} else {
			all.Scenarios = append(all.Scenarios, cfg.Scenarios...)
		}
	}
	if o.filter != "" {
		var err error
		if cases, err = filterCases(cases, o.filter); err != nil {
			return nil, nil, err
		}
	}
	return all, cases, nil
}

// load turns one argument into a configuration and its scenarios.
func (o *runOptions) load(cmd *cobra.Command, arg string, env Env) (*Config, []*scenario, error) {
	switch {
	case arg == "-":
		source, err := io.ReadAll(env.Stdin)
		if err != nil {
			return nil, nil, fmt.Errorf("cannot read standard input: %w", err)
		}
		return o.loadScript(cmd, "stdin", ".", source, env)
	case filepath.Ext(arg) == ".lua":
		return o.loadScript(cmd, arg, filepath.Dir(arg), nil, env)
	case filepath.Ext(arg) == ".toml":
		return o.loadFile(cmd, arg, env)
	}
	cfg, scenarios, err := o.loadFile(cmd, defaultConfigFile, env)
	if err != nil {
		return nil, nil, fmt.Errorf("%q is no .toml or .lua file, so it names a scenario: %w", arg, err)
	}
	found := slices.DeleteFunc(slices.Clone(scenarios), func(s *scenario) bool { return s.name != arg })
	if len(found) == 0 {
		return nil, nil, withExit(ExitNothing, fmt.Errorf("%s has no scenario %q%s (see roclua list)", defaultConfigFile, arg, routine.DidYouMean(arg, names(scenarios))))
	}
	return cfg, found, nil
}

func (o *runOptions) loadFile(cmd *cobra.Command, path string, env Env) (*Config, []*scenario, error) {
	cfg, err := loadConfig(path)
	if err != nil {
		return nil, nil, err
	}
	if err := o.settle(cfg, cmd, env); err != nil {
		return nil, nil, err
	}
	scenarios, err := loadScenarios(cmd.Context(), cfg)
	return cfg, scenarios, err
}

func (o *runOptions) loadScript(cmd *cobra.Command, path, folder string, source []byte, env Env) (*Config, []*scenario, error) {
	cfg := DefaultConfig()
	cfg.folder = "."
	cfg.complete()
	if err := o.settle(&cfg, cmd, env); err != nil {
		return nil, nil, err
	}
	sc, err := loadScenario(cmd.Context(), path, strings.TrimSuffix(filepath.Base(path), ".lua"), source)
	if err != nil {
		return nil, nil, err
	}
	sc.settings = ScenarioSettings{Script: path, Params: cfg.Params}
	sc.searchPaths = []string{folder}
	return &cfg, []*scenario{sc}, nil
}

// settle applies everything that comes after the file, and checks the whole.
func (o *runOptions) settle(cfg *Config, cmd *cobra.Command, env Env) error {
	if err := applyEnvironment(cfg, env.Getenv); err != nil {
		return err
	}
	for _, s := range o.set {
		if err := cfg.set(s); err != nil {
			return err
		}
	}
	if err := applyFlags(cfg, cmd.Flags()); err != nil {
		return err
	}
	if err := cfg.validate(); err != nil {
		return err
	}
	return cfg.resolve()
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

func didYouMeanFormat(name string) string {
	return routine.DidYouMean(name, []string{"json", "junit", "text"})
}
