package host

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roclua/internal/nearest"
)

// seeHelp ends the message about a wrong command line.
func seeHelp(cmd *cobra.Command) string { return fmt.Sprintf(" (see %s --help)", cmd.CommandPath()) }

// noArguments is the check of the arguments of a command that takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments, got %q%s", cmd.Name(), args[0], seeHelp(cmd))
}

// atMostOne returns the check of the arguments of a command that takes one or none, which is what the message calls it.
func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= 1 {
			return nil
		}
		return fmt.Errorf("%s takes one %s, got %d%s", cmd.Name(), what, len(args), seeHelp(cmd))
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

// removed says what to use in place of flags of earlier versions.
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

// valueText says what is wrong with the value of a flag.
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
