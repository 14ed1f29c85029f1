// Package profile writes profiles of runs for go tool pprof, and shows where scripts spend their time as a table.
package profile

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/pprof/profile"

	"roclua/luabind"
)

// Lua collects where the scripts of a run spend their time. Its methods can be called at the same time. The zero value
// is ready to use.
type Lua struct {
	mu      sync.Mutex
	samples map[string]*sample // by the places of the stack
	places  []place
	known   map[place]int
}

// place is a line of a script, or a function of the host.
type place struct {
	file          string
	line, defined int
	host          string
}

// sample is the time that was spent in one place, called from others.
type sample struct {
	stack []int // indexes of places, the innermost first
	time  time.Duration
	count int64
}

// Add adds where a case spent its time.
func (l *Lua) Add(p *luabind.LuaProfile) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.samples == nil {
		l.samples, l.known = map[string]*sample{}, map[place]int{}
	}
	places := make([]int, len(p.Places))
	for i, at := range p.Places {
		places[i] = l.index(place{at.File, at.Line, at.Defined, at.Host})
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

func (l *Lua) index(at place) int {
	i, ok := l.known[at]
	if !ok {
		i = len(l.places)
		l.known[at] = i
		l.places = append(l.places, at)
	}
	return i
}

// function returns the name of the function that a place belongs to: "function solve.lua:3", or the file for its main
// chunk. Functions of Lua have no names.
func (p place) function() string {
	switch {
	case p.host != "":
		return p.host
	case p.defined == 0:
		return p.file
	}
	return fmt.Sprintf("function %s:%d", p.file, p.defined)
}

// Write writes the profile for go tool pprof: the wall time and the number of measurements of each stack.
func (l *Lua) Write(w io.Writer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := &profile.Profile{DefaultSampleType: "time", SampleType: []*profile.ValueType{
		{Type: "measurements", Unit: "count"}, {Type: "time", Unit: "nanoseconds"}}}
	functions := map[string]*profile.Function{}
	for i, at := range l.places {
		name := at.function()
		f := functions[name]
		if f == nil {
			f = &profile.Function{ID: uint64(len(functions) + 1), Name: name, SystemName: name, Filename: at.file,
				StartLine: int64(at.defined)}
			functions[name] = f
			p.Function = append(p.Function, f)
		}
		p.Location = append(p.Location, &profile.Location{ID: uint64(i + 1),
			Line: []profile.Line{{Function: f, Line: int64(at.line)}}})
	}
	for _, s := range l.samples {
		made := &profile.Sample{Value: []int64{s.count, int64(s.time)}}
		for _, at := range s.stack {
			made.Location = append(made.Location, p.Location[at])
		}
		p.Sample = append(p.Sample, made)
		p.DurationNanos += int64(s.time)
	}
	return p.Write(w)
}
