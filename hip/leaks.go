package hip

import (
	"cmp"
	"roclua/hip/driver"
	"slices"
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

// Leaks returns what is open now: device memory, streams, events and graphs, each in the order of creation. It includes
// what a library holds for a script, with its cause.
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
