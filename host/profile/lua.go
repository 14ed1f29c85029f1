// Package profile writes profiles of runs for go tool pprof, and a table of where scripts spend their time.
package profile

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"roclua/luabind/record"
)

// Lua collects where the scripts of a run spend their time. It is safe for concurrent use. The zero value is ready to
// use.
type Lua struct {
	mu      sync.Mutex
	samples map[string]*sample // by the stack's places
	places  []place
	known   map[place]int
}

// place is a line of a script, or a function of the host.
type place struct {
	file          string
	line, defined int
	host          string
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

// function returns the name of the function of a place: "function solve.lua:3", or the file for its main chunk.
// Functions of Lua have no names.
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
	b := newBuilder()
	b.valueType("measurements", "count")
	b.out.number(profileDefaultSample, b.valueType("time", "nanoseconds"))
	for i, at := range l.places {
		b.location(uint64(i+1), at)
	}
	var total time.Duration
	for _, s := range l.samples {
		b.sample(s)
		total += s.time
	}
	b.out.number(profileDuration, uint64(total))
	return compress(w, b.out)
}

// builder builds the message of a profile of scripts.
type builder struct {
	out       message
	strings   map[string]uint64
	functions map[string]uint64 // ids by the names
}

func newBuilder() *builder {
	b := &builder{strings: map[string]uint64{}, functions: map[string]uint64{}}
	b.string("")
	return b
}

// string returns the index of a string in the string table.
func (b *builder) string(s string) uint64 {
	i, known := b.strings[s]
	if !known {
		i = uint64(len(b.strings))
		b.strings[s] = i
		b.out.text(profileString, s)
	}
	return i
}

// valueType adds a type of sample value. It returns the index of its name.
func (b *builder) valueType(name, unit string) uint64 {
	n, u := b.string(name), b.string(unit)
	var m message
	m.number(typeName, n)
	m.number(typeUnit, u)
	b.out.bytes(profileSampleType, m)
	return n
}

// location adds a place, and its function if its name is new.
func (b *builder) location(id uint64, at place) {
	name := at.function()
	function, known := b.functions[name]
	if !known {
		function = uint64(len(b.functions) + 1)
		b.functions[name] = function
		n, file := b.string(name), b.string(at.file)
		var f message
		f.number(functionID, function)
		f.number(functionName, n)
		f.number(functionSystem, n)
		f.number(functionFile, file)
		f.number(functionFirstLine, uint64(at.defined))
		b.out.bytes(profileFunction, f)
	}
	var location, line message
	line.number(lineFunction, function)
	line.number(lineNumber, uint64(at.line))
	location.number(locationID, id)
	location.bytes(locationLine, line)
	b.out.bytes(profileLocation, location)
}

func (b *builder) sample(s *sample) {
	locations := make([]uint64, len(s.stack))
	for i, at := range s.stack {
		locations[i] = uint64(at + 1)
	}
	var m message
	m.numbers(sampleLocations, locations)
	m.numbers(sampleValues, []uint64{uint64(s.count), uint64(s.time)})
	b.out.bytes(profileSample, m)
}
