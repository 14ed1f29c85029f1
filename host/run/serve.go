package run

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"roclua/host/exit"
	"roclua/luabind"
)

// File descriptors of a worker, in addition to the standard ones. Replies have their own pipe, since C libraries
// print where they like; the last call is kept in a file that outlives the worker.
const (
	replyFile    = 3
	lastCallFile = 4
)

// Serve is the body of a worker process. It reads jobs from stdin until there are no more or the device is lost.
// Messages go to stderr; what scripts print goes to output, or with nil to the log alone.
func Serve(stdin io.Reader, stderr, output io.Writer) error {
	replies := os.NewFile(replyFile, "replies")
	if replies == nil {
		return errors.New("worker is a command for the program itself")
	}
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // the program decides when a case ends
	keepFromChildren(replyFile, lastCallFile)
	return serve(stdin, stderr, replies, openLastCall(os.NewFile(lastCallFile, "last call")), output)
}

// serve replies to jobs until there are no more or the device is lost.
func serve(jobs io.Reader, messages, replies io.Writer, last *lastCall, output io.Writer) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	queue := make(chan *Job)
	go receive(jobs, queue, cancel)
	out := bufio.NewWriter(replies)
	encoder := gob.NewEncoder(out)
	var compiled *luabind.Script // of the previous job, which is often of the same scenario
	for j := range queue {
		compiled = j.compile(compiled)
		last.enter(phaseRunning)
		record, lost := j.execute(ctx, process{script: compiled, output: output, last: last})
		last.enter(phaseDone)
		io.WriteString(messages, endOfCase)
		if err := encoder.Encode(reply{*record, lost}); err != nil {
			return fmt.Errorf("worker: cannot reply: %w", err)
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

// receive reads jobs. When they end, the case in progress is canceled: the program was interrupted or has exited. If
// it has exited, receive ends the process without a teardown, which frees what the worker holds of the device at
// once.
func receive(jobs io.Reader, queue chan<- *Job, cancel context.CancelCauseFunc) {
	parent := os.Getppid()
	in := gob.NewDecoder(bufio.NewReader(jobs))
	for {
		j := &Job{}
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

// orphanCheck is how often a worker that is about to exit checks whether the program still runs.
const orphanCheck = 20 * time.Millisecond
