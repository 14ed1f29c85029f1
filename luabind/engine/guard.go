package engine

import (
	"fmt"
	"sync"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
)

// IsShared reports whether other threads use the runtime, too.
func (e *Engine) IsShared() bool { return e.Thread != nil && e.Thread.Several() }

// During uses the runtime outside of a call from a script.
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

// Shared is an object that scripts of several machines can use.
type Shared interface {
	// Share returns the object for scripts of another machine.
	Share(to *Engine) lua.LValue
}

// Guarded is an object that several machines may have.
type Guarded interface {
	// Guard returns the guard of the object; nil if one machine has it.
	Guard() *Guard
}

// Guard lets one of several machines use a shared object, and records calls that no wait for the device
// orders after the call of another machine: the libraries forbid them. On a platform that does not know this order, it
// records calls that overlap.
type Guard struct {
	owner atomic.Pointer[Engine]
	mu    sync.Mutex // held during a call; guards the fields below

	depth     int           // of nested calls, as in handle:query
	last      string        // the latest call and its line; "" before the first one
	by        *Engine       // that made it
	end       driver.Moment // after it
	unordered []string      // the first unorderedKept
	count     int
}

const unorderedKept = 4

// guardOf returns the guard of the object of a method call, or nil.
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
	if g.owner.Load() == c.Engine {
		g.depth++
		return
	}
	overlaps := !g.mu.TryLock()
	if clock := c.Runtime.Clock(); overlaps && clock != nil {
		for !g.mu.TryLock() {
			clock.Look()
			clock.Turn()
		}
	} else if overlaps {
		g.mu.Lock()
	}
	g.owner.Store(c.Engine)
	call := fmt.Sprintf("%s at %s", c.Fn.Title(), c.Where(c.L))
	if g.by != c.Engine && (overlaps || !c.Thread.Follows(g.end)) {
		if g.count++; len(g.unordered) < unorderedKept {
			g.unordered = append(g.unordered, fmt.Sprintf("%s after %s", call, g.last))
		}
	}
	g.depth, g.last, g.by = 1, call, c.Engine
}

func (g *Guard) unlock() {
	if g.depth--; g.depth > 0 {
		return
	}
	g.end = g.by.Thread.Moment()
	g.owner.Store(nil)
	g.mu.Unlock()
}

// Unordered returns the first calls that are not ordered after the call before them, and the number of all.
func (g *Guard) Unordered() (first []string, all int) { return g.unordered, g.count }
