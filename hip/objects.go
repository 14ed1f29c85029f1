package hip

import (
	"cmp"
	"maps"
	"slices"

	"roclua/hip/driver"
)

// Leak is something that is still open, with the call that made it.
type Leak struct {
	Kind   string     // "device memory", "stream", "event", "graph" or "executable graph"
	Ptr    driver.Ptr // device memory only
	Bytes  uint64     // device memory only
	Device int        // device memory only: the number of its device
	Origin string     // the line of the script that made it: "solve.lua:12"
	Call   string     // the call that made it, as in C
	Cause  string     // "script", or why a library made the call: "create_handle"
}

// kind is a kind of object, in the order of Runtime.Leaks.
type kind int

const (
	streamKind kind = iota
	eventKind
	graphKind
	execKind
	kinds
)

var kindNames = [kinds]string{"stream", "event", "graph", "executable graph"}

// object is what a stream, an event or a graph knows of its life.
type object struct {
	createdBy driver.Site
	cause     string
	destroyed *driver.Site // the call that destroyed it
}

func (o *object) life() *object { return o }

// usable returns an error with a code if the object was destroyed. The name is "the event".
func (o *object) usable(code driver.Error, name string) error {
	if o.destroyed == nil {
		return nil
	}
	return driver.Faultf(code, "%s of %s was destroyed by %s", name, o.createdBy, o.destroyed)
}

// opened is an open object.
type opened interface{ life() *object }

// openObjects are the open objects of each kind, numbered in the order of their creation.
type openObjects struct {
	numbers [kinds]map[opened]int
	serial  int
}

// add records an object and the call that made it. A map is made for the first object of a kind.
func (t *host) add(k kind, o opened) {
	life, open := o.life(), &t.open
	life.createdBy, life.cause = t.site, t.cause
	if open.numbers[k] == nil {
		open.numbers[k] = map[opened]int{}
	}
	open.serial++
	open.numbers[k][o] = open.serial
}

// destroy destroys an object on the platform, and records the current call as the cause.
func (t *host) destroy(k kind, o opened, driven interface{ Destroy() error }) error {
	if err := driven.Destroy(); err != nil {
		return err
	}
	site := t.site
	o.life().destroyed = &site
	delete(t.open.numbers[k], o)
	return nil
}

// sorted returns the objects of a kind in the order of their creation.
func (o *openObjects) sorted(k kind) []opened {
	numbers := o.numbers[k]
	return slices.SortedFunc(maps.Keys(numbers), func(a, b opened) int { return cmp.Compare(numbers[a], numbers[b]) })
}

// Leaks returns what is open now: device memory, streams, events and graphs, each in the order of creation. It includes
// what a library holds for a script, with its cause.
func (s *host) Leaks() []Leak {
	var leaks []Leak
	blocks := slices.SortedFunc(slices.Values(s.blocks.live), func(a, b *block) int {
		return cmp.Compare(a.serial, b.serial)
	})
	for _, b := range blocks {
		leaks = append(leaks, Leak{Kind: "device memory", Ptr: b.base, Bytes: b.bytes, Device: b.device,
			Origin: b.allocatedBy.Origin, Call: b.allocatedBy.Call, Cause: b.cause})
	}
	for k, name := range kindNames {
		for _, o := range s.open.sorted(kind(k)) {
			by := o.life().createdBy
			leaks = append(leaks, Leak{Kind: name, Origin: by.Origin, Call: by.Call, Cause: o.life().cause})
		}
	}
	return leaks
}
