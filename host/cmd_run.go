package host

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roclua/host/config"
	"roclua/host/plan"
	"roclua/host/profile"
	"roclua/host/run"
	"roclua/internal/atomicfile"
)

// runOptions are the flags of run that are not keys of the configuration.
type runOptions struct {
	run.Options
	selection plan.Selection
	out       outOptions
	color     string
	helpAll   bool
	shard     string
}

func newRun(env Env) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [CONFIG.toml | SCRIPT.lua | RECORDING | FOLDER | NAME | ID | -]...",
		Short: "Run a configuration, scripts, scenarios by name, or a script from standard input",
		Long: `run executes cases and reports them: results on standard output, progress on standard error.

Without arguments it runs ./config.toml. A .lua file, or a FOLDER of them, runs on the default
target; FILE.lua/NAME is one scenario of a file with several. The calls of a RECORDING, which roclua
record wrote, are made on the target: see roclua docs recording. Another NAME is a scenario of
./config.toml, or a folder of its scenarios such as query. An ID is one case, as reports name it, of
the files and folders, or of ./config.toml without them. - reads a script from standard input.
Arguments after -- are passed to scripts in the table arg.

With --help, run SCRIPT.lua shows the subject of the script and its parameters.`,
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, args, env) },
		ValidArgsFunction: completeScenarios(env),
	}
	helpWithScripts(cmd, env)
	flags := cmd.Flags()
	config.AddFlags(flags)
	o.selection.AddFlags(flags)
	o.out.add(cmd, "report")
	flags.StringVar(&o.color, "color", "auto", strings.Join(colorChoices, ", "))
	flags.BoolVar(&o.Quiet, "quiet", false, "no progress, and no known defects of schemes")
	flags.BoolVar(&o.Verbose, "verbose", false,
		"show a row for each scenario, the logs of passed cases, and each case when it ends")
	flags.IntVar(&o.Slowest, "durations", run.SlowestOfLongRuns,
		"show the `N` slowest cases; by default those of runs of 10 s or more")
	flags.Lookup("durations").DefValue = "0" // its usage says the default
	flags.IntVar(&o.MaxFail, "maxfail", 0, "stop after `N` failures")
	flags.BoolFuncP("exitfirst", "x", "the same as --maxfail 1", func(string) error {
		o.MaxFail = 1
		return nil
	})
	flags.IntVar(&o.Retries, "retries", 0,
		"retry a failed case up to `N` times, with the same seed")
	o.addFailOnFlaky(flags)
	flags.BoolVar(&o.helpAll, "help-all", false, "help with all flags")
	groupFlags(cmd, &o.helpAll)
	flags.BoolVar(&o.Update, "update", false, "write the measured values to the baselines")
	flags.BoolVar(&o.RerunFailed, "rerun-failed", false,
		"only the cases that failed or did not start in their last run")
	flags.BoolVar(&o.Watching, "watch", false,
		"watch files and rerun affected cases; ctrl-c ends with exit 0, during a run with 130")
	flags.StringVar(&o.Resume, "resume", "",
		"run the cases that `FILE` from --out jsonl lacks, and report all; with --shard the file need not exist yet")
	flags.StringVar(&o.shard, "shard", "", "run part `K/N` of the cases")
	flags.StringVar(&o.ProfileTo, "luaprofile", "",
		"profile the scripts' lines, and write the profile to `FILE` for go tool pprof")
	return cmd
}

// addFailOnFlaky adds a flag that run and merge have.
func (o *runOptions) addFailOnFlaky(flags *pflag.FlagSet) {
	flags.BoolVar(&o.FailOnFlaky, "fail-on-flaky", false, "a case that passes only when retried fails the run")
}

func (o *runOptions) run(cmd *cobra.Command, args []string, env Env) error {
	switch {
	case o.helpAll:
		return cmd.Help()
	case o.MaxFail < 0 || cmd.Flags().Changed("maxfail") && o.MaxFail == 0:
		return fmt.Errorf("--maxfail %d: want at least 1", o.MaxFail)
	case o.Retries < 0:
		return fmt.Errorf("--retries %d: want at least 0", o.Retries)
	case cmd.Flags().Changed("durations") && o.Slowest < 0:
		return fmt.Errorf("--durations %d: want at least 0", o.Slowest)
	}
	s, err := newSession(o, cmd, env)
	if err != nil {
		return err
	}
	defer s.Store.Close()
	s.Names = args
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		s.Names, s.Args = args[:n], args[n:]
	}
	if err := s.checkShard(); err != nil {
		return err
	}
	if o.Watching {
		return s.watch()
	}
	if o.ProfileTo == "" {
		return s.once()
	}
	var times profile.Lua
	s.LuaProfile, env.Workers.LuaProfile = times.Add, true
	err = s.once()
	if !s.Began {
		return err
	}
	written := atomicfile.Replace(env.files(), o.ProfileTo, times.Write)
	if written != nil {
		written = fmt.Errorf("--luaprofile: %w", written)
	}
	if failed := errors.Join(written, times.Table(env.Stderr)); failed != nil {
		err = errors.Join(err, failed)
	}
	return err
}

// The library would disable colors because of the environment, which --color=always overrides.
func init() { text.EnableColors() }

// colorChoices are the values of --color.
var colorChoices = []string{"auto", "always", "never"}

// useColor reports whether to color standard output or standard error; terminal says whether that is a terminal.
func useColor(mode string, terminal bool, env Env) (bool, error) {
	switch mode {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return terminal && env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb", nil
	}
	return false, fmt.Errorf("--color %s: want %s", mode, strings.Join(colorChoices, ", "))
}
