package host

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"roclua/hip/arch"
	"roclua/host/applog"
	"roclua/host/applog/render"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/products"
	"roclua/host/size"
	"roclua/host/targets"
	"roclua/input"
	"roclua/internal/atomicfile"
	"roclua/internal/units"
	"roclua/workspace"
)

// gemmOptions are the flags of roclua gemm.
type gemmOptions struct {
	profiles, archs, workspaces []string
	tuning, of, model, plot     string
	units                       int
	out                         outOptions
}

func newGemm(env Env) *cobra.Command {
	o := &gemmOptions{}
	cmd := &cobra.Command{
		Use:   "gemm SHAPE|FILE...",
		Short: "Compute the kernels of products of matrices, and the workspace that they want",
		Long: `Compute without a device which kernel rocBLAS uses for products of matrices: how it divides the sum over
k, the workspace that it wants, and the kernel that is used instead when a handle has less; and the
smallest workspace in which no product loses its kernel. roclua docs products explains what that means.

A shape is MxNxK or MxNxKxBATCH, after the operations on A and B if they are transposed, such as
TN:128x128x65536; or a call of gemm or gemm_ex, as in roclua size. A file is a log or a recording, as in
roclua log, or a table FILE.csv with columns m, n, k and others, such as transA, type and times. "-"
reads shapes from standard input, one per line. --model has the products of the linear layers of a
transformer, forward and backward: hidden, ffn and tokens must be given; layers, heads, kv_heads and
vocab may be. Attention itself is not among them.

The choice is in the tuning files of rocBLAS; without --tuning they are those of an installed one.

  roclua gemm TN:128x128x65536 NN:4096x512x14336 --tuning /opt/rocm/lib/rocblas/library
  roclua gemm --model hidden=4096,layers=32,heads=32,ffn=14336,vocab=32000,tokens=1:4096:x2
  roclua gemm app.log --arch gfx90a,gfx942 --workspace 0,32MiB,128MiB --plot lost.svg`,
		RunE: func(cmd *cobra.Command, args []string) error {
			endAtOnce()
			return o.run(cmd, args, env)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&o.profiles, "profile", []string{workspace.DefaultProfileOf(config.Simulated)},
		"library releases, separated by commas")
	flags.StringSliceVar(&o.archs, "arch", []string{arch.Default().Name}, "architectures, separated by commas")
	addTuning(flags, &o.tuning)
	flags.IntVar(&o.units, "compute-units", 0, "compute units of the device (default: those of a common one)")
	flags.StringVar(&o.of, "type", "bf16", "type of the shapes: "+products.Types)
	flags.StringVar(&o.model, "model", "", "the products of a transformer: `NAME=VALUE,...`")
	flags.StringSliceVar(&o.workspaces, "workspace", []string{"0", "32MiB", "64MiB", "80MiB", "128MiB"},
		"numbers of free bytes, separated by commas")
	flags.StringVar(&o.plot, "plot", "", "draw the products that lose their kernel into a file, FILE.svg")
	o.out.add(cmd, "kernels")
	o.out.addJSON(flags)
	o.out.addCSV(flags)
	return cmd
}

func (o *gemmOptions) run(cmd *cobra.Command, args []string, env Env) error {
	outs, err := o.out.parse(cmd)
	if err != nil {
		return err
	}
	if err := env.checkOutputs(atomicfile.NewFiles(env.files()), outs); err != nil {
		return err
	}
	var free []uint64
	for _, text := range o.workspaces {
		n, err := units.ParseInt(strings.TrimSpace(text))
		if err != nil || n < 0 {
			return fmt.Errorf("--workspace %s: write numbers of bytes, such as 0,32MiB", text)
		}
		free = append(free, uint64(n))
	}
	if o.tuning == "" {
		o.tuning = config.Installed
	}
	list, err := targets.Of(o.profiles, o.archs, o.tuning)
	if err != nil {
		return fmt.Errorf("%w\nto do: --tuning PATH, as roclua docs products says", err)
	}
	for i := range list {
		list[i].Units = o.units
	}
	shapes, err := o.shapes(cmd, args, env)
	if err != nil {
		return explainFunction(err)
	}
	report, err := products.New(shapes, list, free)
	if err != nil {
		return err
	}
	if o.plot != "" {
		if err := report.Plot(env.files(), o.plot); err != nil {
			return fmt.Errorf("--plot %s: %w", o.plot, err)
		}
	}
	return env.write(outs, report)
}

// shapes reads the products of the arguments and of the model.
func (o *gemmOptions) shapes(cmd *cobra.Command, args []string, env Env) ([]products.Shape, error) {
	var list []products.Shape
	if o.model != "" {
		of, err := products.Model(o.model, o.of)
		if err != nil {
			return nil, fmt.Errorf("--model: %w", err)
		}
		list = of
	}
	args, err := size.ReadCalls(cmd.Context(), args, env.Stdin)
	if err != nil && o.model == "" {
		return nil, fmt.Errorf("gemm needs a shape, such as TN:128x128x65536, a file or --model " +
			"(see roclua gemm --help)")
	}
	for _, arg := range args {
		of, err := o.shapesOf(cmd, arg)
		if err != nil {
			return nil, err
		}
		list = append(list, of...)
	}
	return list, nil
}

// shapesOf reads the products of an argument.
func (o *gemmOptions) shapesOf(cmd *cobra.Command, arg string) ([]products.Shape, error) {
	if _, err := os.Stat(arg); err != nil {
		s, err := products.Parse(arg, o.of)
		return []products.Shape{s}, err
	}
	if strings.HasSuffix(arg, ".csv") {
		text, err := input.File(arg, input.Lines)
		if err != nil {
			return nil, err
		}
		list, err := products.ReadCSV(bytes.NewReader(text), o.of)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", arg, err)
		}
		return list, nil
	}
	log, err := applog.Read(cmd.Context(), applog.Request{Files: []string{arg}, Profiles: o.profiles, Archs: o.archs})
	if err != nil {
		return nil, err
	}
	var list []products.Shape
	for _, c := range log.Calls {
		if products.IsProduct(c.Routine) {
			list = append(list, products.Shape{Text: render.Label(c), Times: c.Times, Args: c.Args()})
		}
	}
	if len(list) == 0 {
		return nil, exit.With(exit.Nothing, fmt.Errorf("%s has no products of matrices", arg))
	}
	return list, nil
}
