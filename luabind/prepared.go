package luabind

import (
	"context"
	"io"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/record"
	"roclua/workspace"
)

// Prepared is a script whose top level runs before its case is known, and only once: the top level declares the
// scenarios of the file, and the case continues from there. It is for scripts that may have effects outside of the
// sandbox. Its methods belong to one goroutine; the top level runs in another one.
type Prepared struct {
	script *Script
	state  *state
	test   *test
	output *switchedWriter
	cancel context.CancelCauseFunc

	known    chan struct{} // closed when the scenarios are known
	once     sync.Once     // closes known
	list     []*record.Scenario
	err      error
	begun    chan Options // receives the options of the case, when the top level needs a device
	loaded   chan struct{}
	returned loaded // the result of the top level, after loaded is closed
	closed   sync.Once
}

// Prepare begins to run the top level of a file, until it needs a device. It uses the same options as Describe, and the
// output, to which the top level prints until Run.
func (sc *Script) Prepare(seed uint64, o Options) *Prepared {
	ctx, cancel := context.WithCancelCause(context.Background())
	p := &Prepared{script: sc, output: &switchedWriter{out: o.Output}, cancel: cancel, known: make(chan struct{}),
		begun: make(chan Options), loaded: make(chan struct{}),
		test: &test{scope: scope{record: &record.Record{}}, bytes: lua.LNil, setUp: setUp}}
	o.Runtime, o.Profile, o.Output = nil, workspace.Profiles()[0], io.MultiWriter(p.output, &p.test.log)
	p.state = newState(ctx, seed, o)
	p.state.Await = p.await
	p.test.s = p.state
	p.test.object = p.state.VM.Object(testType, p.test)
	go func() {
		defer close(p.loaded)
		p.returned = p.state.load(sc)
		p.describe(sc.declared(p.state, p.returned))
	}()
	return p
}

// describe sets the scenarios of the script, once.
func (p *Prepared) describe(list []*record.Scenario, err error) {
	p.once.Do(func() {
		p.list, p.err = p.state.described(list, err)
		close(p.known)
	})
}

// await waits for the case, in the goroutine of the top level, which needs a device.
func (p *Prepared) await() {
	p.describe([]*record.Scenario{{Plain: true}}, nil)
	select {
	case o := <-p.begun:
		p.state.adopt(o)
	case <-p.state.VM.Context().Done():
	}
}

// adopt sets the device of a state that had none.
func (s *state) adopt(o Options) {
	s.opts.Over, s.opts.Fresh, s.opts.Setups = o.Over, o.Fresh, o.Setups
	s.replaceRuntime(o.Runtime, o.Profile, o.Tuning)
}

// Scenarios returns the scenarios of the file, as Describe does. If the top level does not end before ctx, that is an
// error, and the top level continues.
func (p *Prepared) Scenarios(ctx context.Context) ([]*record.Scenario, error) {
	select {
	case <-p.known:
		return p.list, p.err
	case <-ctx.Done():
		return []*record.Scenario{{}}, context.Cause(ctx)
	}
}

// Run continues with the top level, and executes and records a case as the function Run does. It can be
// called once. It uses only the runtime, the profile and the output of the options.
func (p *Prepared) Run(ctx context.Context, c record.Case, o Options) *record.Record {
	start := time.Now()
	defer context.AfterFunc(ctx, func() { p.cancel(context.Cause(ctx)) })()
	defer p.Close()
	p.test.c = c
	p.output.set(o.Output)
	select {
	case p.begun <- o:
	case <-p.loaded:
	}
	<-p.loaded
	if p.state.Runtime == nil {
		p.state.adopt(o)
	}
	return p.test.finish(start, o, p.test.continueWith(p.script, p.returned))
}

// Close ends the script, even if it had no case.
func (p *Prepared) Close() {
	p.closed.Do(func() {
		p.cancel(context.Canceled)
		<-p.loaded
		p.state.close()
	})
}

// switchedWriter writes to one writer until another one is set. Goroutines can use it in parallel.
type switchedWriter struct {
	mu  sync.Mutex
	out io.Writer // nil discards
}

func (w *switchedWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.out == nil {
		return len(b), nil
	}
	return w.out.Write(b)
}

func (w *switchedWriter) set(out io.Writer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.out = out
}
