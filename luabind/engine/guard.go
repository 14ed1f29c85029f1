package engine

import (
	"fmt"
	"sync"

	lua "github.com/yuin/gopher-lua"
)

// IsShared reports whether other threads use the runtime, too.
func (e *Engine) IsShared() bool { return e.Thread != nil && e.Thread.Several() }

// During makes calls of the runtime outside of a call of a script.
func (e *Engine) During(do func()) {
	if e.Thread != nil {
		e.Thread.Enter()
		defer e.Thread.Leave()
	}
	do()
}

// Outside runs a part of a script during a call. Other threads use the runtime meanwhile.
func (e *Engine) Outside(do func()) {
	if e.Thread == nil {
		do()
		return
	}
	e.Thread.Outside(do)
}

// Guarded is an object that several machines may have.
type Guarded interface {
	// Guard returns what guards the object; nil if one machine has it.
	Guard() *Guard
}

// Guard lets one machine at a time use an object that several have, and records calls that overlap: the libraries
// forbid them.
type Guard struct {
	mu    sync.Mutex // held during a call
	owner *Engine
	depth int // of nested calls, as in handle:query

	state    sync.Mutex // guards the owner and what follows
	call     string     // the call in progress and its line
	overlaps []string   // the first overlapsKept
	count    int
}

const overlapsKept = 4

// guardOf returns what guards the object on which a call is made, or nil.
func guardOf(c *Call) *Guard {
	v := c.L.Get(1)
	if t, ok := v.(*lua.LTable); ok {
		v = t.RawGetString("handle")
	}
	if ud, ok := v.(*lua.LUserData); ok {
		if g, ok := ud.Value.(Guarded); ok {
			return g.Guard()
		}
	}
	return nil
}

func (g *Guard) lock(c *Call) {
	g.state.Lock()
	owned := g.owner == c.Engine
	g.state.Unlock()
	if owned {
		g.depth++
		return
	}
	call := fmt.Sprintf("%s at %s", c.Fn.Title(), c.Where(c.L))
	if !g.mu.TryLock() {
		g.overlap(call)
		g.mu.Lock()
	}
	g.state.Lock()
	defer g.state.Unlock()
	g.owner, g.depth, g.call = c.Engine, 1, call
}

func (g *Guard) unlock() {
	if g.depth--; g.depth > 0 {
		return
	}
	g.state.Lock()
	g.owner, g.call = nil, ""
	g.state.Unlock()
	g.mu.Unlock()
}

func (g *Guard) overlap(call string) {
	g.state.Lock()
	defer g.state.Unlock()
	if g.call == "" {
		return // the other call has ended
	}
	if g.count++; len(g.overlaps) < overlapsKept {
		g.overlaps = append(g.overlaps, fmt.Sprintf("%s began during %s", call, g.call))
	}
}

// Overlaps returns the first calls that overlapped, and the number of all.
func (g *Guard) Overlaps() (first []string, all int) { return g.overlaps, g.count }
