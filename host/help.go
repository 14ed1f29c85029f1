package host

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roclua/host/listing"
	"roclua/host/plan"
	"roclua/host/result"
	"roclua/internal/nearest"
)

// helpWithScripts adds to the help of a command the declarations of the scripts among its arguments:
// roclua run solve.lua --help.
func helpWithScripts(cmd *cobra.Command, env Env) {
	usual := cmd.HelpFunc()
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		usual(cmd, args)
		out := env.escaped(false)
		writeScripts(out, cmd, env, cmd.Flags().Args())
		out.Flush()
	})
}

// writeScripts writes the subject of each scenario, its schemes and parameters. An argument that cannot be read is
// described by its error.
func writeScripts(w io.Writer, cmd *cobra.Command, env Env, names []string) {
	in := env.planInput(cmd)
	in.NoRun = true
	var s plan.Selection
	for _, name := range names {
		p, err := s.Plan(cmd.Context(), in, []string{name})
		if err != nil {
			fmt.Fprintf(w, "\n%s: %s\n", name, err)
			continue
		}
		for _, sc := range listing.ScenariosOf(p.Cases) {
			writeScript(w, sc)
		}
	}
}

func writeScript(w io.Writer, sc *listing.Scenario) {
	d := sc.Declared
	switch {
	case sc.Broken != nil:
		fmt.Fprintf(w, "\n%s cannot be loaded: %s\n", sc.Name, sc.Broken)
		return
	case d.Plain:
		fmt.Fprintf(w, "\n%s is a plain script: it has no parameters; arguments after -- are in its table arg\n",
			sc.Name)
		return
	case d.About != "":
		fmt.Fprintf(w, "\n%s: %s\n", sc.Name, d.About)
	default:
		fmt.Fprintf(w, "\n%s\n", sc.Name)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if schemes := listing.Schemes(d); schemes != "" {
		fmt.Fprintf(t, "  schemes\t%s\n", schemes)
	}
	if tags := sc.Tags(); tags != nil {
		fmt.Fprintf(t, "  tags\t%s\n", strings.Join(tags, ", "))
	}
	t.Flush()
	if len(d.Params) == 0 {
		return
	}
	fmt.Fprintf(w, "  parameters, for --axis %s=VALUES and --set params.%[1]s=VALUE\n", d.Params[0].Name)
	for _, p := range d.Params {
		fmt.Fprintf(t, "    %s\t%s\t(%s)\n", p.Name, result.FormatValue(p.Value), plan.KindOf(p.Value))
	}
	t.Flush()
}

// seeHelp ends the message about a wrong command line.
func seeHelp(cmd *cobra.Command) string { return fmt.Sprintf(" (see %s --help)", cmd.CommandPath()) }

// noArguments is the check of the arguments of a command that takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments, got %q%s", cmd.Name(), args[0], seeHelp(cmd))
}

// needed returns the check of the arguments of a command that takes at least one. message is the error without any.
func needed(message string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return errors.New(message)
		}
		return nil
	}
}

// atMostOne returns the check of the arguments of a command that takes one or none; messages call it by the name.
func atMostOne(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= 1 {
			return nil
		}
		return fmt.Errorf("%s takes one %s, got %d%s", cmd.Name(), name, len(args), seeHelp(cmd))
	}
}

// unknownCommand returns the error for a name that is not one of the commands below cmd.
func unknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return fmt.Errorf("unknown command %q%s%s", name, nearest.DidYouMean(name, names), seeHelp(cmd))
}

// wrongFlag puts an error of the library that parses flags into the words of the program.
func wrongFlag(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%s%s", flagText(cmd, err), seeHelp(cmd))
}

// removed names the replacements of flags of earlier versions.
var removed = map[string]string{
	"--blas":       "Go computes on the cpu platform",
	"--cpuprofile": "perf record -g shows the functions of the program and its workers, --luaprofile those of scripts",
	"--memprofile": "GODEBUG=gctrace=1 shows the memory of the program, limits.heap bounds that of scripts",
	"--shard-by":   "the cases of a plan are dealt to its shards in turn",
}

func flagText(cmd *cobra.Command, err error) string {
	switch e := err.(type) {
	case *pflag.NotExistError:
		flag := "--" + e.GetSpecifiedName()
		if letters := e.GetSpecifiedShortnames(); letters != "" {
			flag = "-" + letters
		}
		if instead := removed[flag]; instead != "" {
			return flag + " was removed: " + instead
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return "unknown flag " + flag + nearest.DidYouMean(flag, names)
	case *pflag.ValueRequiredError:
		return "--" + e.GetFlag().Name + " needs a value"
	case *pflag.InvalidValueError:
		return fmt.Sprintf("--%s: %q %s", e.GetFlag().Name, e.GetValue(), valueText(e))
	}
	return err.Error()
}

// valueText describes the error in the value of a flag.
func valueText(e *pflag.InvalidValueError) string {
	switch kind := e.GetFlag().Value.Type(); {
	case errors.Is(e, strconv.ErrRange):
		return "is too large"
	case kind == "int":
		return "is not an integer"
	case kind == "uint64":
		return "is not an integer from 0"
	case kind == "bool":
		return "is not true or false"
	}
	return "cannot be used: " + e.Unwrap().Error()
}

// completeUsage makes the commands of the library for help and completion refuse arguments that name no command.
func completeUsage(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			show := cmd.Run
			cmd.Run = nil
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				if found, rest, err := root.Find(args); err == nil && len(rest) > 0 {
					return unknownCommand(found, rest[0])
				}
				show(cmd, args)
				return nil
			}
		case "completion":
			cmd.Args = cobra.ArbitraryArgs // RunE refuses them
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return unknownCommand(cmd, args[0])
				}
				return cmd.Help()
			}
			for _, shell := range cmd.Commands() {
				shell.Args = noArguments
			}
		}
	}
}
