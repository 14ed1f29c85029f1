package host

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/repl"
	"roclua/host/result"
	"roclua/luabind"
	"roclua/workspace"
)

func newRepl(env Env) *cobra.Command {
	var set []string
	var scheme string
	cmd := &cobra.Command{
		Use:   "repl",
		Short: "Try Lua line by line on a device, with the modules loaded and a handle open",
		Long: `repl evaluates what is typed: an expression shows its value, a statement runs, and an entry that is not complete goes on in the
next line. The modules rocblas, rocsolver, hip and array are loaded, and handle is open under the scheme. Commands begin with
a colon; :help lists them.

Without a terminal it reads standard input like a script, shows the values, goes on after an error, and its exit code tells the
gravest of what went wrong.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg := config.New("")
			if err := cfg.Apply(config.Overrides{Getenv: env.Getenv, Set: set, Flags: cmd.Flags()}); err != nil {
				return err
			}
			settings, err := replSettings(cfg, scheme)
			if err != nil {
				return err
			}
			return converse(settings, env)
		},
	}
	flags := cmd.Flags()
	config.AddFlags(flags, "platform", "profile", "arch", "device-memory", "seed", "timeout", "blas", "sandbox")
	flags.StringArrayVar(&set, "set", nil, "set a key of the configuration, KEY=VALUE (repeatable)")
	flags.StringVar(&scheme, "scheme", workspace.SchemeManaged, "scheme that handle is opened under; none opens no handle")
	return cmd
}

// replSettings takes from a configuration what a session depends on. An entry has a time limit only when somebody set one.
func replSettings(cfg *config.Config, scheme string) (repl.Settings, error) {
	if len(cfg.Targets) != 1 {
		return repl.Settings{}, fmt.Errorf("repl runs on one target, and %d are named: one platform, one profile, one arch", len(cfg.Targets))
	}
	t := cfg.Targets[0]
	profile, err := workspace.FindProfile(t.Profile)
	if err != nil {
		return repl.Settings{}, err
	}
	if scheme, err = repl.ParseScheme(profile, scheme); err != nil {
		return repl.Settings{}, fmt.Errorf("--scheme: %w", err)
	}
	settings := repl.Settings{Platform: t.Platform, Profile: profile, Arch: t.Arch, DeviceMemory: uint64(t.DeviceMemory), BLAS: cfg.BLAS,
		Scheme: scheme, Seed: cfg.Seed, Env: cfg.Env, Library: plan.SearchPaths(cfg, ""), Sandbox: cfg.Sandbox}
	if cfg.Source("limits.timeout") != "" {
		settings.Limit = time.Duration(cfg.Limits.Timeout)
	}
	return settings, nil
}

// converse holds a session with a terminal or a pipe.
func converse(settings repl.Settings, env Env) error {
	around := repl.Frontend{Out: env.Stdout, Err: env.Stderr, Version: version(), Name: "stdin", Interactive: env.StdinIsTerminal && env.StdoutIsTerminal,
		LookUp: func(w io.Writer, name string) error { return lookUp(w, []string{name}) }}
	if around.Interactive {
		around.Name = "repl"
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	s, err := repl.New(settings, around)
	if err != nil {
		return exit.With(exit.Unavailable, err)
	}
	if !around.Interactive {
		return exitOfRecords(repl.Converse(s, repl.Plain(env.Stdin), signals))
	}
	editor := repl.NewEditor(s, cacheFile(env, "history"))
	defer editor.Close()
	return exitOfRecords(repl.Converse(s, editor, signals))
}

// exitOfRecords is the error of the most severe problem that went wrong; everything has been reported.
func exitOfRecords(records []*luabind.Record) error {
	var results []*result.Result
	for _, record := range records {
		results = append(results, &result.Result{Case: &result.Case{}, Record: record})
	}
	if code := result.ExitCode(results, nil, nil); code != exit.Pass {
		return exit.Silent(code)
	}
	return nil
}
