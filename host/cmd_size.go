package host

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"roclua/hip/routine"
	"roclua/host/size"
	"roclua/internal/atomicfile"
	"roclua/luabind/manual"
	"roclua/workspace/footprint"
)

// sizeOptions are the flags of roclua size.
type sizeOptions struct {
	targetFlags
	fileFlags
	sweeps        []string
	plot, unknown string
	out           outOptions
}

func newSize(env Env) *cobra.Command {
	o := &sizeOptions{}
	cmd := &cobra.Command{
		Use:   "size CALL...",
		Short: "Compute the workspace that calls need, without a device",
		Long: `Compute the bytes of workspace that each call and each of its buffers need, the bytes that the sequence
needs, and the memory that a handle holds under each scheme. A call is a routine and its arguments by
name; the routine may have its name in LAPACK (dgetrf_), hipBLAS (hipblasDgemm) or hipSOLVER
(hipsolverDgetrf), and arguments may have their names and values in rocsolver-bench (evect=V, itype=1)
and hipSOLVER (jobz=V). An argument that is not given has the smallest legal value, as in a script.
Options, and n, that scripts must give have the defaults of rocsolver-bench, and the answer names them.

A function of hipSOLVER whose name ends in _bufferSize has its own arguments, by name or number
(uplo=lower, HIPSOLVER_FILL_MODE_LOWER or 122). Its buffer is not the workspace of the routine: the
answer lists the workspace of rocSOLVER and the part of hipSOLVER, the lwork of the function, in bytes
or in elements, and the allocation of a program that multiplies it by the size of an element.
The error of arguments that hipSOLVER refuses names its status. Names of cuSOLVER mean the functions of hipSOLVER.

"-" reads calls from standard input, one per line, or a file for other programs (roclua docs files).

  roclua size 'dgetrf m=1024 n=1024' 'dgetrs n=1024 nrhs=1'
  roclua size 'dtrsm side=left uplo=upper m=4096 n=64' --profile rocm-6.4,rocm-7.2 --arch gfx90a,gfx942
  roclua size 'hipsolverDnDsyevd_bufferSize jobz=vector uplo=lower n=1000 lda=1000'
  roclua size 'dgetrf m=n n=n' --sweep n=64:8192:x2 --plot getrf.svg
  roclua size 'dgetrs_batched n=425 nrhs=1' --sweep batch_count=1:32 --sweep n=64,425 --csv`,
		Args: needed("size needs a call, such as 'dgetrf m=1024 n=1024' (see roclua size --help)"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return append(footprint.Names(), routine.BufferSizes()...), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			env.endAtOnce()
			return o.run(cmd, args, env)
		},
	}
	flags := cmd.Flags()
	o.targetFlags.add(flags, ", side by side")
	o.addFolders(flags)
	flags.StringArrayVar(&o.sweeps, "sweep", nil,
		"values of a parameter, NAME=64:8192:x2, NAME=1:32 or NAME=a,b,c (repeatable: sweeps multiply)")
	flags.StringVar(&o.unknown, "unknown", "", "bytes that count for calls whose workspace is not known, such as 32M")
	o.out.add(cmd, "sizes")
	o.out.addJSON(flags)
	o.out.addCSV(flags)
	flags.StringVar(&o.plot, "plot", "", "draw the sweep into a file, FILE.svg")
	return cmd
}

func (o *sizeOptions) run(cmd *cobra.Command, args []string, env Env) error {
	outs, err := o.out.open(cmd, env, atomicfile.NewFiles(env.files()))
	if err != nil {
		return err
	}
	calls, err := size.ReadCalls(cmd.Context(), args, env.Stdin, o.options())
	if err != nil {
		return err
	}
	q, err := size.New(size.Request{Calls: calls, Profiles: o.profiles, Archs: o.archs, Tuning: o.tuning,
		Sweeps: o.sweeps, Unknown: o.unknown})
	if err != nil {
		return explainFunction(err)
	}
	for _, out := range outs {
		if out.Format != "text" && out.Format != "markdown" {
			continue
		}
		if err := q.CheckText(); err != nil {
			return err
		}
	}
	o.warn(env)
	if o.plot != "" {
		if err := q.Plot(env.files(), o.plot); err != nil {
			return fmt.Errorf("--plot %s: %w", o.plot, err)
		}
	}
	return env.write(outs, q)
}

// explainFunction replaces the error of a name that belongs to a function which is not a routine.
func explainFunction(err error) error {
	var unknown *footprint.UnknownRoutine
	if !errors.As(err, &unknown) {
		return err
	}
	function := manual.FunctionNamed(unknown.Name)
	if function == "" {
		return err
	}
	about := unknown.Name + " is not a routine"
	if function != unknown.Name {
		about = fmt.Sprintf("%s is %s in scripts, not a routine", unknown.Name, function)
	}
	return fmt.Errorf("%s: it uses no workspace, so there is no size to compute (see roclua docs %s)", about, function)
}
