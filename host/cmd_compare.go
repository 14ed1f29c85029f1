package host

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"roclua/host/compare"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/output"
	"roclua/host/plan"
	"roclua/host/run"
	"roclua/internal/atomicfile"
	"roclua/internal/escape"
	"roclua/internal/nearest"
	"roclua/workspace"
)

// compareOptions are the flags of compare.
type compareOptions struct {
	selection plan.Selection
	out       outOptions
	tolerance []string
	all       bool
}

func newCompare(env Env) *cobra.Command {
	var o compareOptions
	cmd := &cobra.Command{
		Use:   "compare A B [CONFIG.toml | SCRIPT.lua | NAME]...",
		Short: "Compare two result files, or a run under two profiles",
		Long: `compare reports the values that differ between A and B: SAME, MORE, LESS, CHANGED, NEW, GONE.

A and B are result files of run --out json=FILE or --out jsonl=FILE, or names of profiles. Profiles
run the cases that the other arguments name, by default those of ./config.toml. Cases are matched by
their ids without the parts of the target that differ, so several architectures are compared each with
itself.

Times are compared as the ratio of their medians over repeated cases, B to A, with its spread.
AMBIGUOUS means that the spread includes a ratio of 1, or that there are fewer than three
repetitions. Times do not affect the exit code: it is 3 when another value differs, 7 when nothing is
compared, otherwise 0.

--out html=FILE draws the memory of both runs over each other.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("compare needs two result files or two profiles%s", seeHelp(cmd))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args, env) },
	}
	flags := cmd.Flags()
	config.AddFlags(flags)
	o.selection.AddFlags(flags)
	o.out.add(cmd, "comparison")
	flags.StringArrayVar(&o.tolerance, "tolerance", nil,
		"how far a value may move, NAME=1e-12, NAME=10% or NAME=ignore (repeatable)")
	flags.BoolVar(&o.all, "all", false, "also show unchanged values")
	return cmd
}

func (o *compareOptions) run(cmd *cobra.Command, args []string, env Env) error {
	outs, err := o.out.parse(cmd)
	if err != nil {
		return err
	}
	tolerances, err := compare.ParseTolerances(o.tolerance)
	if err != nil {
		return err
	}
	files := atomicfile.NewFiles(env.files())
	for _, path := range args {
		files.Reads("the argument "+path, path)
	}
	if err := env.checkOutputs(files, outs); err != nil {
		return err
	}
	a, b, err := o.runs(cmd, args, env, slices.ContainsFunc(outs, output.Output.NeedsHistory))
	if err != nil {
		return err
	}
	for _, r := range []*compare.Run{a, b} {
		if r.Note != "" {
			fmt.Fprintln(env.Stderr, escape.Text(r.Note))
		}
	}
	c := compare.New(a, b, tolerances)
	c.Names, c.ShowAll = [2]string{args[0], args[1]}, o.all
	if len(c.Changes)+len(c.Times) == 0 {
		return exit.With(exit.Nothing, fmt.Errorf("nothing is compared: %s and %s have no case with values", args[0],
			args[1]))
	}
	if err := env.write(outs, c); err != nil {
		return err
	}
	if len(c.Differences()) > 0 {
		return exit.Silent(exit.Baseline)
	}
	return nil
}

// runs reads two files, or runs under two profiles, keeping histories if an output shows them.
func (o *compareOptions) runs(cmd *cobra.Command, args []string, env Env, history bool) (a, b *compare.Run, err error) {
	_, first := workspace.FindProfile(args[0])
	_, second := workspace.FindProfile(args[1])
	switch {
	case first == nil && second == nil:
		if a, err = o.execute(cmd, args[0], args[2:], env, history); err == nil {
			b, err = o.execute(cmd, args[1], args[2:], env, history)
		}
		return a, b, err
	case first == nil || second == nil:
		other := args[0]
		if first == nil {
			other = args[1]
		}
		hint := nearest.DidYouMean(other, config.Profiles())
		if _, missing := os.Stat(other); missing != nil && hint == "" {
			hint = fmt.Sprintf("; %v", cmp.Or(first, second))
		}
		return nil, nil, fmt.Errorf(
			"compare %s %s: only one of them is a profile; compare two profiles, or two result files%s",
			args[0], args[1], hint)
	case len(args) > 2:
		return nil, nil, fmt.Errorf("compare takes two result files; cases such as %q are run only for two profiles",
			args[2])
	}
	if a, err = readResults(args[0]); err != nil {
		return nil, nil, err
	}
	b, err = readResults(args[1])
	return a, b, err
}

// execute runs the selected cases under a profile.
func (o *compareOptions) execute(cmd *cobra.Command, profile string, names []string, env Env,
	history bool) (*compare.Run, error) {
	if err := cmd.Flags().Set("profile", profile); err != nil {
		return nil, err
	}
	p, err := o.selection.Plan(cmd.Context(), env.planInput(cmd), names)
	if err != nil {
		return nil, err
	}
	if len(p.Cases) == 0 {
		return nil, o.selection.NothingSelected(p)
	}
	if err := plan.LoadErrors(p.Cases); err != nil {
		return nil, err
	}
	r := &run.Runner{Config: p.Config, Jobs: run.DefaultJobs(p.Config, env.CPUs), Workers: env.Workers,
		History: history}
	results := r.Run(cmd.Context(), p.Cases)
	if cmd.Context().Err() != nil {
		return nil, exit.With(exit.Interrupted, errors.New("interrupted"))
	}
	return compare.FromResults(results), nil
}

// readResults reads a result file. When there is no such file, the argument may be a misspelled profile.
func readResults(path string) (*compare.Run, error) {
	r, err := compare.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%q is neither a profile nor a result file: %w%s", path, err, nearest.DidYouMean(path,
			config.Profiles()))
	}
	return r, err
}
