package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"
)

// process is a worker process of this program. It serves one request after another.
type process struct {
	command  *exec.Cmd
	requests *os.File // the process reads requests from the other end
	replies  *os.File // the process writes replies to the other end
	sender   *sender
	receiver *receiver
	output   *os.File // standard output and standard error of the process
	memory   *os.File // behind shared
	shared   *shared
	number   atomic.Uint32 // of the last request
	watch    *supervisor
	exited   chan struct{} // closed when the process has exited
}

const (
	// replyGrace is how long a reply may take to be read after the worker exited. Processes that a library started
	// may keep the pipe open for longer.
	replyGrace = time.Second

	// exitGrace is how long a worker may take to exit, or to end a case that was interrupted, before it is killed.
	exitGrace = killGrace
)

// Files that a process inherits, in this order. Replies have their own pipe, since C libraries print where they like.
const (
	fileReplies = iota
	fileShared
	fileRequests
	fileOutput
	fileCount
)

// startedVariable is set in the environment of a worker until it serves. A program that uses this package and does not
// call Serve in its command "worker" would otherwise start itself without end.
const startedVariable = "ROCLUA_WORKER"

// Program returns the path of this program.
func Program() (string, error) {
	program, err := os.Executable()
	if err != nil { // for example without /proc
		program, err = exec.LookPath(os.Args[0])
	}
	return program, err
}

// start starts a process. stdin is its standard input; nil is none.
func start(stdin *os.File, p *Pool) (w *process, err error) {
	if os.Getenv(startedVariable) != "" {
		return nil, errors.New("a worker process cannot start another: " +
			"the command worker of this program does not serve")
	}
	program, err := Program()
	if err != nil {
		return nil, fmt.Errorf("cannot find the program to start a worker process: %w", err)
	}
	w = &process{exited: make(chan struct{}), command: exec.Command(program, "worker")}
	w.command.Env = append(os.Environ(), startedVariable+"=1")
	if stdin != nil {
		w.command.Stdin = stdin
	}
	if err := w.open(); err != nil {
		w.closeFiles()
		err = fmt.Errorf("cannot start a worker process: %w", err)
		if errors.Is(err, syscall.EMFILE) {
			err = fmt.Errorf("%w; raise the limit of open files (ulimit -n)", err)
		}
		return nil, err
	}
	w.watch = &supervisor{worker: w, pool: p, rss: openResident(w.command.Process.Pid), ended: make(chan struct{}),
		wake: make(chan struct{}, 1)}
	go func() {
		w.command.Wait()
		w.replies.SetReadDeadline(time.Now().Add(replyGrace))
		close(w.exited)
	}()
	go w.watch.run()
	return w, nil
}

func (w *process) open() (err error) {
	if w.memory, err = newFile("shared"); err != nil {
		return err
	}
	if err := w.memory.Truncate(sharedBytes); err != nil {
		return fmt.Errorf("a worker process needs %d bytes in a temporary file: %w", sharedBytes, err)
	}
	if w.shared, err = openShared(w.memory); err != nil {
		return fmt.Errorf("cannot share memory with a worker process: %w", err)
	}
	if w.output, err = newFile("output"); err != nil {
		return err
	}
	w.command.Stdout, w.command.Stderr = w.output, w.output
	theirRequests, requests, err := os.Pipe()
	if err != nil {
		return err
	}
	w.requests = requests
	defer theirRequests.Close()
	replies, theirReplies, err := os.Pipe()
	if err != nil {
		return err
	}
	w.replies = replies
	defer theirReplies.Close()
	files := make([]*os.File, fileCount)
	files[fileReplies], files[fileShared] = theirReplies, w.memory
	files[fileRequests], files[fileOutput] = theirRequests, w.output
	attach(w.command, files)
	w.sender, w.receiver = newSender(requests), newReceiver(replies)
	return w.command.Start()
}

// queue prepares to send a request, and returns its number. The next receive sends it. Without work the script is
// described.
func (w *process) queue(work *Work, file File, settings Settings) (number uint32) {
	number = w.number.Add(1)
	w.watch.expect()
	w.sender.send(&request{number, work, file, settings}) // an error shows when the reply is received
	return number
}

// receive returns the next reply. Output of running scripts goes to the output of the queue, which may be nil.
func (w *process) receive(ctx context.Context, q *Queue) (*reply, error) {
	w.sender.Flush() // wakes the process once for several requests
	if w.receiver.large = nil; q != nil {
		w.receiver.large = q.hold
	}
	defer context.AfterFunc(ctx, w.interrupt)()
	for {
		r := &reply{}
		if err := w.receiver.receive(r); err != nil {
			return nil, err
		}
		if r.Printed == nil && r.Second == nil {
			return r, nil
		}
		if q != nil {
			q.show(r)
		}
	}
}

func (w *process) hasExited() bool {
	select {
	case <-w.exited:
		return true
	default:
		return false
	}
}

func (w *process) kill() { w.command.Process.Kill() }

// interrupt requests the worker to end its case, and kills it after a while. The request is the end of its requests. A
// signal would not do: Ctrl-C sends one to every process of the terminal, and the worker ignores it.
func (w *process) interrupt() {
	w.requests.Close()
	time.AfterFunc(exitGrace, w.kill)
}

// stop lets the worker exit, which waits for requests or has exited.
func (w *process) stop() {
	w.requests.Close()
	late := time.AfterFunc(exitGrace, w.kill)
	<-w.exited
	late.Stop()
	w.watch.wait()
	w.closeFiles()
}

// closeFiles frees the files and memory of the process, which has exited or has not started.
func (w *process) closeFiles() {
	for _, f := range []*os.File{w.requests, w.replies} {
		if f != nil {
			f.Close()
		}
	}
	for _, f := range []*os.File{w.memory, w.output} {
		if f != nil {
			removeFile(f)
		}
	}
	if w.shared != nil {
		unmapShared(w.shared.memory)
		w.shared = nil
	}
}

// isClosed reports whether an error of reading or writing says that the process has closed its files.
func isClosed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, os.ErrClosed) ||
		errors.Is(err, os.ErrDeadlineExceeded)
}
