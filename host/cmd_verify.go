package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/host/exit"
	"roclua/host/output"
	"roclua/host/verify"
	"roclua/host/worker"
	"roclua/internal/atomicfile"
	"roclua/internal/nearest"
	"roclua/workspace"
)

// verifyOptions are the flags of roclua verify.
type verifyOptions struct {
	seed         uint64
	count        int
	only         int
	devices      int
	kinds        []string
	profile      string
	rocm, record string
	withoutGPU   withoutGPU
	out          outOptions
}

func newVerify(env Env) *cobra.Command {
	o := &verifyOptions{}
	cmd := &cobra.Command{
		Use:   "verify [PATTERN]",
		Short: "Compare the model with the rocBLAS and rocSOLVER of this machine",
		Long: `Compare the model with the rocBLAS and rocSOLVER that the platform amd finds on this machine: random
size queries, calls with valid and invalid arguments, and sequences of operations on a handle must
return the same statuses and bytes on both. In half of the sequences streams are captured. The kind
captures makes every operation of a handle while a stream is captured, and then random calls. The kind
layers calls hipSOLVER, with and without buffers, and hipBLAS on one handle, its streams and in
captures. With --devices, there is a handle on each device, which is used while any of them is the
current one; captures and layers have one handle. PATTERN is a regular expression of the C names of
functions; the default is all functions.

The report shows the operation of each difference, and the command that makes its case alone, with
--only N, and shows all of its operations. The libraries run in another process: a crash of a library
is a difference too. The exit code is 1 if there are differences, and 4 without libraries or a device.

With --without-gpu the installed libraries run over a HIP runtime that needs no GPU. Kernels do not
compute, which statuses and bytes do not depend on. It is compiled at its first use, by the C compiler cc.

  roclua verify
  roclua verify --without-gpu
  roclua verify --without-gpu --devices 2 --arch gfx90a,gfx1100
  roclua verify 'getr[fs]' --count 20000 --seed 7
  roclua verify --out text --out markdown=report.md
  roclua verify --kind queries --record queries.jsonl
  roclua verify --kind captures --count 2051`,
		Args: atMostOne("pattern"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args, env) },
	}
	flags := cmd.Flags()
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the random numbers")
	flags.IntVar(&o.count, "count", 2000,
		"number of size queries, of calls and of captured calls; a twentieth as many sequences")
	flags.IntVar(&o.only, "only", 0, "compare only case `N`, and show its operations")
	flags.IntVar(&o.devices, "devices", 1, "number of devices, with a handle on each")
	flags.StringSliceVar(&o.kinds, "kind", namesOf(verify.DefaultKinds),
		"kinds of results to compare, separated by commas: "+strings.Join(kindNames(), ", "))
	flags.StringVar(&o.profile, "profile", "", "profile to compare with (default: that of the library's version)")
	flags.StringVar(&o.rocm, "rocm", "",
		"folders in which ROCm's libraries are searched first (default: ROCLUA_ROCM_PATH)")
	o.withoutGPU.add(flags)
	flags.StringVar(&o.record, "record", "",
		"write the library's results to `FILE` as JSON lines")
	o.out.add(cmd, "report")
	return cmd
}

func kindNames() []string { return namesOf(verify.Kinds) }

func namesOf(kinds []verify.Kind) []string {
	var list []string
	for _, k := range kinds {
		list = append(list, string(k))
	}
	return list
}

func (o *verifyOptions) run(cmd *cobra.Command, args []string, env Env) error {
	outs, err := o.outputs(cmd, env)
	if err != nil {
		return err
	}
	options := verify.Options{Seed: o.seed, Count: o.count, Devices: o.devices, Only: o.only,
		Command: commandWithout(env.Args, "only", "out", "record")}
	if options.Routines, options.Layers, err = selectRoutines(args); err != nil {
		return err
	}
	if options.Kinds, err = o.selectedKinds(options.Routines, options.Layers); err != nil {
		return err
	}
	if err := o.find(cmd.Context(), &options); err != nil {
		return err
	}
	if env.Getenv(childVariable) != "" {
		return verify.Serve(options, env.Stdin, os.NewFile(fileEnd, "replies"))
	}
	options.Process = func(ctx context.Context) (*exec.Cmd, error) {
		program, err := worker.Program()
		if err != nil {
			return nil, err
		}
		c := exec.CommandContext(ctx, program, env.Args...)
		c.Env = append(os.Environ(), childVariable+"=1")
		return c, nil
	}
	r, err := o.compare(cmd, options, env)
	if err != nil {
		if cmd.Context().Err() != nil {
			err = exit.Replace(exit.Interrupted, errors.New("interrupted"))
		}
		return err
	}
	if err := env.write(outs, r); err != nil {
		return err
	}
	if r.Differing() > 0 {
		return exit.Silent(exit.Failed)
	}
	return nil
}

