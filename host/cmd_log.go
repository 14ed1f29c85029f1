package host

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"roclua/host/applog"
	"roclua/host/gate"
	"roclua/host/output"
	"roclua/internal/atomicfile"
	"roclua/internal/units"
)

// logOptions are the flags of roclua log.
type logOptions struct {
	targetFlags
	fileFlags
	workspace string
	out       outOptions
	lua       string
	gate      gateOptions
}

func newLog(env Env) *cobra.Command {
	o := &logOptions{}
	cmd := &cobra.Command{
		Use:   "log FILE...",
		Short: "Compute the workspace that an application needs, from its logs or recordings",
		Long: `Read the logs that rocBLAS and rocSOLVER write for an application, and compute without a device how much
workspace its calls need, which call needs most, how often a managed handle grows, the settings for
each scheme, and the differences between releases and architectures. "-" reads standard input; several
files are the logs of one application, one for each process.

--fail-above 32MiB (or 10%) and --fail-on growth,status compare the other releases of --profile with the
first one: changes for the worse come first, with the buffer that grows, and the exit code is 3. Lines that
cannot be compared, because they are cut or not modelled, fail, too.

From a recording of roclua record the answer is exact, for each handle: its calls, threads, streams,
workspace and memory, uses that can be wrong or slow, and how many of the recorded growths, statuses and
size queries the model predicts. The releases and architectures are the recorded ones, unless --profile
and --arch name others.

Traces, commands (bench) and profiles of rocBLAS, commands and trace trees of rocSOLVER, and the CSV
files of markers of rocprofv3 are recognized, alone or mixed with other text. roclua docs logging
describes how to write a log. The exit code is 2 for a file that is not a log, and 7 if no call is
understood.

  ROCBLAS_LAYER=1 ROCBLAS_LOG_TRACE_PATH=app.log ./app
  roclua log app.log
  roclua log app.log --profile rocm-6.4,rocm-7.2 --arch gfx90a,gfx942
  roclua log app.log --lua app.lua && roclua run app.lua
  roclua log prof/*_marker_api_trace.csv
  roclua log app.log --profile rocm-6.4,rocm-7.2 --fail-above 10% --out text --out junit=upgrade.xml
  roclua log rank*.log --workspace 32MiB --out text --out html=needs.html`,
		Args: needed("log needs a file, or - for standard input (see roclua docs logging)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			env.endAtOnce()
			return o.run(cmd, args, env)
		},
	}
	flags := cmd.Flags()
	o.targetFlags.add(flags, ", side by side")
	o.fileFlags.add(flags)
	flags.StringVar(&o.workspace, "workspace", "", "list the calls that fail in a user-owned workspace of `BYTES`")
	o.gate.add(flags)
	o.out.add(cmd, "answer")
	flags.StringVar(&o.lua, "lua", "",
		"write a scenario to `FILE` that makes the calls of a log in their order, for roclua run")
	return cmd
}

func (o *logOptions) run(cmd *cobra.Command, args []string, env Env) error {
	if cmd.Flags().Changed("lua") && (o.lua == "" || o.lua == "-") {
		return fmt.Errorf("--lua needs the name of a file, such as app.lua")
	}
	outs, err := o.outputs(cmd, args, env)
	if err != nil {
		return err
	}
	limits, err := o.gate.limits(cmd.Flags(), outs)
	if err != nil {
		return err
	}
	request := applog.Request{Files: args, Stdin: env.Stdin, Order: o.lua != "", Tuning: o.tuning,
		Runs: limits != nil || hasPage(outs), Form: o.options()}
	request.Profiles, request.Archs = o.given(cmd)
	if cmd.Flags().Changed("workspace") {
		n, err := units.ParseInt(o.workspace)
		if err != nil || n < 0 {
			return fmt.Errorf("--workspace %s: write a number of bytes, such as 33554432 or 32MiB",
				cmp.Or(o.workspace, `""`))
		}
		bytes := uint64(n)
		request.Workspace = &bytes
	}
	o.warn(env)
	if env.StderrIsTerminal {
		request.Progress = func(lines, bytes int64) {
			fmt.Fprintf(env.Stderr, "\r%d lines, %d MiB", lines, bytes>>20)
		}
	}
	answer, err := applog.Read(cmd.Context(), request)
	if env.StderrIsTerminal {
		fmt.Fprint(env.Stderr, "\r\x1b[K")
	}
	if err != nil {
		return err
	}
	if limits != nil {
		in := gate.Input{Answer: answer.Answer, Workspace: request.Workspace,
			Programs: answer.Programs()}
		if answer.Gate, err = gate.New(limits, in); err != nil {
			return err
		}
	}
	err = env.write(outs, answer)
	if o.lua != "" {
		if failed := atomicfile.Replace(env.files(), o.lua, answer.WriteScript); failed != nil {
			err = errors.Join(err, fmt.Errorf("--lua %s: %w", o.lua, failed))
		}
	}
	return cmp.Or(err, exitOf(answer.Gate))
}

// sameFile reports whether two arguments name the same regular file, or standard input.
func sameFile(a, b string) bool {
	if a == "-" || b == "-" {
		return a == b
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && x.Mode().IsRegular() && os.SameFile(x, y)
}

// outputs reads --out and checks that every file can be written.
func (o *logOptions) outputs(cmd *cobra.Command, args []string, env Env) ([]output.Output, error) {
	outs, err := o.out.parse(cmd)
	if err != nil {
		return nil, err
	}
	files := atomicfile.NewFiles(env.files())
	for i, name := range args {
		if slices.ContainsFunc(args[:i], func(other string) bool { return sameFile(name, other) }) {
			return nil, fmt.Errorf("%s is named twice; name each log once: a file is the log of one process", name)
		}
		if name != "-" {
			files.Reads("the log "+name, name)
		}
	}
	if o.lua != "" {
		env.surviveClosedStreams()
		if err := files.Writes("--lua "+o.lua, o.lua); err != nil {
			return nil, err
		}
	}
	return outs, env.checkOutputs(files, outs)
}
