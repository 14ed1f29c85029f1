package host

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/repl"
	"roclua/host/result"
	"roclua/host/topics"
	"roclua/internal/escape"
	"roclua/luabind/record"
	"roclua/workspace"
)

func newRepl(env Env) *cobra.Command {
	var set []string
	var scheme string
	cmd := &cobra.Command{
		Use:   "repl",
		Short: "Evaluate Lua line by line on a device, with the modules loaded and a handle open",
		Long: `repl evaluates entries: an expression shows its value, a statement runs, and an incomplete entry
continues on the next line. The modules rocblas, rocsolver, hip and array are loaded, and handle is
open under the scheme. Commands start with a colon; :help lists them.

Without a terminal it reads standard input like a script, shows the values, and continues after an
error. Its exit code is that of the most severe error.`,
		Args: noArguments,
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
	config.AddFlags(flags, "platform", "profile", "arch", "devices", "device-memory", "time", "seed", "timeout", "blas",
		"sandbox")
	flags.StringArrayVar(&set, "set", nil, "set a key of the configuration, KEY=VALUE (repeatable)")
	flags.StringVar(&scheme, "scheme", workspace.SchemeManaged, "scheme of handle; none opens no handle")
	return cmd
}

// replSettings returns the settings of a session. An entry has a time limit only when limits.timeout is set.
func replSettings(cfg *config.Config, scheme string) (repl.Settings, error) {
	if len(cfg.Targets) != 1 {
		return repl.Settings{}, fmt.Errorf("repl needs one target, got %d: name one platform, one profile and one arch",
			len(cfg.Targets))
	}
	t := cfg.Targets[0]
	profile, err := workspace.FindProfile(t.Profile)
	if err != nil {
		return repl.Settings{}, err
	}
	if scheme, err = repl.ParseScheme(profile, scheme); err != nil {
		return repl.Settings{}, fmt.Errorf("--scheme: %w", err)
	}
	devices := t.DriverConfig()
	devices.Unchecked, devices.RealTime, devices.Time = !cfg.MemoryChecks, cfg.Time == config.TimeReal, cfg.Device.Time
	settings := repl.Settings{Platform: t.Platform, Profile: profile, Devices: devices,
		Scheme: scheme, Seed: cfg.Seed, Env: cfg.Env, Library: plan.SearchPaths(cfg, ""), Sandbox: cfg.Sandbox}
	if cfg.Source("limits.timeout") != "" {
		settings.Limit = time.Duration(cfg.Limits.Timeout)
	}
	return settings, nil
}

// converse runs a session on a terminal or a pipe.
func converse(settings repl.Settings, env Env) error {
	frontend := repl.Frontend{Out: escape.Live(env.Stdout, env.StdoutIsTerminal),
		Err: escape.Live(env.Stderr, env.StderrIsTerminal), Version: version(), Name: "stdin",
		Interactive: env.StdinIsTerminal && env.StdoutIsTerminal,
		LookUp:      func(w io.Writer, name string) error { return topics.LookUp(w, name) }}
	if frontend.Interactive {
		frontend.Name = "repl"
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, endings()...)
	defer signal.Stop(signals)
	s, err := repl.New(settings, frontend)
	if err != nil {
		return exit.With(exit.Unavailable, err)
	}
	if !frontend.Interactive {
		return exitOfRecords(repl.Converse(s, repl.Plain(env.Stdin), signals))
	}
	editor := repl.NewEditor(s, cacheFile(env, "history"))
	defer editor.Close()
	return exitOfRecords(repl.Converse(s, editor, signals))
}

// exitOfRecords returns the exit code of the most severe error. The errors have been reported.
func exitOfRecords(records []*record.Record) error {
	var results []*result.Result
	for _, record := range records {
		results = append(results, &result.Result{Case: &result.Case{}, Record: record})
	}
	if code := result.ExitCode(results, nil, nil); code != exit.Pass {
		return exit.Silent(code)
	}
	return nil
}
