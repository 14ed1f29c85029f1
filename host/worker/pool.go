package worker

import (
	"context"
	"os"
	"sync"

	"roclua/host/config"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
)

// Pool starts worker processes and keeps them for further requests. Its methods can be called at the same time. Close
// ends the processes.
type Pool struct {
	stdin  *os.File
	memory uint64        // resident bytes of one process; 0 for no limit
	total  func() uint64 // resident bytes of all processes; 0 for no limit

	LuaProfile bool // the top level of scripts is measured for profiles

	mu   sync.Mutex
	all  map[*process]bool
	idle []*process

	large sync.Mutex // held from reading a large reply until its record is stored
}

// NewPool returns a pool without processes. stdin is the standard input of scripts that may read it; nil is none.
func NewPool(stdin *os.File) *Pool {
	total := sync.OnceValue(func() uint64 { return available() / 10 * 8 })
	return &Pool{stdin: stdin, total: total, all: map[*process]bool{}}
}

// Configure sets the memory that processes may use.
func (p *Pool) Configure(l config.Limits) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.memory = uint64(l.Memory)
}

// take returns a process that waits for requests.
func (p *Pool) take(sandbox string) (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 {
		w := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		return w, nil
	}
	stdin := p.stdin
	if sandbox != bounds.SandboxFull {
		stdin = nil
	}
	w, err := start(stdin, p)
	if err == nil {
		p.all[w] = true
	}
	return w, err
}

// put keeps a process for further requests.
func (p *Pool) put(w *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, w)
}

func (p *Pool) retire(w *process) {
	p.mu.Lock()
	delete(p.all, w)
	p.mu.Unlock()
	w.stop()
}

// Close ends the processes that wait for requests. The pool can be used further.
func (p *Pool) Close() {
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	var all sync.WaitGroup
	for _, w := range idle {
		all.Go(func() { p.retire(w) })
	}
	all.Wait()
}

// exceeded returns the limit of resident memory that a process exceeds: its own, or, if it is the largest process and
// all together use more than the machine has for them, the rest of that. It returns 0 for none. total is the memory of
// all processes in the second case.
func (p *Pool) exceeded(s *supervisor) (limit, total uint64) {
	used := s.used.Load()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.memory > 0 && used > p.memory {
		return p.memory, 0
	}
	for w := range p.all {
		other := w.watch.used.Load()
		total += other
		if other > used {
			return 0, 0
		}
	}
	most := p.total()
	if most == 0 || total <= most {
		return 0, 0
	}
	return most - min(most-1, total-used), total
}

// Describe describes a script in a worker. A script that ends its worker is a plain script:
// its case shows how it ends. The error is that no worker can be started, or the error of ctx.
func (p *Pool) Describe(ctx context.Context, script *Script) (Description, error) {
	w, err := p.take(script.Sandbox)
	if err != nil {
		return Description{}, err
	}
	for first := true; ; first = false {
		settings := script.Settings
		settings.Profile = p.LuaProfile
		w.queue(nil, script.File, settings)
		r, err := w.receive(ctx, nil)
		if err == nil && r.Description != nil && ctx.Err() == nil {
			p.put(w)
			return *r.Description, nil
		}
		number, _ := w.shared.state()
		began := number == w.number.Load()
		w.kill()
		p.retire(w)
		if ctx.Err() != nil {
			return Description{}, ctx.Err()
		}
		if began || !first {
			return Description{Scenarios: []*record.Scenario{{Plain: true}}}, nil
		}
		if w, err = p.take(script.Sandbox); err != nil {
			return Description{}, err
		}
	}
}
