package host

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roclua/hip/arch"
	"roclua/hip/matmul"
	"roclua/host/applog"
	"roclua/host/applog/analyze"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/files"
	"roclua/host/products"
	"roclua/host/size"
	"roclua/host/targets"
	"roclua/input"
	"roclua/internal/atomicfile"
	"roclua/internal/nearest"
	"roclua/internal/units"
	"roclua/workspace/footprint"
)

// gemmOptions are the flags of roclua gemm.
type gemmOptions struct {
	targetFlags
	fileFlags
	workspaces []string
	of, model  string
	units      int
	out        outOptions

	lt, withoutGPU bool
	epilogues      []string

	on    []footprint.Target // of the recordings
	notes []string           // about logs and recordings
}

func newGemm(env Env) *cobra.Command {
	o := &gemmOptions{}
	cmd := &cobra.Command{
		Use:   "gemm SHAPE|FILE...",
		Short: "Predict which kernel each GEMM uses and the workspace it needs",
		Long: `Compute without a device which kernel rocBLAS uses for GEMMs: how it divides the sum over
k, the workspace that it wants, and the kernel that is used instead when a handle has less; and the
smallest workspace with which each GEMM keeps its kernel (see roclua docs products).

A shape is MxNxK or MxNxKxBATCH, after the operations on A and B if they are transposed, such as
TN:128x128x65536; or a call of gemm or gemm_ex, as in roclua size. A file is a log or a recording, as in
roclua log, or a table FILE.csv with columns m, n, k and others, such as transA, type and times. "-"
reads shapes from standard input, one per line. --model has the GEMMs of the linear layers of a
transformer, forward and backward: hidden, ffn and tokens must be given; layers, heads, kv_heads and
vocab may be. Attention itself is not among them. The release and the architecture come from a
recording unless flags name others.

The choice is in the rocBLAS tuning files; without --tuning they are those of an installed one.

With --lt the installed hipBLASLt says which kernels it uses, on the GPU of this machine, or for --arch
with --without-gpu. Shapes can also be commands of hipblaslt-bench, and files can be logs of hipBLASLt.

  roclua gemm TN:128x128x65536 NN:4096x512x14336 --tuning /opt/rocm/lib/rocblas/library
  roclua gemm --model hidden=4096,layers=32,heads=32,ffn=14336,vocab=32000,tokens=1:4096:x2
  roclua gemm app.log --arch gfx90a,gfx942 --workspace 0,32MiB,128MiB --out text --out html=lost.html
  roclua gemm --lt TN:128x128x65536 --epilogue none,bias --without-gpu --arch gfx90a`,
		RunE: func(cmd *cobra.Command, args []string) error {
			env.endAtOnce()
			run := func() error { return o.run(cmd, args, env) }
			if o.lt {
				return runInChild(cmd, env, "hipBLASLt", run)
			}
			return run()
		},
	}
	flags := cmd.Flags()
	o.targetFlags.add(flags, "")
	o.fileFlags.add(flags)
	flags.IntVar(&o.units, "compute-units", 0, "compute units of the device (default: those of a common one)")
	flags.StringVar(&o.of, "type", "bf16", "type of the shapes: "+products.Types+"; with --lt "+products.LtTypes)
	flags.BoolVar(&o.lt, "lt", false, "compute the kernels of the installed hipBLASLt")
	flags.StringSliceVar(&o.epilogues, "epilogue", nil, "with --lt, operations after each GEMM, separated by "+
		"commas: "+strings.Join(matmul.Epilogues(), ", ")+" (default: as in the shape)")
	flags.BoolVar(&o.withoutGPU, "without-gpu", false, "with --lt, run hipBLASLt over a HIP runtime that needs no GPU")
	flags.StringVar(&o.model, "model", "", "the GEMMs of a transformer: `NAME=VALUE,...`")
	flags.StringSliceVar(&o.workspaces, "workspace", []string{"0", "32MiB", "64MiB", "80MiB", "128MiB"},
		"numbers of free bytes, separated by commas")
	o.out.add(cmd, "kernels")
	o.out.addJSON(flags)
	o.out.addCSV(flags)
	return cmd
}

