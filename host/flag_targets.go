package host

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roclua/hip/arch"
	"roclua/host/config"
	"roclua/host/run"
	"roclua/workspace"
)

// targetFlags are the flags that name releases, architectures and tuning files.
type targetFlags struct {
	profiles, archs []string
	tuning          string
}

// add adds the flags. compared is what the help says about several releases or architectures; it may be empty.
func (t *targetFlags) add(flags *pflag.FlagSet, compared string) {
	flags.StringSliceVar(&t.profiles, "profile", []string{workspace.DefaultProfileOf(config.Simulated)},
		"library releases, separated by commas"+compared)
	flags.StringSliceVar(&t.archs, "arch", []string{arch.Default().Name},
		"architectures, separated by commas"+compared)
	addTuning(flags, &t.tuning)
}

// given returns the releases and the architectures that the command line names, or nil.
func (t *targetFlags) given(cmd *cobra.Command) (profiles, archs []string) {
	if cmd.Flags().Changed("profile") {
		profiles = t.profiles
	}
	if cmd.Flags().Changed("arch") {
		archs = t.archs
	}
	return profiles, archs
}

// warn warns of architectures that are not in the table of architectures.
func (t *targetFlags) warn(env Env) {
	for _, name := range t.archs {
		name = strings.TrimSpace(name)
		if text := config.UnknownArch(name); text != "" && config.CheckArch(name) == nil {
			run.Warn(env.Stderr, []string{text})
		}
	}
}

// addTuning adds the flag that names tuning files.
func addTuning(flags *pflag.FlagSet, value *string) {
	flags.StringVar(value, "tuning", "",
		"tuning files of rocBLAS: a `PATH` of a folder or a pack, or installed; RELEASE=PATH,... for several releases")
}
