package run

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"syscall"
	"time"

	"roclua/luabind"
)

// worker is a process of this program that runs one case after another. A C library that crashes ends only this
// process.
type worker struct {
	command *exec.Cmd
	jobs    io.WriteCloser
	encoder *gob.Encoder
	decoder *gob.Decoder
	replies *os.File
	last    *os.File      // the last call; see lastCall
	printed *capture      // output of the process
	exited  chan struct{} // closed when the process has exited, after
	exitErr error         // was set to what Wait returned
}

const (
	// limitGrace is how long after its time limit a case may take to notice the limit. A case that does not, because
	// it is inside a call of a C library, is ended by killing its worker.
	limitGrace = 700 * time.Millisecond

	// replyGrace is how long a reply may take to be read after its worker exited. Processes that a library started
	// may keep the pipes open for longer.
	replyGrace = time.Second

	// killGrace is how long after its time limit a case may take to end, teardown included, before its worker is
	// killed.
	killGrace = 7 * time.Second
)

// workerState says whether a worker can be used after a job.
type workerState int

const (
	workerReady    workerState = iota // it accepts another job
	workerDone                        // it accepts no other job
	workerNotBegun                    // it exited before it began with the job
)

// startWorker starts a process. Its output is captured; if live is not nil, what scripts print goes there.
func startWorker(live io.Writer) (*worker, error) {
	program, err := os.Executable()
	if err != nil { // for example without /proc
		program, err = exec.LookPath(os.Args[0])
	}
	if err != nil {
		return nil, fmt.Errorf("cannot find the program to start a worker process: %w", err)
	}
	w := &worker{printed: newCapture(), exited: make(chan struct{})}
	args := []string{"worker"}
	if live != nil {
		args = append(args, "--live")
	}
	w.command = exec.Command(program, args...)
	w.command.Env = os.Environ()
	w.command.WaitDelay = replyGrace
	w.command.Stderr = w.printed
	w.command.Stdout = w.printed
	if live != nil {
		w.command.Stdout = live
	}
	if err := w.start(); err != nil {
		return nil, err
	}
	w.encoder, w.decoder = gob.NewEncoder(w.jobs), gob.NewDecoder(bufio.NewReader(w.replies))
	go func() {
		w.exitErr = w.command.Wait()
		w.replies.SetReadDeadline(time.Now().Add(replyGrace))
		close(w.exited)
	}()
	return w, nil
}

// start opens the files of the process and starts it.
func (w *worker) start() (err error) {
	if w.last, err = os.CreateTemp("", "roclua-last-call-*"); err != nil {
		return err
	}
	os.Remove(w.last.Name())
	if err := w.last.Truncate(lastCallBytes); err != nil {
		return err
	}
	replies, theirs, err := os.Pipe()
	if err != nil {
		return err
	}
	defer theirs.Close()
	w.replies = replies
	w.command.ExtraFiles = []*os.File{theirs, w.last}
	if w.jobs, err = w.command.StdinPipe(); err == nil {
		err = w.command.Start()
	}
	if err != nil {
		return fmt.Errorf("cannot start a worker process: %w", err)
	}
	return nil
}

// hasExited reports whether the process has exited.
func (w *worker) hasExited() bool {
	select {
	case <-w.exited:
		return true
	default:
		return false
	}
}

// run sends a job and waits for the reply, for as long as the case may take.
func (w *worker) run(ctx context.Context, j *Job) (*luabind.Record, workerState) {
	w.printed.take()
	if err := clearLastCall(w.last); err != nil {
		return &luabind.Record{End: luabind.EndOf(fmt.Errorf("the worker process cannot be monitored: %w", err))},
			workerDone
	}
	started := time.Now()
	d := w.startDeadline(j.Limits.Timeout)
	defer context.AfterFunc(ctx, w.interrupt)()
	var r reply
	err := w.encoder.Encode(j)
	if err == nil {
		err = w.decoder.Decode(&r)
	}
	late := d.end()
	if err != nil {
		return w.postMortem(ctx, j, started, err, late)
	}
	w.printed.await(replyGrace)
	r.Record.Log += w.printed.take()
	if r.Lost || ctx.Err() != nil {
		return &r.Record, workerDone
	}
	return &r.Record, workerReady
}

