package host

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"roclua/host/exit"
	"roclua/host/record"
	"roclua/internal/escape"
)

func newRecord(env Env) *cobra.Command {
	request := record.Request{}
	gpu := &withoutGPU{}
	cmd := &cobra.Command{
		Use:   "record [flags] [--] COMMAND [ARGUMENT]...",
		Short: "Run a program and record its rocBLAS, rocSOLVER and HIP calls",
		Long: `Run a program that uses rocBLAS or rocSOLVER, also through hipBLAS, hipSOLVER, Python or Fortran, and
record its calls: the arguments that are not pointers, the handle, the stream, the thread and the status
of each call, size queries, workspaces, and the memory that the libraries allocate. The program is not
changed; its input, output, signals and exit code pass through.

Each process of the program that makes a call writes a file. The first has the name of --output, the
others append their process numbers, unless the name has %p. A recording has every call that ended, also
if the program is killed. roclua docs recording lists the recorded calls and the limits.

With --without-gpu the program runs with the installed libraries over a HIP runtime that needs no GPU.
Kernels do not compute, so the numbers that the program reads from them mean nothing; sizes, statuses and
allocations are as on a GPU. A function of HIP that the runtime does not have returns
hipErrorNotSupported, and names itself.

The recorder is a library that is compiled at its first use, with cc. The exit code is the program's,
4 if the recorder cannot be compiled, 126 if COMMAND cannot be executed, and 127 if it is not found.

  roclua record ./app --size 1000
  roclua record -o app.rec mpirun -n 4 ./app
  roclua record -o 'run-%h-%p.rec' python3 train.py
  roclua record --without-gpu --arch gfx942 ./app`,
		Args: needed("record needs a command to run, such as: roclua record -- ./app"),
		RunE: func(cmd *cobra.Command, args []string) error {
			env.endAtOnce()
			request.Command = args
			request.Environ = env.Environ()
			if err := gpu.prepare(cmd.Context(), env, &request); err != nil {
				return err
			}
			request.Stdin, request.Stdout, request.Stderr = env.Stdin, childStream(env.stdout), childStream(env.stderr)
			result, err := record.Run(cmd.Context(), request)
			if err != nil {
				return err
			}
			for _, p := range result.Problems {
				fmt.Fprintf(env.Stderr, "roclua record: %s\n", escape.Text(p))
			}
			fmt.Fprintf(env.Stderr, "roclua record: %s\n", escape.Text(result.Summary()))
			if result.Signal != nil {
				record.EndAs(result.Signal)
			}
			if result.Code == 0 {
				return nil
			}
			return exit.Silent(exit.Code(result.Code))
		},
	}
	cmd.Flags().SetInterspersed(false) // flags after COMMAND belong to it
	cmd.Flags().StringVarP(&request.File, "output", "o", record.DefaultFile,
		"write the recording of the first process to `FILE`; %p is the process number, %h the host")
	gpu.add(cmd.Flags())
	return cmd
}

// prepare makes the program of a request run without a GPU, with --without-gpu.
func (w *withoutGPU) prepare(ctx context.Context, env Env, r *record.Request) error {
	list, err := w.environment()
	if err != nil || !w.on {
		return err
	}
	program, err := record.Find(r.Command[0])
	if err != nil {
		return err
	}
	r.Environ = append(r.Environ, list...)
	r.Runtime, err = w.runtime(ctx, program)
	if err == nil {
		fmt.Fprintln(env.Stderr, "roclua record: without a GPU: kernels do not compute, so values that the program "+
			"reads from them mean nothing")
	}
	return err
}

// childStream returns the file of a stream, which a program can use itself, or the stream.
func childStream(s *stream) io.Writer {
	if f := s.file(); f != nil {
		return f
	}
	return s
}
