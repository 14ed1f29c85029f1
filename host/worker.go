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
	"os/exec"
	"regexp"
	"strings"
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
}

// noticeGrace is how long after its limit a case may take to notice it. One that stays in a call of a C library notices
// nothing: its worker is killed then.
const noticeGrace = 700 * time.Millisecond

// watchdogGrace is how long after its limit a case may take to end by itself, teardown included, before its worker is
// killed.
const watchdogGrace = 7 * time.Second

// died is the end of a case whose worker ended before it answered.
type died struct {
	how  string // "killed by signal 11 (segmentation fault)"
	last string // the call under way, "" when nobody knows
}

func (d *died) Error() string {
	return "the worker process was " + d.how + during(d.last)
}

// during names the call that was under way, when it is known.
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
	w := &worker{printed: &capture{}}
	args := []string{"worker"}
	if live != nil {
		args = append(args, "--live")
	}
	w.command = exec.Command(program, args...)
	w.command.Env = os.Environ()
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
	return w, nil
}

// run hands a job over and waits for its answer, for as long as the case may take. usable reports whether the worker can
// take another.
func (w *worker) run(ctx context.Context, j *job) (record *luabind.Record, usable bool) {
	w.printed.take()
	started := time.Now()
	deaf := time.AfterFunc(j.Limits.Timeout+noticeGrace, func() {
		if readPhase(w.last) == phaseRunning {
			w.kill()
		}
	})
	defer deaf.Stop()
	watchdog := time.AfterFunc(j.Limits.Timeout+watchdogGrace, w.kill)
	defer watchdog.Stop()
	interrupted := context.AfterFunc(ctx, w.interrupt)
	defer interrupted()
	var a answer
	err := w.encoder.Encode(j)
	if err == nil {
		err = w.decoder.Decode(&a)
	}
	if err != nil {
		return w.postMortem(ctx, j, started), false
	}
	record = a.record()
	record.Log += w.printed.take()
	return record, !a.Lost
}

// postMortem tells how a worker ended that gave no answer.
func (w *worker) postMortem(ctx context.Context, j *job, started time.Time) *luabind.Record {
	err := w.command.Wait()
	printed, signal := cutFault(w.printed.take())
	how := signal
	if how == "" {
		how = howItEnded(err)
	}
	record := &luabind.Record{Seconds: time.Since(started).Seconds(), Log: printed, Err: &died{how: how, last: readLastCall(w.last)}, Required: j.Library}
	switch {
	case ctx.Err() != nil:
		record.Err = context.Canceled
	case record.Seconds >= j.Limits.Timeout.Seconds():
		record.Err = luabind.TimedOut(j.Limits.Timeout)
		record.Problems = append(record.Problems, "the worker process did not answer and was killed"+during(readLastCall(w.last)))
	}
	return record
}

// faultLine is what Go's runtime prints first when a signal ends the process, inside a C library too; its own stacks follow.
var faultLine = regexp.MustCompile(`(?m)^(SIG[A-Z]+): (.+)\n`)

// cutFault takes the runtime's account of a fatal signal from what was printed, and gives the signal in words.
func cutFault(printed string) (rest, signal string) {
	at := faultLine.FindStringSubmatchIndex(printed)
	if at == nil {
		return printed, ""
	}
	return printed[:at[0]], fmt.Sprintf("killed by %s (%s)", printed[at[2]:at[3]], printed[at[4]:at[5]])
}

// howItEnded says in words how a process ended.
func howItEnded(err error) string {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return "gone without a word"
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("killed by signal %d (%s)", int(status.Signal()), status.Signal())
	}
	return fmt.Sprintf("ended with exit status %d", exit.ExitCode())
}

func (w *worker) kill() { w.command.Process.Kill() }

// interrupt asks the worker to end its case, and insists after a while.
func (w *worker) interrupt() {
	w.command.Process.Signal(os.Interrupt)
	time.AfterFunc(watchdogGrace, w.kill)
}

// stop lets the worker end: it has no more jobs to wait for.
func (w *worker) stop() {
	w.jobs.Close()
	late := time.AfterFunc(watchdogGrace, w.kill)
	w.command.Wait()
	late.Stop()
	w.answers.Close()
	w.last.Close()
}

// capture keeps what a process prints.
type capture struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// captureLimit bounds what is kept of one case.
const captureLimit = 1 << 20

func (c *capture) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if room := captureLimit - c.text.Len(); room > 0 {
		c.text.Write(b[:min(len(b), room)])
	}
	return len(b), nil
}

// take returns what was printed since it was last called.
func (c *capture) take() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := strings.ToValidUTF8(c.text.String(), "?")
	c.text.Reset()
	return text
}
