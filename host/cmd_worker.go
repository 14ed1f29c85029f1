package host

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"roclua/hip"
)

// File descriptors of a worker beside the standard ones: answers go out on a pipe of their own, for C libraries print where
// they like, and the last call is kept in a file that outlives the worker.
const (
	answerFile   = 3
	lastCallFile = 4
)

// newWorker is the command that the program starts itself with to run cases in another process.
func newWorker(env Env) *cobra.Command {
	var live bool
	cmd := &cobra.Command{
		Use:    "worker",
		Short:  "Run cases that another roclua hands over",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			answers := os.NewFile(answerFile, "answers")
			if answers == nil {
				return errors.New("worker is for the program itself")
			}
			var output io.Writer
			if live {
				output = env.Stdout
			}
			return work(cmd.Context(), env.Stdin, answers, openLastCall(os.NewFile(lastCallFile, "last call")), output)
		},
	}
	cmd.Flags().BoolVar(&live, "live", false, "print what scripts print while they run")
	return cmd
}

// work answers jobs until there are none, or until the device is lost.
func work(ctx context.Context, jobs io.Reader, answers io.Writer, last *lastCall, output io.Writer) error {
	in, out := gob.NewDecoder(bufio.NewReader(jobs)), bufio.NewWriter(answers)
	encoder := gob.NewEncoder(out)
	for {
		var j job
		if err := in.Decode(&j); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("worker: cannot read a job: %w", err)
		}
		last.enter(phaseRunning)
		record, lost := j.execute(ctx, surroundings{output: output, opened: func(rt *hip.Runtime) { rt.SetWatcher(last.note) },
			over: func() { last.enter(phaseOver) }})
		last.enter(phaseIdle)
		if err := encoder.Encode(pack(record, lost)); err != nil {
			return fmt.Errorf("worker: cannot answer: %w", err)
		}
		if err := out.Flush(); err != nil || lost {
			return err
		}
	}
}
