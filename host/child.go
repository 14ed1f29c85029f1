package host

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"

	"github.com/spf13/cobra"

	"roclua/host/exit"
	"roclua/host/worker"
)

// childVariable is set in the environment of a process that runs a command for another process of this program.
const childVariable = "ROCLUA_CHILD"

// fileEnd is inherited by such a process. It writes to it when the command has ended: in a crash of a C library the Go
// runtime exits with the code of a wrong usage.
const fileEnd = 3

// runInChild runs a command again in another process, so that a crash of a library ends only that one. There it calls
// run.
func runInChild(cmd *cobra.Command, env Env, library string, run func() error) error {
	if env.Getenv(childVariable) != "" {
		err := run()
		_, lost := os.NewFile(fileEnd, "end").Write([]byte{1})
		return cmp.Or(err, lost)
	}
	program, err := worker.Program()
	if err != nil {
		return err
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	defer reader.Close()
	c := exec.CommandContext(cmd.Context(), program, env.Args...)
	c.Env = append(slices.Clone(env.Environ()), childVariable+"=1")
	c.Stdin, c.Stdout, c.Stderr = env.Stdin, childStream(env.stdout), childStream(env.stderr)
	c.ExtraFiles = []*os.File{writer}
	err = c.Run()
	writer.Close()
	var failed *exec.ExitError
	if n, _ := reader.Read(make([]byte, 1)); n == 0 && err != nil {
		return exit.With(exit.Unavailable, fmt.Errorf("the process in which %s ran crashed: %w", library, err))
	}
	if errors.As(err, &failed) { // after its own message
		return exit.Silent(exit.Code(failed.ExitCode()))
	}
	return err
}

// newWorker is the command of the processes that run scripts for this one.
func newWorker(Env) *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Run scripts for another process of roclua",
		Hidden: true,
		Args:   noArguments,
		RunE:   func(*cobra.Command, []string) error { return worker.Serve() },
	}
}
