package host

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/plan"
	"roclua/host/report"
	"roclua/host/run"
	"roclua/internal/nearest"
	"roclua/workspace"
)

// newCompare is the command that sets two runs side by side.
func newCompare(env Env) *cobra.Command {
	c := comparison{env: env}
	cmd := &cobra.Command{
		Use:   "compare A B [CONFIG.toml | SCRIPT.lua | NAME]...",
		Short: "Set two result files, or a run under two profiles, side by side",
		Long: `compare tells which values of which cases moved from A to B: SAME, MORE, LESS, CHANGED, NEW, GONE.

A and B are result files that run --out json=FILE or --out jsonl=FILE wrote, or names of profiles: then what the further arguments
name (./config.toml when there are none) runs under both. Files of different targets are matched by what stands before the @ of an id.

Times are compared as the ratio of their medians over repeated cases, B to A, with its spread; AMBIGUOUS says that the spread covers
a ratio of 1, or that fewer than three runs tell nothing of it. They do not decide the exit code: it is 0 when no other value moved, 3 when one did.`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	config.AddFlags(cmd.Flags())
	c.Selection.AddFlags(cmd.Flags())
	cmd.Flags().StringArrayVar(&c.out, "out", nil, "write the comparison as FORMAT[=FILE]: json, markdown or text (repeatable)")
	cmd.Flags().StringArrayVar(&c.tolerance, "tolerance", nil, "how far a value may move, NAME=1e-12, NAME=10% or NAME=ignore (repeatable)")
	cmd.Flags().BoolVar(&c.all, "all", false, "show the values that are the same, too")
	return cmd
}

// comparison is one invocation of compare.
type comparison struct {
	plan.Selection
	env       Env
	out       []string
	tolerance []string
	all       bool

	within baseline.Tolerances
	names  [2]string // of the sides
	list   []baseline.Change
	times  []baseline.Timing
}

func (c *comparison) run(cmd *cobra.Command, args []string) error {
	outs, err := report.ParseOutputs(c.out)
	if err != nil {
		return err
	}
	for _, o := range outs {
		if comparisonFormats[o.Format] == nil {
			return fmt.Errorf("--out %s: compare writes %s", o.Format, strings.Join(slices.Sorted(maps.Keys(comparisonFormats)), ", "))
		}
	}
	if err := c.readTolerances(); err != nil {
		return err
	}
	a, b, err := c.sides(cmd, args)
	if err != nil {
		return err
	}
	for _, s := range []*side{a, b} {
		if s.note != "" {
			fmt.Fprintln(c.env.Stderr, s.note)
		}
	}
	c.names = [2]string{args[0], args[1]}
	c.match(a, b)
	if err := c.write(outs); err != nil {
		return err
	}
	if len(c.differences()) > 0 {
		return exit.Silent(exit.Baseline)
	}
	return nil
}

func (c *comparison) readTolerances() error {
	c.within = baseline.Tolerances{}
	for _, text := range c.tolerance {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("--tolerance %s: want NAME=VALUE, such as residual=10%%", text)
		}
		t, err := baseline.ParseTolerance(value)
		if err != nil {
			return fmt.Errorf("--tolerance %s: %w", name, err)
		}
		c.within[name] = t
	}
	return nil
}

// sides reads two files, or runs under two profiles.
func (c *comparison) sides(cmd *cobra.Command, args []string) (a, b *side, err error) {
	_, first := workspace.FindProfile(args[0])
	_, second := workspace.FindProfile(args[1])
	switch {
	case first == nil && second == nil:
		return c.runBoth(cmd, args)
	case first == nil || second == nil:
		return nil, nil, fmt.Errorf("compare %s %s: one names a profile and the other does not; compare two profiles, or two result files", args[0], args[1])
	case len(args) > 2:
		return nil, nil, fmt.Errorf("compare takes two result files; %q and what follows say what to run under two profiles", args[2])
	}
	if a, err = readSide(args[0]); err != nil {
		return nil, nil, err
	}
	b, err = readSide(args[1])
	return a, b, err
}

// runBoth runs the same cases under two profiles.
func (c *comparison) runBoth(cmd *cobra.Command, args []string) (a, b *side, err error) {
	both := [2]*side{}
	for i, profile := range args[:2] {
		if err := cmd.Flags().Set("profile", profile); err != nil {
			return nil, nil, err
		}
		cfg, cases, err := c.Plan(cmd.Context(), c.env.planInput(cmd), args[2:])
		if err != nil {
			return nil, nil, err
		}
		if len(cases) == 0 {
			return nil, nil, c.NothingSelected()
		}
		r := &run.Runner{Config: cfg, Jobs: run.DefaultJobs(cfg, c.env.CPUs)}
		results := r.Run(cmd.Context(), cases)
		if cmd.Context().Err() != nil {
			return nil, nil, exit.With(exit.Interrupted, errors.New("interrupted"))
		}
		both[i] = sideOf(results)
	}
	return both[0], both[1], nil
}

// match pairs the cases of both sides by their ids, or where no id is on both by what stands before the @, and compares.
func (c *comparison) match(a, b *side) {
	if !a.meets(b) {
		a, b = a.withoutTargets(), b.withoutTargets()
	}
	for _, id := range a.order {
		x, y := a.cases[id], b.cases[id]
		if y == nil {
			c.list = append(c.list, baseline.Change{Kind: baseline.Gone, Case: id})
			continue
		}
		c.list = append(c.list, baseline.Compare(id, x.values, y.values, c.within)...)
		for _, name := range slices.Sorted(maps.Keys(x.times)) {
			if y.times[name] != nil {
				c.times = append(c.times, baseline.CompareTimes(id, name, x.times[name], y.times[name]))
			}
		}
	}
	for _, id := range b.order {
		if a.cases[id] == nil {
			c.list = append(c.list, baseline.Change{Kind: baseline.New, Case: id})
		}
	}
}

func (c *comparison) differences() []baseline.Change {
	return baseline.Differences(slices.Clone(c.list))
}

// shown is what the outputs list.
func (c *comparison) shown() []baseline.Change {
	if c.all {
		return c.list
	}
	return c.differences()
}

func (c *comparison) write(outs []report.Output) error {
	var first error
	for _, o := range outs {
		err := o.Write(c.env.Stdout, c.env.Stderr, func(w io.Writer) error { return comparisonFormats[o.Format](w, c) })
		if err != nil && first == nil {
			first = fmt.Errorf("--out %s: %w", o.Format, err)
		}
	}
	return first
}

// noResultFile is the error of an argument that is neither a file nor a profile.
func noResultFile(name string, err error) error {
	return fmt.Errorf("%q is no profile%s and no result file: %w", name, nearest.DidYouMean(name, config.Profiles()), err)
}