// outputs reads --out and checks that every file can be written.
func (o *verifyOptions) outputs(cmd *cobra.Command, env Env) ([]output.Output, error) {
	if o.count < 1 {
		return nil, fmt.Errorf("--count %d: must be at least 1", o.count)
	}
	if o.only < 0 || cmd.Flags().Changed("only") && o.only == 0 {
		return nil, fmt.Errorf("--only %d: cases are counted from 1", o.only)
	}
	if o.devices < 1 || o.devices > driver.MaxDevices {
		return nil, fmt.Errorf("--devices %d: must be 1 to %d", o.devices, driver.MaxDevices)
	}
	files := atomicfile.NewFiles(env.files())
	outs, err := o.out.open(cmd, env, files)
	if err != nil {
		return nil, err
	}
	if o.record != "" {
		env.surviveClosedStreams()
		return outs, files.Writes("--record "+o.record, o.record)
	}
	return outs, nil
}

// selectedKinds returns the kinds of the command line that some of the functions can have.
func (o *verifyOptions) selectedKinds(list, layers []*routine.Routine) ([]verify.Kind, error) {
	var kinds []verify.Kind
	for _, name := range o.kinds {
		k := verify.Kind(strings.TrimSpace(name))
		if !slices.Contains(verify.Kinds, k) {
			return nil, fmt.Errorf("--kind %s: unknown kind %q%s (have %s)", strings.Join(o.kinds, ","), name,
				nearest.DidYouMean(name, kindNames()), strings.Join(kindNames(), ", "))
		}
		if k == verify.Layers && len(layers) > 0 || k != verify.Layers && len(list) > 0 {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		return nil, exit.With(exit.Nothing, fmt.Errorf("--kind %s: no function of that kind matches; functions of "+
			"hipSOLVER and hipBLAS are of the kind %s, the others of all other kinds",
			strings.Join(o.kinds, ","), verify.Layers))
	}
	return kinds, nil
}

// selectRoutines returns the functions that match the pattern of the command line, functions of hipSOLVER and hipBLAS
// apart.
func selectRoutines(args []string) (list, layers []*routine.Routine, err error) {
	list, layers = routine.All(), slices.Concat(routine.HipSOLVER.Routines(), routine.HipBLAS.Routines())
	if len(args) == 0 {
		return list, layers, nil
	}
	pattern, err := regexp.Compile(args[0])
	if err != nil {
		return nil, nil, fmt.Errorf("pattern %q: %w", args[0], err)
	}
	other := func(r *routine.Routine) bool { return !pattern.MatchString(r.CName()) }
	list, layers = slices.DeleteFunc(slices.Clone(list), other), slices.DeleteFunc(slices.Clone(layers), other)
	if len(list)+len(layers) == 0 {
		return nil, nil, exit.With(exit.Nothing,
			fmt.Errorf("no function matches %q (see roclua docs rocsolver)", args[0]))
	}
	return list, layers, nil
}

// find looks for the libraries and chooses the profile.
func (o *verifyOptions) find(ctx context.Context, options *verify.Options) error {
	if o.profile != "" {
		if err := checkModelled(o.profile); err != nil {
			return fmt.Errorf("--profile %s: %w", o.profile, err)
		}
	}
	if o.rocm != "" {
		if err := searchLibraries(o.rocm); err != nil {
			return fmt.Errorf("--rocm %s: %w", o.rocm, err)
		}
	}
	o.withoutGPU.devices = o.devices
	if err := o.withoutGPU.use(ctx); err != nil {
		return err
	}
	for _, name := range workspace.HandleVariables() { // they change how every handle behaves
		os.Unsetenv(name)
	}
	found := hip.Probe(verify.Platform, driver.Config{Devices: o.devices})
	if found.Problem != "" {
		return exit.With(exit.Unavailable, fmt.Errorf("platform %s cannot be used: %s\nto do: %s", verify.Platform,
			found.Problem, found.Advice))
	}
	name, outside := workspace.ProfileOfLibrary(found.Version, found.Solver)
	name = cmp.Or(o.profile, name)
	modelled := checkModelled(name) == nil
	if !modelled && o.record == "" {
		return fmt.Errorf("%w\nto do: compare it by --profile with one of %s, or record its results with --record FILE",
			outside, strings.Join(workspace.ProfileNames(), ", "))
	}
	options.Library, options.Compare = found, modelled
	var err error
	options.Profile, err = workspace.FindProfile(name)
	return err
}

// checkModelled returns an error for a profile that is not one of a modelled release.
func checkModelled(name string) error {
	p, err := workspace.FindProfile(name)
	if err == nil && !p.Modelled() {
		err = fmt.Errorf("it is not the profile of a modelled release (have %s)",
			strings.Join(workspace.ProfileNames(), ", "))
	}
	return err
}

// compare compares, and records the results of the library if that is requested.
func (o *verifyOptions) compare(cmd *cobra.Command, options verify.Options, env Env) (r *verify.Report, err error) {
	if o.record == "" {
		return verify.Run(cmd.Context(), options)
	}
	failed := atomicfile.Replace(env.files(), o.record, func(w io.Writer) error {
		options.Recorder = verify.NewRecorder(w)
		r, err = verify.Run(cmd.Context(), options)
		return err
	})
	if err == nil && failed != nil {
		err = fmt.Errorf("--record: %w", failed)
	}
	return r, err
}
