package host

import (
	"bufio"
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"roclua/hip"
	"roclua/host/exit"
	"roclua/luabind"
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
			signal.Ignore(os.Interrupt, syscall.SIGTERM) // the program decides when a case ends
			keepFromChildren(answerFile, lastCallFile)
			return work(env.Stdin, env.Stderr, answers, openLastCall(os.NewFile(lastCallFile, "last call")), output)
		},
	}
	cmd.Flags().BoolVar(&live, "live", false, "print what scripts print while they run")
	return cmd
}

// work answers jobs until there are none, or until the device is lost.
func work(jobs io.Reader, messages, answers io.Writer, last *lastCall, output io.Writer) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	queue := make(chan *job)
	go receive(jobs, queue, cancel)
	out := bufio.NewWriter(answers)
	encoder := gob.NewEncoder(out)
	var compiled *luabind.Script // of the job before, which is often of the same scenario
	for j := range queue {
		if compiled == nil || compiled.Name != j.Script || !bytes.Equal(compiled.Source(), j.Source) {
			compiled, _ = luabind.Compile(j.Script, j.Source) // the case tells of an error
		}
		last.enter(phaseRunning)
		record, lost := j.execute(ctx, surroundings{script: compiled, output: output, opened: func(rt *hip.Runtime) { rt.SetWatcher(last.note) },
			over: func() { last.enter(phaseOver) }})
		last.enter(phaseDone)
		io.WriteString(messages, endOfCase)
		if err := encoder.Encode(reply{record, lost}); err != nil {
			return fmt.Errorf("worker: cannot answer: %w", err)
		}
		if err := out.Flush(); err != nil || lost {
			return err
		}
	}
	if cause := context.Cause(ctx); cause != context.Canceled {
		return cause
	}
	return nil
}

// receive reads jobs. Their end says that a case under way is to end, too: the program was interrupted, or is no more. In the
// latter case nobody waits for a teardown, and what the worker holds of a device is better given back at once.
func receive(jobs io.Reader, queue chan<- *job, cancel context.CancelCauseFunc) {
	parent := os.Getppid()
	in := gob.NewDecoder(bufio.NewReader(jobs))
	for {
		j := &job{}
		err := in.Decode(j)
		if err == nil {
			queue <- j
			continue
		}
		cause := context.Canceled
		if err != io.EOF {
			cause = fmt.Errorf("worker: cannot read a job: %w", err)
		}
		cancel(cause)
		close(queue)
		break
	}
	for os.Getppid() == parent {
		time.Sleep(orphanCheck)
	}
	os.Exit(int(exit.Interrupted))
}

// orphanCheck is how often a worker that is to end looks whether the program is still there.
const orphanCheck = 20 * time.Millisecond