// deadline kills a worker whose case does not end in time.
type deadline struct {
	worker                 *worker
	unresponsive, overtime *time.Timer

	mu    sync.Mutex
	ended bool // the worker has replied, and may be in another case by now
	late  bool // the worker was killed
}

func (w *worker) startDeadline(timeout time.Duration) *deadline {
	d := &deadline{worker: w}
	d.unresponsive = time.AfterFunc(timeout+limitGrace, func() {
		if readPhase(w.last) == phaseRunning {
			d.kill()
		}
	})
	d.overtime = time.AfterFunc(timeout+killGrace, d.kill)
	return d
}

func (d *deadline) kill() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.ended {
		d.late = true
		d.worker.kill()
	}
}

// end stops the deadline and reports whether the worker was killed.
func (d *deadline) end() (late bool) {
	d.unresponsive.Stop()
	d.overtime.Stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended = true
	return d.late
}

// postMortem describes how a worker ended that did not reply; late says that the watchdog killed it. A worker whose
// reply cannot be decoded is killed here.
func (w *worker) postMortem(ctx context.Context, j *Job, started time.Time, cause error, late bool) (*luabind.Record,
	workerState) {
	closed := errors.Is(cause, io.EOF) || errors.Is(cause, io.ErrUnexpectedEOF) || errors.Is(cause, syscall.EPIPE)
	invalid := !closed && !late && !w.hasExited()
	if invalid {
		w.kill()
	}
	<-w.exited
	printed, how := cutFault(w.printed.take())
	last, began := readLastCall(w.last), hasBegun(w.last)
	switch {
	case invalid:
		how = "was killed because its reply cannot be read (" + cause.Error() + ")"
	case how == "":
		how = describeExit(w.exitErr)
	}
	record := &luabind.Record{Seconds: time.Since(started).Seconds(), Log: printed, Required: j.Library,
		End: &luabind.End{Kind: luabind.EndDied, Message: how, Func: last}}
	switch {
	case ctx.Err() != nil:
		record.End = luabind.EndOf(context.Canceled)
	case !began && !invalid:
		return record, workerNotBegun
	case late:
		problem := "the worker process did not answer and was killed"
		if last != "" {
			problem += " during " + last
		}
		record.End = luabind.EndOf(luabind.TimedOut(j.Limits.Timeout))
		record.Problems = append(record.Problems, problem)
	}
	return record, workerDone
}

// faultLine is what Go's runtime prints first when a signal ends the process, also inside a C library; its stacks
// follow.
var faultLine = regexp.MustCompile(`(?m)^(SIG[A-Z]+): (.+)\n`)

// cutFault removes the runtime's report of a fatal signal from what was printed, and describes the signal.
func cutFault(printed string) (rest, signal string) {
	at := faultLine.FindStringSubmatchIndex(printed)
	if at == nil {
		return printed, ""
	}
	return printed[:at[0]], fmt.Sprintf("was killed by %s (%s)", printed[at[2]:at[3]], printed[at[4]:at[5]])
}

// describeExit describes how a process ended.
func describeExit(err error) string {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return "exited unexpectedly"
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("was killed by signal %d (%s)", int(status.Signal()), status.Signal())
	}
	return fmt.Sprintf("exited with status %d", exit.ExitCode())
}

func (w *worker) kill() { w.command.Process.Kill() }

// interrupt requests the worker to end its case, and kills it after a while. The request is the end of its jobs. A
// signal would not do: Ctrl-C sends one to every process of the terminal, and the worker ignores it.
func (w *worker) interrupt() {
	w.jobs.Close()
	time.AfterFunc(killGrace, w.kill)
}

// stop lets the worker exit, which waits for jobs or has exited.
func (w *worker) stop() {
	w.jobs.Close()
	late := time.AfterFunc(killGrace, w.kill)
	<-w.exited
	late.Stop()
	w.replies.Close()
	w.last.Close()
}
