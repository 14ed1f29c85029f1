package vm

import (
	"encoding/binary"
	"slices"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/internal/layout"
)

// A profiler measures where a run spends its time. It reads the clock before and after each call of the host, and from
// time to time between the instructions of the interpreter, and adds the time since the previous reading to the line
// that runs. So the time of a call is added to its line, however long it takes.
type profiler struct {
	last    time.Time
	places  map[profiled]int
	list    []bounds.Place
	samples map[string]*bounds.Sample // by their stacks
	stack   []int                     // of the last sample
	key     []byte                    // the same
}

// profiled identifies a place.
type profiled struct {
	place
	host string
}

const (
	// profileInterval is the shortest time that is added to a place: to measure it takes a microsecond.
	profileInterval = 10 * time.Microsecond

	// profileInstructions is the number of instructions between two readings of the clock.
	profileInstructions = 256

	// profileDepth is the number of calls of a stack that are kept, from the innermost.
	profileDepth = 100
)

func newProfiler() *profiler {
	return &profiler{last: time.Now(), places: map[profiled]int{}, samples: map[string]*bounds.Sample{}}
}

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
	p.key = p.key[:0]
	for _, place := range p.stack {
		p.key = binary.AppendUvarint(p.key, uint64(place))
	}
	sample := p.samples[string(p.key)]
	if sample == nil {
		sample = &bounds.Sample{Stack: slices.Clone(p.stack)}
		p.samples[string(p.key)] = sample
	}
	sample.Nanoseconds += int64(passed)
	sample.Count++
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
	for _, sample := range m.profiler.samples {
		profile.Samples = append(profile.Samples, *sample)
	}
	return profile
}
