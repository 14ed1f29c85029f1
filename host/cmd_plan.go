package host

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"roclua/host/applog"
	"roclua/host/capacity"
	"roclua/host/size"
	"roclua/internal/atomicfile"
	"roclua/internal/units"
	"roclua/workspace/footprint"
)

// planOptions are the flags of roclua plan.
type planOptions struct {
	targetFlags
	fileFlags
	handles int64
	streams int64
	budget  string
	out     outOptions
	gate    gateOptions
}

func newPlan(env Env) *cobra.Command {
	o := &planOptions{}
	cmd := &cobra.Command{
		Use:   "plan RECORDING|LOG|CALL...",
		Short: "Plan the memory of all handles of an application together",
		Long: `Compute without a device the workspace of all handles of an application together: the need of each
handle on each of its streams and the call that sets it, the memory of all handles under each scheme, and
whether one shared workspace is safe. A recording (roclua record) has handles and streams. A log shows
them as far as its lines do: the calls of the only handle by stream, or how many handles were in use, each
of which may have made all calls. Calls, as in roclua size, are of a program that does not exist yet:
--handles handles make them all, each on --streams streams; "-" reads calls from standard input.

--budget bounds the bytes of all workspaces together, and lists the losses, the cheapest first:
GEMMs that use another kernel, calls that run more slowly (perf_degraded), calls that
fail (memory_error). Kernels are known with the tuning files of the release (--tuning).

--fail-above 32MiB (or 10%) and --fail-on growth,status compare the other releases of --profile with the
first one, calls and totals: changes for the worse come first, and the exit code is 3.

  roclua plan app.rec --budget 512MiB --out text --out html=plan.html
  roclua plan app.rec --profile rocm-6.4,rocm-7.2
  roclua plan 'dgetrf m=4096 n=4096' 'dgetrs n=4096 nrhs=16' --handles 48 --streams 2 --budget 512MiB`,
		Args: needed("plan needs a recording, a log or a call, such as 'dgetrf m=1024 n=1024' " +
			"(see roclua plan --help)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			env.endAtOnce()
			return o.run(cmd, args, env)
		},
	}
	flags := cmd.Flags()
	o.targetFlags.add(flags, "")
	o.fileFlags.add(flags)
	flags.Int64Var(&o.handles, "handles", 0, "plan for `N` handles that each make all calls in a file or list")
	flags.Int64Var(&o.streams, "streams", 0, "with --handles or calls: plan for `N` streams of each handle")
	flags.StringVar(&o.budget, "budget", "", "`BYTES` for the workspaces of all handles, such as 512MiB")
	o.gate.add(flags)
	o.out.add(cmd, "plan")
	o.out.addJSON(flags)
	return cmd
}

func (o *planOptions) run(cmd *cobra.Command, args []string, env Env) error {
	outs, err := o.out.parse(cmd)
	if err != nil {
		return err
	}
	options, err := o.options(cmd)
	if err != nil {
		return err
	}
	if options.Limits, err = o.gate.limits(cmd.Flags(), outs); err != nil {
		return err
	}
	files := atomicfile.NewFiles(env.files())
	request := applog.Request{Stdin: env.Stdin, Tuning: o.tuning, OneHandle: options.Handles > 0, Sharing: true,
		Runs: options.Limits != nil || hasPage(outs), Form: o.fileFlags.options()}
	if err := o.input(cmd, args, env, &request); err != nil {
		return err
	}
	for _, name := range request.Files {
		files.Reads("the input "+name, name)
	}
	if err := env.checkOutputs(files, outs); err != nil {
		return err
	}
	report, err := applog.Read(cmd.Context(), request)
	if err != nil {
		return explainFunction(err)
	}
	p, err := capacity.New(report, options)
	if err != nil {
		return err
	}
	return cmp.Or(env.write(outs, p), exitOf(p.Gate))
}

func (o *planOptions) options(cmd *cobra.Command) (capacity.Options, error) {
	options := capacity.Options{Handles: o.handles, Streams: o.streams}
	for name, n := range map[string]int64{"handles": o.handles, "streams": o.streams} {
		if cmd.Flags().Changed(name) && (n < 1 || n > capacity.MostHandles) {
			return options, fmt.Errorf("--%s %d: want a number from 1 to %d", name, n, capacity.MostHandles)
		}
	}
	if cmd.Flags().Changed("budget") {
		n, err := units.ParseInt(o.budget)
		if err != nil || n < 0 {
			return options, fmt.Errorf("--budget %q: write a number of bytes, such as 536870912 or 512MiB", o.budget)
		}
		bytes := uint64(n)
		options.Budget = &bytes
	}
	return options, nil
}

// input reads the arguments: files, and calls.
func (o *planOptions) input(cmd *cobra.Command, args []string, env Env, to *applog.Request) error {
	to.Profiles, to.Archs = o.given(cmd)
	var texts []string
	for _, arg := range args {
		if _, err := os.Stat(arg); err == nil {
			to.Files = append(to.Files, arg)
		} else {
			texts = append(texts, arg)
		}
	}
	if texts == nil {
		if o.streams > 0 && o.handles == 0 {
			return fmt.Errorf("--streams is for the handles of --handles: the input has its own handles and streams")
		}
		return nil
	}
	if to.Files != nil {
		return fmt.Errorf("%q is not a file; a plan is of files or of calls, and not of both", texts[0])
	}
	if _, err := footprint.Parse(texts[0]); err != nil && strings.ContainsAny(texts[0], "./") {
		return fmt.Errorf("%s is neither a file nor a call: %w", texts[0], err)
	}
	var err error
	to.Calls, err = size.ReadCalls(cmd.Context(), texts, env.Stdin, o.fileFlags.options())
	return err
}
