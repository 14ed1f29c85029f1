// Package profile shows where the scripts of a run spend their time: as a table, and as a file for go tool pprof.
package profile

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/pprof/profile"

	"roclua/luabind/record"
)

// Lua collects where the scripts of a run spend their time. It is safe for concurrent use. The zero value is ready to
// use.
type Lua struct {
	mu      sync.Mutex
	samples map[string]*sample // by the stack's places
	places  []record.LuaPlace
	known   map[record.LuaPlace]int
}

// sample is the time spent in one call stack.
type sample struct {
	stack []int // indexes of places, the innermost first
	time  time.Duration
	count int64
}

// Add adds the profile of a case.
func (l *Lua) Add(p *record.LuaProfile) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.samples == nil {
		l.samples, l.known = map[string]*sample{}, map[record.LuaPlace]int{}
	}
	places := make([]int, len(p.Places))
	for i, at := range p.Places {
		places[i] = l.index(at)
	}
	var key strings.Builder
	for _, s := range p.Samples {
		key.Reset()
		stack := make([]int, len(s.Stack))
		for i, at := range s.Stack {
			stack[i] = places[at]
			key.WriteString(strconv.Itoa(stack[i]))
			key.WriteByte(' ')
		}
		total := l.samples[key.String()]
		if total == nil {
			total = &sample{stack: stack}
			l.samples[key.String()] = total
		}
		total.time += time.Duration(s.Nanoseconds)
		total.count += s.Count
	}
}

func (l *Lua) index(at record.LuaPlace) int {
	i, ok := l.known[at]
	if !ok {
		i = len(l.places)
		l.known[at] = i
		l.places = append(l.places, at)
	}
	return i
}

// functionAt returns the name of the function of a place: "function solve.lua:3", or the file for its main chunk.
// Functions of Lua have no names.
func functionAt(p record.LuaPlace) string {
	switch {
	case p.Host != "":
		return p.Host
	case p.Defined == 0:
		return p.File
	}
	return fmt.Sprintf("function %s:%d", p.File, p.Defined)
}

// Write writes the profile for go tool pprof: the wall time and the number of measurements of each stack.
func (l *Lua) Write(w io.Writer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := &profile.Profile{DefaultSampleType: "time", SampleType: []*profile.ValueType{
		{Type: "measurements", Unit: "count"}, {Type: "time", Unit: "nanoseconds"}}}
	functions := map[string]*profile.Function{}
	for i, at := range l.places {
		name := functionAt(at)
		f := functions[name]
		if f == nil {
			f = &profile.Function{ID: uint64(len(functions) + 1), Name: name, SystemName: name, Filename: at.File,
				StartLine: int64(at.Defined)}
			functions[name] = f
			p.Function = append(p.Function, f)
		}
		p.Location = append(p.Location, &profile.Location{ID: uint64(i + 1),
			Line: []profile.Line{{Function: f, Line: int64(at.Line)}}})
	}
	for _, s := range l.samples {
		one := &profile.Sample{Value: []int64{s.count, int64(s.time)}}
		for _, i := range s.stack {
			one.Location = append(one.Location, p.Location[i])
		}
		p.Sample = append(p.Sample, one)
		p.DurationNanos += int64(s.time)
	}
	return p.Write(w)
}
