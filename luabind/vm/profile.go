package vm

import (
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/internal/layout"
)

// A profiler measures where a run spends its time. It reads the clock before and after each call of the host, and from
// time to time between the instructions of the interpreter, and adds the time since the previous reading to the line
// that runs. So the time of a call is added to its line, however long it takes.
type profiler struct {
	last   time.Time
	places map[profiled]int
	list   []bounds.Place
	stack  []int
	root   profileNode
}

// profiled identifies a place.
type profiled struct {
	place
	host string
}

// profileNode is a place with the places that were called from it.
type profileNode struct {
	time   time.Duration
	count  int64
	callee map[int]*profileNode
}

const (
	// profileInterval is the shortest time that is added to a place: to measure it takes a microsecond.
	profileInterval = 10 * time.Microsecond

	// profileInstructions is the number of instructions between two readings of the clock.
	profileInstructions = 256

	// profileDepth is the number of calls of a stack that are kept, from the innermost.
	profileDepth = 100
)

func newProfiler() *profiler { return &profiler{last: time.Now(), places: map[profiled]int{}} }

// begin starts a part of the run. The time since the last part does not count.
func (p *profiler) begin() {
	if p != nil {
		p.last = time.Now()
	}
}

// add adds the time since it was last called to the line that runs in l, and to a function of the host that the line
// called if host is not "". Shorter times than the interval are left to the next call.
func (p *profiler) add(l *lua.LState, host string) {
	if p == nil {
		return
	}
	now := time.Now()
	passed := now.Sub(p.last)
	if passed < profileInterval {
		return
	}
	p.last = now
	p.stack = p.stack[:0]
	if host != "" {
		p.stack = append(p.stack, p.index(profiled{host: host}))
	}
	for ; l != nil; l = l.Parent {
		for f := layout.Innermost(l); f.Proto() != nil && len(p.stack) < profileDepth; f = f.Caller() {
			if f.Proto().SourceName != internalSource {
				p.stack = append(p.stack, p.index(profiled{place: place{f.Proto(), f.Line()}}))
			}
		}
	}
	node := &p.root
	for i := len(p.stack) - 1; i >= 0; i-- {
		node = node.called(p.stack[i])
	}
	node.time += passed
	node.count++
}

// called returns the node of a place that was called from this one.
func (n *profileNode) called(place int) *profileNode {
	callee := n.callee[place]
	if callee == nil {
		if n.callee == nil {
			n.callee = map[int]*profileNode{}
		}
		callee = &profileNode{}
		n.callee[place] = callee
	}
	return callee
}

func (p *profiler) index(at profiled) int {
	i, ok := p.places[at]
	if !ok {
		i = len(p.list)
		p.places[at] = i
		made := bounds.Place{Host: at.host, Line: at.line}
		if at.proto != nil {
			made.File, made.Defined = at.proto.SourceName, at.proto.LineDefined
		}
		p.list = append(p.list, made)
	}
	return i
}

// Profile returns where the run has spent its time so far, if Options.Profile is set; otherwise nil.
func (m *Machine) Profile() *bounds.Profile {
	if m.profiler == nil {
		return nil
	}
	profile := &bounds.Profile{Places: m.profiler.list}
	m.profiler.root.samples(nil, profile)
	return profile
}

// samples appends the samples of a node and of its callees. callers are the places that lead to it, innermost first.
func (n *profileNode) samples(callers []int, p *bounds.Profile) {
	if n.count > 0 {
		p.Samples = append(p.Samples, bounds.Sample{Stack: callers, Nanoseconds: int64(n.time), Count: n.count})
	}
	for place, callee := range n.callee {
		callee.samples(append([]int{place}, callers...), p)
	}
}