func (o *gemmOptions) run(cmd *cobra.Command, args []string, env Env) error {
	outs, err := o.out.open(cmd, env, atomicfile.NewFiles(env.files()))
	if err != nil {
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
	choosers, library := []products.Chooser(nil), products.RocBLAS
	switch {
	case o.lt:
		c, err := o.installed(cmd)
		if err != nil {
			return err
		}
		choosers, library = []products.Chooser{c}, products.BLASLt(arch.Of(c.On.Arch).Float8)
	case len(o.epilogues) > 0 || o.withoutGPU:
		return errors.New("--epilogue and --without-gpu: only with --lt, for hipBLASLt")
	}
	shapes, err := o.shapes(cmd, args, library, env)
	if err != nil {
		return explainFunction(err)
	}
	if !o.lt {
		if choosers, err = o.modelled(); err != nil {
			return err
		}
	}
	report, err := products.New(shapes, choosers, free)
	if err != nil {
		return err
	}
	report.Notes = o.notes
	return env.write(outs, report)
}

// modelled returns rocBLAS's choice of kernels on the targets of the recordings, or of the flags.
func (o *gemmOptions) modelled() (choosers []products.Chooser, err error) {
	if o.tuning == "" {
		o.tuning = config.Installed
	}
	if len(o.on) == 0 {
		o.on, err = targets.Of(o.profiles, o.archs, o.tuning)
	}
	for _, t := range o.on {
		if t.Tuning == nil && err == nil {
			t.Tuning, err = config.OpenTuning(o.tuning, t.Profile.Name, t.Arch)
		}
		t.Units = o.units
		choosers = append(choosers, products.Modelled{Target: t})
	}
	if err != nil {
		return nil, fmt.Errorf("%w\nto do: --tuning PATH, as roclua docs products says", err)
	}
	return choosers, nil
}

// installed opens the installed hipBLASLt.
func (o *gemmOptions) installed(cmd *cobra.Command) (c products.Installed, err error) {
	for _, name := range []string{"profile", "tuning"} {
		if cmd.Flags().Changed(name) {
			return c, fmt.Errorf("--%s: not with --lt, which asks the installed hipBLASLt", name)
		}
	}
	for _, name := range o.epilogues {
		if !slices.Contains(matmul.Epilogues(), name) {
			return c, fmt.Errorf("--epilogue %s: no such epilogue%s", name,
				nearest.DidYouMean(name, matmul.Epilogues()))
		}
	}
	name, units := "", 0
	switch given := cmd.Flags().Changed("arch") || cmd.Flags().Changed("compute-units"); {
	case o.withoutGPU && len(o.archs) != 1:
		return c, errors.New("--arch: with --lt one architecture at a time")
	case o.withoutGPU:
		name = o.archs[0]
		units = cmp.Or(o.units, arch.Of(name).Model().Multiprocessors)
	case given:
		return c, errors.New("--arch and --compute-units: with --lt only with --without-gpu; a GPU has its own")
	}
	l, err := openBLASLt(cmd.Context(), name, units)
	if err != nil {
		return c, err
	}
	return products.Installed{Library: l, On: products.Device{Library: "hipBLASLt", Profile: "hipBLASLt " + l.Version,
		Arch: l.Arch, Units: l.Units}}, nil
}

// shapes reads the products of the arguments and of the model.
func (o *gemmOptions) shapes(cmd *cobra.Command, args []string, l *products.Library, env Env) (
	list []products.Shape, err error) {
	if o.model != "" {
		if list, err = l.Model(o.model, o.of); err != nil {
			return nil, fmt.Errorf("--model: %w", err)
		}
	}
	args, err = size.ReadCalls(cmd.Context(), args, env.Stdin, o.options())
	if err != nil && o.model == "" {
		return nil, fmt.Errorf("gemm needs a shape, such as TN:128x128x65536, a file or --model " +
			"(see roclua gemm --help)")
	}
	for _, arg := range args {
		of, err := o.shapesOf(cmd, arg, l)
		if err != nil {
			return nil, err
		}
		list = append(list, of...)
	}
	if len(o.epilogues) > 0 {
		list = products.WithEpilogues(list, o.epilogues)
	}
	return list, nil
}

// listed reads a file with a product in each row; nil for other files.
func (o *gemmOptions) listed(cmd *cobra.Command, name string, l *products.Library) (list []products.Shape, err error) {
	text, err := input.File(name, input.Lines)
	if large := (*input.TooLargeError)(nil); errors.As(err, &large) {
		return nil, nil // a log
	}
	if err != nil {
		return nil, err
	}
	if form := files.FormOf(name, text); form == nil || !form.Rows {
		return nil, nil
	}
	content, err := files.Read(cmd.Context(), name, text, l.Options(o.fileFlags.options(), o.of),
		func(c *files.Call) error {
			list = append(list, l.Listed(c))
			return nil
		})
	for _, note := range content.Notes() {
		o.notes = append(o.notes, name+": "+note)
	}
	profile, on, note := products.TunedFor(content)
	if profile != "" && !cmd.Flags().Changed("profile") {
		o.profiles = []string{profile}
		o.notes = append(o.notes, note...)
	}
	if on != "" && !cmd.Flags().Changed("arch") {
		o.archs = []string{on}
	}
	return list, err
}

// shapesOf reads the products of an argument.
func (o *gemmOptions) shapesOf(cmd *cobra.Command, arg string, l *products.Library) ([]products.Shape, error) {
	if _, err := os.Stat(arg); err != nil {
		s, err := l.Parse(arg, o.of)
		return []products.Shape{s}, err
	}
	if list, err := o.listed(cmd, arg, l); list != nil || err != nil {
		return list, err
	}
	request := applog.Request{Files: []string{arg}, Matmuls: o.lt, Form: o.options()}
	request.Profiles, request.Archs = o.given(cmd)
	log, err := applog.Read(cmd.Context(), request)
	if err != nil {
		return nil, err
	}
	for _, t := range log.Targets {
		if len(log.Recordings) > 0 && !slices.Contains(o.on, t.Target) {
			o.on = append(o.on, t.Target)
		}
	}
	for _, n := range log.Notes {
		if n.Code == analyze.Incomplete || n.Code == analyze.Unmodelled || n.Code == analyze.NotModelled {
			o.notes = append(o.notes, n.Text)
		}
	}
	var list []products.Shape
	for _, c := range log.Calls {
		if c.Routine.IsProduct() {
			list = append(list, l.Logged(c.Label(), c.Times, c.Args(), analyze.ModesOf(&c.Settings)))
		}
	}
	for _, p := range log.Matmuls {
		if o.lt {
			list = append(list, products.Matmul(p.Product, p.Times))
		}
	}
	if len(list) == 0 {
		return nil, exit.With(exit.Nothing, fmt.Errorf("%s has no GEMMs", arg))
	}
	return list, nil
}
