package host

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roclua/hip/arch"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/files"
	"roclua/host/gate"
	"roclua/host/output"
	"roclua/host/run"
	"roclua/workspace"
)

// targetFlags are the flags that name releases, architectures and tuning files.
type targetFlags struct {
	profiles, archs []string
	tuning          string
}

// add adds the flags. compared ends the help of several releases or architectures; it may be empty.
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

// fileFlags are the flags that say how files with calls are read.
type fileFlags struct {
	folders, categories []string
	strict              bool
}

func (f *fileFlags) add(flags *pflag.FlagSet) {
	f.addFolders(flags)
	flags.BoolVar(&f.strict, "strict", false, "refuse a file if a part of it cannot be read")
}

// addFolders adds the flags for a command that refuses files with parts that cannot be read.
func (f *fileFlags) addFolders(flags *pflag.FlagSet) {
	flags.StringArrayVarP(&f.folders, "include", "I", nil, "a `FOLDER` of files that definitions include (repeatable)")
	flags.StringSliceVar(&f.categories, "category", nil,
		"read only the tests of categories, separated by commas, such as quick,pre_checkin")
}

func (f *fileFlags) options() files.Options {
	return files.Options{Folders: f.folders, Categories: f.categories, Strict: f.strict}
}

// addTuning adds the flag that names tuning files.
func addTuning(flags *pflag.FlagSet, value *string) {
	flags.StringVar(value, "tuning", "",
		"rocBLAS tuning files: a `PATH` of a folder or a pack, or installed; RELEASE=PATH,... for several releases")
}

// gateOptions are the flags that compare releases, of roclua log and roclua plan.
type gateOptions struct {
	above string
	on    []string
}

func (o *gateOptions) add(flags *pflag.FlagSet) {
	flags.StringVar(&o.above, "fail-above", "",
		"exit with 3 if a call needs more than on the first --profile, by more than `BYTES or PERCENT`, such as 32MiB "+
			"or 10%")
	flags.StringSliceVar(&o.on, "fail-on", nil,
		"exit with 3 for a growth, a status or a known defect that the first --profile does not have: "+
			"growth,status,defect")
}

// limits reads the flags; nil if there are none. Tests in the formats of CI systems need limits. An empty flag is most
// likely a variable that is not set.
func (o *gateOptions) limits(flags *pflag.FlagSet, outs []output.Output) (*gate.Limits, error) {
	switch {
	case flags.Changed("fail-above") && o.above == "":
		return nil, errors.New(`--fail-above "": write a number of bytes or a percentage, such as 32MiB or 10%`)
	case flags.Changed("fail-on") && len(o.on) == 0:
		return nil, errors.New(`--fail-on "": want growth, status, defect`)
	}
	l, err := gate.Parse(o.above, o.on)
	if l != nil || err != nil {
		return l, err
	}
	for _, out := range outs {
		if out.Format == "junit" || out.Format == "tap" || out.Format == "github" {
			return nil, fmt.Errorf("--out %s needs --fail-above or --fail-on, which say what fails", out.Format)
		}
	}
	return nil, nil
}

func exitOf(g *gate.Gate) error {
	if g.Failed() {
		return exit.Silent(exit.Baseline)
	}
	return nil
}

// flagGroup is a part of the flags of run in its help.
type flagGroup struct {
	title string
	daily []string // in --help
	rare  []string // after them, in --help-all
}

var flagGroups = []flagGroup{
	{"Cases", []string{"filter", "tags", "rerun-failed"}, []string{"skip-tags", "axis", "repeat", "shard", "resume"}},
	{"Targets", []string{"platform", "profile", "arch"},
		[]string{"devices", "device-memory", "tuning", "blas", "time"}},
	{"Execution", []string{"jobs", "timeout", "exitfirst", "watch", "set"},
		[]string{"seed", "shuffle", "maxfail", "retries", "fail-on-flaky"}},
	{"Reports", []string{"out", "update", "quiet", "verbose"}, []string{"color", "durations", "luaprofile"}},
	{"Limits", nil,
		[]string{"limit-instructions", "limit-heap", "limit-output", "limit-device-memory", "limit-memory"}},
	{"Processes and checks", nil, []string{"isolation", "sandbox", "memory-checks", "kernels"}},
	{"Help", []string{"help", "help-all"}, nil},
}

// groupFlags writes the flags of the help in groups, with all also the rare ones.
func groupFlags(cmd *cobra.Command, all *bool) {
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		out := cmd.OutOrStderr()
		fmt.Fprintf(out, "Usage:\n  %s\n", cmd.UseLine())
		for _, g := range flagGroups {
			names := g.daily
			if *all {
				names = slices.Concat(names, g.rare)
			}
			if len(names) > 0 {
				fmt.Fprintf(out, "\n%s:\n%s", g.title, flagsOf(cmd, g.title, names).FlagUsages())
			}
		}
		return nil
	})
}

func flagsOf(cmd *cobra.Command, title string, names []string) *pflag.FlagSet {
	flags := pflag.NewFlagSet(title, pflag.ContinueOnError)
	flags.SortFlags = false
	for _, name := range names {
		flags.AddFlag(cmd.Flags().Lookup(name))
	}
	return flags
}
