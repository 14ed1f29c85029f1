package hip

import (
	"cmp"
	"slices"

	"roclua/hip/driver"
)

// Leak is something that is still open, with the call that made it.
type Leak struct {
	Kind   string     // "device memory", "stream", "event", "graph" or "executable graph"
	Ptr    driver.Ptr // device memory only
	Bytes  uint64     // device memory only
	Origin string     // the line of the script that made it: "solve.lua:12"
	Call   string     // the call that made it, as in C
	Cause  string     // "script", or why a library made the call: "create_handle"
}

// openObjects are the streams, events and graphs that are open, numbered in the order of their creation.
type openObjects struct {
	streams map[*Stream]int
	events  map[*Event]int
	graphs  map[*Graph]int
	execs   map[*GraphExec]int
	serial  int
}

func (o *openObjects) addGraph(g *Graph)         { number(o, &o.graphs, g) }
func (o *openObjects) addGraphExec(e *GraphExec) { number(o, &o.execs, e) }
func (o *openObjects) addStream(s *Stream)       { number(o, &o.streams, s) }
func (o *openObjects) addEvent(e *Event)         { number(o, &o.events, e) }

// number adds an object to the map of its kind, with the next number. A map is made for the first object.
func number[K comparable](o *openObjects, kind *map[K]int, object K) {
	if *kind == nil {
		*kind = map[K]int{}
	}
	o.serial++
	(*kind)[object] = o.serial
}

// Leaks returns what is open now: device memory, streams, events and graphs, each in the order of creation. It includes
// what a library holds for a script, with its cause.
func (rt *Runtime) Leaks() []Leak {
	var leaks []Leak
	blocks := slices.SortedFunc(slices.Values(rt.blocks.live), func(a, b *block) int {
		return cmp.Compare(a.serial, b.serial)
	})
	for _, b := range blocks {
		leaks = append(leaks, Leak{Kind: "device memory", Ptr: b.base, Bytes: b.bytes, Origin: b.allocatedBy.Origin,
			Call: b.allocatedBy.Call, Cause: b.cause})
	}
	for _, s := range sortedByNumber(rt.open.streams) {
		leaks = append(leaks, Leak{Kind: "stream", Origin: s.createdBy.Origin, Call: s.createdBy.Call, Cause: s.cause})
	}
	for _, e := range sortedByNumber(rt.open.events) {
		leaks = append(leaks, Leak{Kind: "event", Origin: e.createdBy.Origin, Call: e.createdBy.Call, Cause: e.cause})
	}
	for _, g := range sortedByNumber(rt.open.graphs) {
		leaks = append(leaks, Leak{Kind: "graph", Origin: g.createdBy.Origin, Call: g.createdBy.Call, Cause: g.cause})
	}
	for _, e := range sortedByNumber(rt.open.execs) {
		leaks = append(leaks, Leak{Kind: "executable graph", Origin: e.createdBy.Origin, Call: e.createdBy.Call,
			Cause: e.cause})
	}
	return leaks
}

// sortedByNumber returns the keys by their numbers.
func sortedByNumber[K comparable](m map[K]int) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b K) int { return cmp.Compare(m[a], m[b]) })
	return keys
}
