package host

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"roclua/host/importing"
	"roclua/internal/atomicfile"
)

func newImport(env Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import bench FILE",
		Short: "Make a scenario that measures from the commands of benchmark programs",
		Long: `Read a file for rocblas-bench and rocsolver-bench, command lines or entries of YAML in braces on one line
each, and write a scenario that measures its calls with t:measure. "-" reads standard input. An option can have
several values, as a list [64,128] or a range [64:256:64]; -a NAME=VALUES is an axis as in nvbench, with
NAME[pow2] of powers of 2. All combinations are measured.

  roclua import bench bench.sh -o bench.lua && roclua run bench.lua --platform amd
  echo 'rocblas-bench -f gemm -r d -a n=[256:2048:256]' | roclua import bench - > gemm.lua

Missing options have the defaults of the programs; missing leading dimensions and strides are the smallest.
Options that only say how to measure are ignored: t:measure decides by the noise.`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 || args[0] != "bench":
				return fmt.Errorf("import needs what to read: import bench FILE")
			case len(args) != 2:
				return fmt.Errorf("import bench needs one file, or - for standard input")
			}
			return nil
		},
	}
	out := cmd.Flags().StringP("output", "o", "", "write the scenario to `FILE` instead of standard output")
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return importBench(cmd, env, args[1], *out) }
	return cmd
}

func importBench(cmd *cobra.Command, env Env, name, out string) error {
	script, note, err := importing.BenchFile(cmd.Context(), name, env.Stdin)
	if err != nil {
		return err
	}
	if note != "" {
		fmt.Fprintf(env.Stderr, "roclua: ignored: %s\n", note)
	}
	if out == "" {
		return env.say("%s", script)
	}
	if out == name {
		return fmt.Errorf("-o %s is the file that is read", out)
	}
	return atomicfile.Replace(env.files(), out, func(w io.Writer) error {
		_, err := w.Write(script)
		return err
	})
}
