package cpu

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/region"
)

// use is a region of memory that an operation uses.
type use struct {
	block   *block
	region  region.Region
	element driver.Element // of the region's array
}

func (u *use) writes() bool { return u.region.Access.Writes() }

// access is the use of a region by a queued operation.
type access struct {
	by     *operation
	region region.Region
}

// order orders an operation after the conflicting earlier uses of a block. A conflicting use that does not happen
// before the operation is a hazard: it is reported, and the operation waits for it. From then on the two count as
// ordered, so that a missing wait is reported once and not for every call that follows.
func (d *device) order(o *operation, u *use) {
	history, kept := u.block.history, 0
	for i := range history {
		h := &history[i]
		if h.by != o && !d.follows(o, u, h) {
			continue
		}
		if kept < i {
			history[kept] = *h
		}
		kept++
	}
	if kept < len(history) {
		clear(history[kept:])
	}
	u.block.history = append(history[:kept], access{by: o, region: u.region})
}

// follows orders an operation after one earlier use, and reports whether later operations may conflict with that.
func (d *device) follows(o *operation, u *use, h *access) bool {
	if h.by.before(d.runtime.host) {
		return false // it happens before all operations from now on
	}
	if !h.by.before(o.clock) && (u.writes() || h.region.Access.Writes()) {
		if at, n, ok := u.region.Overlap(&h.region); ok {
			d.report(hazard(h, o, u, at, n))
			o.after = append(o.after, h.by)
			o.clock = o.clock.join(h.by.clock)
		}
	}
	return !supersedes(o, u, h)
}

// supersedes reports whether an earlier use can be dropped: every operation that conflicts with it and is not ordered
// after it also conflicts with the new use, and is not ordered after that.
func supersedes(o *operation, u *use, h *access) bool {
	return h.by.before(o.clock) && (u.writes() || !h.region.Access.Writes()) && u.region.Covers(&h.region)
}

// hazardLimit is the number of hazards that are kept until Hazards is called: more of them from a loop add no
// information.
const hazardLimit = 4096

func (d *device) report(h driver.Hazard) {
	if len(d.hazards) < hazardLimit {
		d.hazards = append(d.hazards, h)
	}
}

func hazard(h *access, o *operation, u *use, at, n uint64) driver.Hazard {
	return driver.Hazard{Ptr: driver.Ptr(at), Bytes: n, Earlier: useOf(h.by, h.region.Access),
		Later: useOf(o, u.region.Access)}
}

func useOf(o *operation, a routine.Access) driver.Use {
	return driver.Use{Call: o.site.Call, Stream: o.stream.id, Write: a.Writes(), Origin: o.site.Origin,
		Launched: o.site.Launched}
}

// Hazards returns the hazards detected since the last call.
func (d *device) Hazards() []driver.Hazard {
	list := d.hazards
	d.hazards = nil
	return list
}
