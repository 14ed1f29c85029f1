package hip

import (
	"cmp"
	"maps"
	"slices"

	"roclua/hip/driver"
)

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

// object has the creation and the end of a stream, an event or a graph.
type object struct {
	createdBy driver.Site
	cause     string
	destroyed *driver.Site // the call that destroyed it
	null      driver.Error // the error of calls with a null object; 0 for other objects
}

func (o *object) life() *object { return o }

// usable returns an error if the object is null, or with a code if it was destroyed. The name is "the event".
func (o *object) usable(code driver.Error, name string) error {
	switch {
	case o.null != 0:
		return driver.Faultf(o.null, "%s is null", name)
	case o.destroyed == nil:
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
func (open *openObjects) add(k kind, o opened, by driver.Site, cause string) {
	life := o.life()
	life.createdBy, life.cause = by, cause
	if open.numbers[k] == nil {
		open.numbers[k] = map[opened]int{}
	}
	open.serial++
	open.numbers[k][o] = open.serial
}

// destroy destroys an object on the platform, by a call.
func (open *openObjects) destroy(k kind, o opened, driven interface{ Destroy() error }, by driver.Site) error {
	if err := driven.Destroy(); err != nil {
		return err
	}
	o.life().destroyed = &by
	delete(open.numbers[k], o)
	return nil
}

// sorted returns the objects of a kind in the order of their creation.
func (o *openObjects) sorted(k kind) []opened {
	numbers := o.numbers[k]
	return slices.SortedFunc(maps.Keys(numbers), func(a, b opened) int { return cmp.Compare(numbers[a], numbers[b]) })
}

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

// Leaks returns the open objects: device memory, streams, events and graphs, each in the order of creation. It includes
// objects that a library holds for a script, with their cause.
func (h *host) Leaks() []Leak {
	var leaks []Leak
	blocks := slices.SortedFunc(slices.Values(h.blocks.live), func(a, b *block) int {
		return cmp.Compare(a.serial, b.serial)
	})
	for _, b := range blocks {
		leaks = append(leaks, Leak{Kind: "device memory", Ptr: b.base, Bytes: b.bytes, Device: b.device,
			Origin: b.allocatedBy.Origin, Call: b.allocatedBy.Call, Cause: b.cause})
	}
	for k, name := range kindNames {
		for _, o := range h.open.sorted(kind(k)) {
			by := o.life().createdBy
			leaks = append(leaks, Leak{Kind: name, Origin: by.Origin, Call: by.Call, Cause: o.life().cause})
		}
	}
	return leaks
}
