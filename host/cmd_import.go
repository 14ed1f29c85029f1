package host

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"roclua/host/applog"
	"roclua/host/importing"
	"roclua/internal/atomicfile"
)

// importOptions are the flags of roclua import.
type importOptions struct {
	targetFlags
	fileFlags
	measure  bool
	scenario string
	out      outOptions
}

func newImport(env Env) *cobra.Command {
	o := &importOptions{}
	cmd := &cobra.Command{
		Use:   "import [bench] FILE...",
		Short: "List the calls of files for benchmark and test programs, or measure them",
		Long: `Read files for other programs, and list their calls with the size and the status of each: definitions of
rocblas-bench --yaml and rocblas-test, scripts and lists of commands, tables of shapes, and others, which
roclua docs files lists with examples. "-" reads standard input. Unread parts are named with their line, and
the rest is kept; --strict refuses the whole file.

With --measure, or as roclua import bench FILE, write a scenario that measures the calls with t:measure.
Missing options have the defaults of the programs; missing leading dimensions and strides are the smallest.
Options that only say how to measure are ignored: t:measure decides by the noise.

  roclua import gemm_gtest.yaml -I rocBLAS/clients/include --category quick,pre_checkin
  roclua import bench bench.sh -o bench.lua && roclua run bench.lua --platform amd
  echo 'rocblas-bench -f gemm -r d -a n=[256:2048:256]' | roclua import bench - > gemm.lua`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return fmt.Errorf("import needs a file: import bench FILE, or import FILE for a list")
			case args[0] == "bench" && len(args) != 2:
				return fmt.Errorf("import bench needs one file, or - for standard input")
			}
			return nil
		},
	}
	flags := cmd.Flags()
	o.targetFlags.add(flags, ", side by side")
	o.fileFlags.add(flags)
	flags.BoolVar(&o.measure, "measure", false, "write a scenario that measures the calls")
	flags.StringVarP(&o.scenario, "output", "o", "", "write the scenario to `FILE` instead of standard output")
	o.out.add(cmd, "answer")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		env.endAtOnce()
		if args[0] == "bench" {
			args, o.measure = args[1:], true
		}
		switch {
		case o.measure && len(args) > 1:
			return fmt.Errorf("--measure makes a scenario of one file at a time")
		case o.measure:
			return o.write(cmd, env, args[0])
		case o.scenario != "":
			return fmt.Errorf("-o %s: only with --measure, for a scenario", o.scenario)
		}
		return o.list(cmd, env, args)
	}
	return cmd
}

// list writes the calls of files with their sizes.
func (o *importOptions) list(cmd *cobra.Command, env Env, names []string) error {
	paths := atomicfile.NewFiles(env.files())
	for _, name := range names {
		if name != "-" {
			paths.Reads("the file "+name, name)
		}
	}
	outs, err := o.out.open(cmd, env, paths)
	if err != nil {
		return err
	}
	request := applog.Request{Files: names, Stdin: env.Stdin, Tuning: o.tuning, Form: o.options(),
		Matmuls: true, Listed: true}
	request.Profiles, request.Archs = o.given(cmd)
	answer, err := applog.Read(cmd.Context(), request)
	if err != nil {
		return err
	}
	return env.write(outs, answer)
}

// write writes a scenario that measures the calls in a file.
func (o *importOptions) write(cmd *cobra.Command, env Env, name string) error {
	text, err := importing.Read(cmd.Context(), name, env.Stdin)
	if err != nil {
		return err
	}
	if o.scenario == name && name != "" {
		return fmt.Errorf("-o %s is the file that is read", name)
	}
	script, content, err := importing.Scenario(cmd.Context(), name, text, o.options())
	if err != nil {
		return err
	}
	for _, note := range content.Notes() {
		fmt.Fprintf(env.Stderr, "roclua: %s\n", note)
	}
	if o.scenario == "" {
		return env.say("%s", script)
	}
	return atomicfile.Replace(env.files(), o.scenario, func(w io.Writer) error {
		_, err := w.Write(script)
		return err
	})
}
