package host

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roclua/host/config"
	"roclua/workspace"
	"roclua/workspace/footprint"
)

// sizeOptions are the flags of roclua size.
type sizeOptions struct {
	profiles, archs []string
	sweeps          []string
	json, csv       bool
	plot            string
}

func newSize(env Env) *cobra.Command {
	o := &sizeOptions{}
	cmd := &cobra.Command{
		Use:   "size CALL...",
		Short: "Tell how many bytes of workspace calls need, without a device",
		Long: `Tell how many bytes of workspace each call needs and for what, what the sequence needs, and what a handle comes to hold
under each scheme. A call is a routine and its arguments by name; what is not given takes the smallest legal value, as in a script.
"-" reads calls from standard input, one a line.

  roclua size 'dgetrf m=1024 n=1024' 'dgetrs n=1024 nrhs=1'
  roclua size 'dtrsm side=left uplo=upper m=4096 n=64' --profile rocm-6.4,rocm-7.2 --arch gfx90a,gfx942
  roclua size 'dgetrf m=n n=n' --sweep n=64:8192:x2 --plot getrf.svg
  roclua size 'dgetrs_batched n=425 nrhs=1' --sweep batch_count=1:32 --sweep n=64,425 --csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("size needs a call, such as 'dgetrf m=1024 n=1024' (see roclua size --help)")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return footprint.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			endAtOnce()
			return o.run(args, env)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&o.profiles, "profile", []string{workspace.DefaultProfileOf(config.Simulated)}, "library releases, separated by commas, side by side")
	flags.StringSliceVar(&o.archs, "arch", []string{config.DefaultArch}, "architectures, separated by commas, side by side")
	flags.StringArrayVar(&o.sweeps, "sweep", nil, "values of a parameter, NAME=64:8192:x2, NAME=1:32 or NAME=a,b,c (repeatable: axes multiply)")
	flags.BoolVar(&o.json, "json", false, "write JSON")
	flags.BoolVar(&o.csv, "csv", false, "write CSV")
	flags.StringVar(&o.plot, "plot", "", "draw the sweep into a file, FILE.svg")
	return cmd
}

func (o *sizeOptions) run(args []string, env Env) error {
	if o.json && o.csv {
		return fmt.Errorf("--json and --csv are two formats for one output; choose one")
	}
	targets, err := o.targets()
	if err != nil {
		return err
	}
	s, err := o.sequence(args, env.Stdin)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(env.Stdout, 1<<16)
	if len(s.Axes) == 0 {
		err = o.one(out, s, targets)
	} else {
		err = o.sweep(out, s, targets)
	}
	if e := out.Flush(); err == nil {
		err = e
	}
	return err
}

// targets multiplies the profiles and the architectures.
func (o *sizeOptions) targets() ([]footprint.Target, error) {
	var list []footprint.Target
	for _, name := range o.profiles {
		p, err := workspace.FindProfile(strings.TrimSpace(name))
		if err == nil && p.Platform != "" {
			err = fmt.Errorf("profile %s is not modelled: only the libraries on a machine with platform %s tell what calls need", p.Name, p.Platform)
		}
		if err != nil {
			return nil, err
		}
		for _, arch := range o.archs {
			arch = strings.TrimSpace(arch)
			if err := config.CheckArch(arch); err != nil {
				return nil, err
			}
			if t := (footprint.Target{Profile: p, Arch: arch}); !slices.Contains(list, t) {
				list = append(list, t)
			}
		}
	}
	return list, nil
}

func (o *sizeOptions) sequence(args []string, stdin io.Reader) (*footprint.Sequence, error) {
	texts, err := callTexts(args, stdin)
	if err != nil {
		return nil, err
	}
	var calls []*footprint.Call
	for _, text := range texts {
		c, err := footprint.Parse(text)
		if err != nil {
			return nil, err
		}
		calls = append(calls, c)
	}
	axes, err := o.axes(calls)
	if err != nil {
		return nil, err
	}
	return footprint.NewSequence(calls, axes)
}

// callTexts replaces "-" by the lines of standard input, without blank ones and comments.
func callTexts(args []string, stdin io.Reader) ([]string, error) {
	var texts []string
	for _, arg := range args {
		if arg != "-" {
			texts = append(texts, arg)
			continue
		}
		lines := bufio.NewScanner(stdin)
		for lines.Scan() {
			line, _, _ := strings.Cut(lines.Text(), "#")
			if strings.TrimSpace(line) != "" {
				texts = append(texts, line)
			}
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("cannot read standard input: %w", err)
		}
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("standard input has no calls")
	}
	return texts, nil
}

func (o *sizeOptions) axes(calls []*footprint.Call) ([]footprint.Axis, error) {
	var axes []footprint.Axis
	for _, text := range o.sweeps {
		name, values, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("--sweep %s: want NAME=VALUES, such as n=64:8192:x2", text)
		}
		if slices.ContainsFunc(axes, func(a footprint.Axis) bool { return a.Name == name }) {
			return nil, fmt.Errorf("--sweep %s: %s is swept twice", text, name)
		}
		list, err := config.ParseAxis(values)
		if err != nil {
			return nil, fmt.Errorf("--sweep %s: %w", name, err)
		}
		axis, err := footprint.NewAxis(name, list, calls)
		if err != nil {
			return nil, fmt.Errorf("--sweep: %w", err)
		}
		axes = append(axes, axis)
	}
	return axes, nil
}

// one answers for calls without axes.
func (o *sizeOptions) one(w io.Writer, s *footprint.Sequence, targets []footprint.Target) error {
	if o.plot != "" {
		return fmt.Errorf("--plot draws a sweep; give one, such as --sweep n=64:8192:x2")
	}
	var list []*footprint.Footprint
	for _, t := range targets {
		f, err := s.On(t, nil)
		if err != nil {
			return err
		}
		list = append(list, f)
	}
	switch {
	case o.json:
		return writeSizeJSON(w, s, list)
	case o.csv:
		return writeSizeCSV(w, s, list)
	}
	return writeSizeText(w, s, list)
}

// sweep answers for every point of the axes.
func (o *sizeOptions) sweep(w io.Writer, s *footprint.Sequence, targets []footprint.Target) error {
	if o.plot != "" {
		if err := plotSweep(o.plot, s, targets); err != nil {
			return fmt.Errorf("--plot %s: %w", o.plot, err)
		}
	}
	switch {
	case o.json:
		return writeSweepJSON(w, s, targets)
	case o.csv:
		return writeSweepCSV(w, s, targets)
	}
	return writeSweepText(w, s, targets)
}
