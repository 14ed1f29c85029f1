package memory

import (
	"slices"

	"roclua/hip/cpu/order"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/region"
)

// access is the use of a region by a queued operation.
type access struct {
	by     *order.Operation
	region region.Region
	onHost bool // a conflict with a use by the host is known
}

// Hazards are the hazards of a device.
type Hazards struct{ list []driver.Hazard }

// Order orders an operation after the conflicting earlier uses of a block. A conflicting use that does not happen
// before the operation is a hazard: it is reported, and the operation waits for it. From then on the two count as
// ordered, so that a missing wait is reported once and not for every call that follows.
func (l *Hazards) Order(o *order.Operation, u *Use) {
	u.Block.prune()
	history, kept := u.Block.history, 0
	for i := range history {
		h := &history[i]
		if h.by != o && !l.follows(o, u, h) {
			continue
		}
		if kept < i {
			history[kept] = *h
		}
		kept++
	}
	if kept == len(history) {
		history = append(history, access{})
	}
	history[kept] = access{by: o, region: u.Region}
	clear(history[kept+1:])
	u.Block.history = history[:kept+1]
}

// follows orders an operation after one earlier use, and reports whether later operations may conflict with that use.
func (l *Hazards) follows(o *order.Operation, u *Use, h *access) bool {
	if h.by.Awaited() && !u.Block.space.host.Shared() {
		return false
	}
	if !h.by.Before(o) && (u.writes() || h.region.Access.Writes()) {
		if at, n, ok := u.Region.Overlap(&h.region); ok {
			l.Report(driver.Hazard{Ptr: driver.Ptr(at), Bytes: n, Earlier: useOf(h.by, h.region.Access),
				Later: useOf(o, u.Region.Access)})
			o.Follow(h.by)
		}
	}
	return !supersedes(o, u, h)
}

// Bounds of a history while the host has several threads. Uses that all of them have waited for are dropped when it is
// as long as keptUses, or twice as long as after the last time. Of mostUses the ones are dropped that the current
// thread has waited for: an idle thread does not make memory grow.
const (
	keptUses = 32
	mostUses = 1024
)

// prune drops uses that cannot conflict with later operations.
func (b *Block) prune() {
	host := b.space.host
	if !host.Shared() || len(b.history) < max(keptUses, b.pruneAt) {
		return
	}
	b.drop(func(h access) bool { return host.Settled(h.by) })
	if len(b.history) >= mostUses {
		b.drop(func(h access) bool { return h.by.Awaited() })
	}
	b.pruneAt = min(2*len(b.history), max(mostUses, len(b.history)+keptUses))
}

func (b *Block) drop(done func(h access) bool) { b.history = slices.DeleteFunc(b.history, done) }

// OrderHost reports a hazard for each use by an operation that conflicts with a use by the host and for which the host
// has not waited. The host then waits for the operation.
func (l *Hazards) OrderHost(at driver.Site, u *Use) {
	host := u.Block.space.host
	if u.Region.Access == routine.None {
		return
	}
	if !host.Shared() {
		u.Block.drop(func(h access) bool { return h.by.Awaited() })
	}
	for i := range u.Block.history {
		h := &u.Block.history[i]
		if h.onHost || !u.writes() && !h.region.Access.Writes() {
			continue
		}
		if low, n, ok := u.Region.Overlap(&h.region); ok && host.Conflicts(h.by, nil) {
			h.onHost = true
			l.Report(driver.Hazard{Ptr: driver.Ptr(low), Bytes: n, Earlier: useOf(h.by, h.region.Access),
				Later: driver.Use{Call: at.Call, Host: true, Write: u.writes(), Origin: at.Origin}})
		}
	}
}

// supersedes reports whether an earlier use can be dropped: every operation that conflicts with it and is not ordered
// after it also conflicts with the new use, and is not ordered after the new use.
func supersedes(o *order.Operation, u *Use, h *access) bool {
	return h.by.Before(o) && (u.writes() || !h.region.Access.Writes()) && u.Region.Covers(&h.region)
}

// HazardLimit is the number of hazards that are kept until Take is called: more of them from a loop add no information.
const HazardLimit = 4096

// Report adds a hazard.
func (l *Hazards) Report(h driver.Hazard) {
	if len(l.list) < HazardLimit {
		l.list = append(l.list, h)
	}
}

func useOf(o *order.Operation, a routine.Access) driver.Use {
	return driver.Use{Call: o.Site.Call, Device: o.Stream().Device(), Stream: o.Stream().ID(), Write: a.Writes(),
		Origin: o.Site.Origin, Handle: o.Site.Handle, Launched: o.Site.Launched}
}

// Take returns the hazards since the last call.
func (l *Hazards) Take() []driver.Hazard {
	list := l.list
	l.list = nil
	return list
}

// Use is a region of memory that an operation uses.
type Use struct {
	Block   *Block
	Region  region.Region
	Element driver.Element // of the region's array
}

func (u *Use) writes() bool { return u.Region.Access.Writes() }

// Slice returns the bytes from the first to the last one of the region.
func (u *Use) Slice() ([]byte, error) {
	low, n := u.Region.Bounds()
	return u.Block.Slice(low, n)
}

// Bytes returns the region of n adjacent bytes.
func Bytes(p driver.Ptr, n uint64, access routine.Access) region.Region {
	return region.Span(uint64(p), n, access)
}

// Rows returns the region of rows in device memory.
func Rows(p driver.Ptr, r driver.Rows, access routine.Access) region.Region {
	rows := Bytes(p, r.Width, access)
	rows.Cols, rows.Pitch = r.Count, r.DevicePitch
	return rows
}
