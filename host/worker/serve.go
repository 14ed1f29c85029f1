package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"roclua/host/exit"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
)

// Serve is the body of a worker process. It serves requests until there are no more or the device is lost.
func Serve() error {
	files := inherited(fileCount)
	for _, f := range files {
		if f == nil {
			return errOutside
		}
	}
	os.Unsetenv(startedVariable)     // scripts that may start processes can run this program
	signal.Ignore(ignoredSignals...) // the program decides when a case ends
	memory, err := openShared(files[fileShared])
	if err != nil {
		return errOutside
	}
	limitProcess()
	s := &server{shared: memory, output: files[fileOutput], replies: newSender(files[fileReplies])}
	s.begun, s.compiled, s.prepared = make(chan struct{}, 1), map[string]*luabind.Script{}, map[string]*prepared{}
	go s.publishHeap()
	return s.serve(files[fileRequests])
}

var errOutside = errors.New("worker is a command for the program itself")

// maxStack bounds the stack of Go in a worker, so that endless recursion ends it before it takes much memory.
const maxStack = 64 << 20

// server serves requests.
type server struct {
	shared  *shared
	output  *os.File   // standard output and standard error
	mu      sync.Mutex // guards replies: clients of a workload print while it reports seconds
	replies *sender
	number  uint32 // of the request in progress
	limit   int64  // memory limit of Go
	setups  luabind.Setups

	compiled map[string]*luabind.Script // by the name of the script
	prepared map[string]*prepared       // of scripts that were described in the full sandbox, until their case

	begun chan struct{} // receives when a request begins
}

// requestsQueued is how many requests may be sent before the first is served.
const requestsQueued = 64

// scriptsKept is how many compiled scripts a worker keeps.
const scriptsKept = 64

// serve replies to requests until there are no more or the device is lost.
func (s *server) serve(requests io.Reader) error {
	debug.SetMaxStack(maxStack)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	queue := make(chan *request, requestsQueued)
	go receive(requests, queue, cancel)
	for r := range queue {
		limits := r.Settings.Limits
		if r.Work == nil {
			limits.Timeout = (&Script{r.File, r.Settings}).timeout()
		}
		s.limitHeap(limits.Heap)
		s.number = r.Number
		s.shared.begin(r.Number, limits.Heap, limits.Timeout)
		select {
		case s.begun <- struct{}{}:
		default:
		}
		answer := s.answer(ctx, r)
		s.shared.enter(phaseDone)
		if err := s.reply(answer); err != nil || answer.Lost {
			return err
		}
		s.tidy()
	}
	if cause := context.Cause(ctx); cause != context.Canceled {
		return cause
	}
	return nil
}

func (s *server) answer(ctx context.Context, r *request) *reply {
	if r.Work == nil {
		d := s.describe(ctx, r)
		return &reply{Number: r.Number, Description: &d}
	}
	j := &Job{*r.Work, r.File, r.Settings}
	if len(s.compiled) > scriptsKept {
		clear(s.compiled)
	}
	s.compiled[j.Script] = j.Compile(s.compiled[j.Script])
	e := Execution{Script: s.compiled[j.Script], shared: s.shared, Setups: &s.setups}
	if j.Live {
		e.Output = printer{s}
	}
	e.Second = func(i record.Interval) { s.reply(&reply{Number: r.Number, Second: &i}) }
	early := ""
	if p := s.takePrepared(&r.File); p != nil {
		e.prepared, early = p.script, p.early.begin(e.Output)
	}
	record, lost := j.Execute(ctx, e)
	printed := takePrinted(s.output)
	record.Log += early + printed
	if j.Live && printed != "" {
		s.reply(&reply{Number: r.Number, Printed: []byte(printed)})
	}
	return &reply{Number: r.Number, Record: record, Lost: lost}
}

// describe describes a script. In the full sandbox its top level waits for its case, with its output so far.
func (s *server) describe(ctx context.Context, r *request) Description {
	script := &Script{r.File, r.Settings}
	if script.Sandbox != bounds.SandboxFull {
		defer takePrinted(s.output)
		return script.Describe(ctx)
	}
	if p := s.takePrepared(&r.File); p != nil {
		p.script.Close()
	}
	early := &earlyOutput{process: s.output}
	d, p := script.describe(ctx, early)
	if p != nil {
		s.prepared[r.File.Script] = &prepared{p, early, r.File.Source}
	}
	return d
}

// prepared is a script whose top level waits for its case. Only one case can have it.
type prepared struct {
	script *luabind.Prepared
	early  *earlyOutput
	source []byte
}

// takePrepared returns the prepared script of a file, or nil.
func (s *server) takePrepared(f *File) *prepared {
	p := s.prepared[f.Script]
	delete(s.prepared, f.Script)
	if p != nil && !bytes.Equal(p.source, f.Source) {
		p.script.Close()
		return nil
	}
	return p
}

func (s *server) reply(r *reply) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.replies.send(r); err != nil {
		return fmt.Errorf("worker: cannot reply: %w", err)
	}
	return s.replies.Flush()
}

// printer sends the output of a script, after earlier output of its processes and libraries.
type printer struct{ s *server }

func (p printer) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	text := append([]byte(takePrinted(p.s.output)), b...)
	return len(b), p.s.reply(&reply{Number: p.s.number, Printed: text})
}

// limitHeap makes Go collect garbage more often when a case uses much of its memory.
func (s *server) limitHeap(heap uint64) {
	limit := int64(math.MaxInt64)
	if heap > 0 && heap < math.MaxInt64/4 {
		limit = int64(heap + heapBase/2)
	}
	if limit != s.limit {
		s.limit = limit
		debug.SetMemoryLimit(limit)
	}
}

// heapInterval is how often a worker measures its memory of Go.
const heapInterval = 10 * time.Millisecond

// publishHeap writes the memory of Go into the shared memory while a request is in progress.
func (s *server) publishHeap() {
	for range s.begun {
		time.Sleep(heapInterval)
		for {
			if _, phase := s.shared.state(); phase != phaseRunning && phase != phaseCleanup {
				break
			}
			s.shared.heap().Store(heapBytes())
			time.Sleep(heapInterval)
		}
	}
}

// heapBytes returns the resident memory of Go.
func heapBytes() uint64 {
	samples := [...]metrics.Sample{{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples[:])
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}

// tidy returns the memory of a case that used much to the system, so that it does not count for the next case. It
// measures again, because a long call that Go cannot interrupt, such as a copy, keeps publishHeap from running.
func (s *server) tidy() {
	if heapBytes() > heapBase/2 {
		runtime.GC() // gopher-lua keeps frames of calls in a pool, which a second collection empties
		debug.FreeOSMemory()
	}
	s.shared.heap().Store(0)
}

// receive reads requests. When they end, the case in progress is canceled: the program was interrupted or has exited.
// If it has exited, receive ends the process without a teardown, which frees the worker's device memory at once.
func receive(requests io.Reader, queue chan<- *request, cancel context.CancelCauseFunc) {
	parent := os.Getppid()
	in := newReceiver(requests)
	for {
		r := &request{}
		err := in.receive(r)
		if err == nil {
			queue <- r
			continue
		}
		cause := context.Canceled
		if err != io.EOF {
			cause = fmt.Errorf("worker: cannot read a request: %w", err)
		}
		cancel(cause)
		close(queue)
		break
	}
	for isParent(parent) {
		time.Sleep(orphanCheck)
	}
	os.Exit(int(exit.Interrupted))
}

// orphanCheck is how often a worker that is about to exit checks whether the program still runs.
const orphanCheck = 20 * time.Millisecond
