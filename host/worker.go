package host

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

// worker is a process of the program's own that runs one case after the other. Whatever a C library does to it, the program
// and the other cases go on.
type worker struct {
	command *exec.Cmd
	jobs    io.WriteCloser
	encoder *gob.Encoder
	decoder *gob.Decoder
	answers *os.File
	last    *os.File
	printed *capture
	ended   chan struct{} // closed when the process has ended, with
	how     error         // what Wait said
}

// noticeGrace is how long after its limit a case may take to notice it. One that stays in a call of a C library notices
// nothing: its worker is killed then.
const noticeGrace = 700 * time.Millisecond

// answerGrace is how long an answer may take to be read after its worker ended. What a library started may hold the pipes
// open for longer.
const answerGrace = time.Second

// watchdogGrace is how long after its limit a case may take to end by itself, teardown included, before its worker is
// killed.
const watchdogGrace = 7 * time.Second

// during names the call that was in progress: " during hipFree at a.lua:3", or "" when it is unknown.
func during(call string) string {
	if call == "" {
		return ""
	}
	return " during " + call
}

// startWorker starts a process. What its libraries print is captured; with live, what scripts print goes there.
func startWorker(live io.Writer) (*worker, error) {
	program, err := os.Executable()
	if err != nil { // without /proc, say
		program, err = exec.LookPath(os.Args[0])
	}
	if err != nil {
		return nil, fmt.Errorf("cannot find the program to start a worker process: %w", err)
	}
	w := &worker{printed: newCapture(), ended: make(chan struct{})}
	args := []string{"worker"}
	if live != nil {
		args = append(args, "--live")
	}
	w.command = exec.Command(program, args...)
	w.command.Env = os.Environ()
	w.command.WaitDelay = answerGrace
	w.command.Stderr = w.printed
	w.command.Stdout = w.printed
	if live != nil {
		w.command.Stdout = live
	}
	if w.last, err = os.CreateTemp("", "roclua-last-call-*"); err != nil {
		return nil, err
	}
	os.Remove(w.last.Name())
	if err := w.last.Truncate(lastCallBytes); err != nil {
		return nil, err
	}
	var theirs *os.File
	if w.answers, theirs, err = os.Pipe(); err != nil {
		return nil, err
	}
	w.command.ExtraFiles = []*os.File{theirs, w.last}
	if w.jobs, err = w.command.StdinPipe(); err == nil {
		err = w.command.Start()
	}
	theirs.Close()
	if err != nil {
		return nil, fmt.Errorf("cannot start a worker process: %w", err)
	}
	w.encoder, w.decoder = gob.NewEncoder(w.jobs), gob.NewDecoder(bufio.NewReader(w.answers))
	go func() {
		w.how = w.command.Wait()
		w.answers.SetReadDeadline(time.Now().Add(answerGrace))
		close(w.ended)
	}()
	return w, nil
}

// gone reports whether the process has ended.
func (w *worker) gone() bool {
	select {
	case <-w.ended:
		return true
	default:
		return false
	}
}

// run hands a job over and waits for its answer, for as long as the case may take. Whether the worker can take another job
// is up to what became of it.
func (w *worker) run(ctx context.Context, j *job) (*luabind.Record, fate) {
	w.printed.take()
	if err := forgetLastCall(w.last); err != nil {
		return &luabind.Record{End: luabind.EndOf(fmt.Errorf("the worker process cannot be watched: %w", err))}, spent
	}
	started := time.Now()
	var mu sync.Mutex // guards:
	var answered, late bool
	end := func() {
		mu.Lock()
		defer mu.Unlock()
		if !answered { // else the worker may be in another case by now
			late = true
			w.kill()
		}
	}
	deaf := time.AfterFunc(j.Limits.Timeout+noticeGrace, func() {
		if readPhase(w.last) == phaseRunning {
			end()
		}
	})
	defer deaf.Stop()
	watchdog := time.AfterFunc(j.Limits.Timeout+watchdogGrace, end)
	defer watchdog.Stop()
	interrupted := context.AfterFunc(ctx, w.interrupt)
	defer interrupted()
	var a reply
	err := w.encoder.Encode(j)
	if err == nil {
		err = w.decoder.Decode(&a)
	}
	mu.Lock()
	answered = true
	mu.Unlock()
	if err != nil {
		return w.postMortem(ctx, j, started, err, late)
	}
	record := a.Record
	w.printed.await(answerGrace)
	record.Log += w.printed.take()
	if a.Lost || ctx.Err() != nil {
		return record, spent
	}
	return record, usable
}

// fate is what became of a worker by a job.
type fate int

const (
	usable    fate = iota // it takes another
	spent                 // it takes no other
	untouched             // it ended before it began with the job
)

// postMortem tells how a worker ended that gave no answer, late when the watchdog ended it. One that gave nonsense is ended here.
func (w *worker) postMortem(ctx context.Context, j *job, started time.Time, cause error, late bool) (*luabind.Record, fate) {
	nonsense := !errors.Is(cause, io.EOF) && !errors.Is(cause, io.ErrUnexpectedEOF) && !errors.Is(cause, syscall.EPIPE) && !late && !w.gone()
	if nonsense {
		w.kill()
	}
	<-w.ended
	printed, how := cutFault(w.printed.take())
	last, began := readLastCall(w.last), hasBegun(w.last)
	switch {
	case nonsense:
		how = "was killed because its reply cannot be read (" + cause.Error() + ")"
	case how == "":
		how = howItEnded(w.how)
	}
	record := &luabind.Record{Seconds: time.Since(started).Seconds(), Log: printed, Required: j.Library,
		End: &luabind.End{Kind: luabind.EndDied, Message: how, Func: last}}
	switch {
	case ctx.Err() != nil:
		record.End = luabind.EndOf(context.Canceled)
	case !began && !nonsense:
		return record, untouched
	case late:
		record.End = luabind.EndOf(luabind.TimedOut(j.Limits.Timeout))
		record.Problems = append(record.Problems, "the worker process did not answer and was killed"+during(last))
	}
	return record, spent
}

// faultLine is what Go's runtime prints first when a signal ends the process, inside a C library too; its own stacks follow.
var faultLine = regexp.MustCompile(`(?m)^(SIG[A-Z]+): (.+)\n`)

// cutFault takes the runtime's account of a fatal signal from what was printed, and gives the signal in words.
func cutFault(printed string) (rest, signal string) {
	at := faultLine.FindStringSubmatchIndex(printed)
	if at == nil {
		return printed, ""
	}
	return printed[:at[0]], fmt.Sprintf("was killed by %s (%s)", printed[at[2]:at[3]], printed[at[4]:at[5]])
}

// howItEnded says in words how a process ended.
func howItEnded(err error) string {
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

// interrupt asks the worker to end its case, and insists after a while. It is asked by the end of its jobs: a signal may come
// from elsewhere, too, as Ctrl-C does, which reaches every process of the terminal.
func (w *worker) interrupt() {
	w.jobs.Close()
	time.AfterFunc(watchdogGrace, w.kill)
}

// stop lets the worker end: it has no more jobs to wait for.
func (w *worker) stop() {
	w.jobs.Close()
	late := time.AfterFunc(watchdogGrace, w.kill)
	<-w.ended
	late.Stop()
	w.answers.Close()
	w.last.Close()
}
