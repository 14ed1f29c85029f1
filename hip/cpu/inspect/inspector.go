// Package inspect checks the reads of a simulated device for unwritten memory and for elements of another type than
// were written. It records the writes of each operation when the operation is queued.
package inspect

import (
	"cmp"
	"slices"
	"sync"

	"roclua/hip/cpu/kernel"
	"roclua/hip/cpu/memory"
	"roclua/hip/cpu/order"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
)

// Inspector finds reads of unwritten memory of a device, and of memory that holds elements of another type. A nil
// Inspector finds nothing.
type Inspector struct {
	platform string
	off      bool // kernels do not compute
	checked  bool // otherwise it finds only reads of numbers that these kernels should have computed
	host     *order.Host
	mu       sync.Mutex // streams add while the host reads
	found    []finding
	pending  []*order.Operation // which may still add
	serial   int
}

// New returns the inspector of a device; nil if there is nothing to find. Findings name the platform. If kernels are
// off, their results have no values, and reads of them are found even if memory is not checked.
func New(platform string, host *order.Host, checked, off bool) *Inspector {
	if !checked && !off {
		return nil
	}
	if off {
		platform += " with kernels off"
	}
	return &Inspector{platform: platform, host: host, checked: checked, off: off}
}

// finding is a read of unwritten memory with its place in the order of queueing.
type finding struct {
	serial int
	read   driver.UnwrittenRead
}

// condition is a finding that counts if a scalar in device memory is not zero.
type condition struct {
	finding
	scalar *routine.Param
}

// Expect adds an operation whose inspection is conditional.
func (i *Inspector) Expect(o *order.Operation) { i.pending = append(i.pending, o) }

func (i *Inspector) add(f finding) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.found) < memory.HazardLimit {
		i.found = append(i.found, f)
	}
}

// UnwrittenReads returns the reads of unwritten memory since the last call.
func (i *Inspector) UnwrittenReads() []driver.UnwrittenRead {
	if i == nil {
		return nil
	}
	i.host.AwaitOperations(i.pending...) // an error means that the case has ended
	i.pending = nil
	i.mu.Lock()
	defer i.mu.Unlock()
	slices.SortFunc(i.found, func(a, b finding) int { return cmp.Compare(a.serial, b.serial) })
	var list []driver.UnwrittenRead
	for _, f := range i.found {
		list = append(list, f.read)
	}
	i.found = nil
	return list
}

// SetElement sets the type of the elements in rows of memory that were written.
func (i *Inspector) SetElement(l memory.Spaces, p driver.Ptr, r driver.Rows, e driver.Element) {
	u, ok := i.held(l, p, r)
	if !ok || u.Region.Cols > ColumnLimit { // as in record
		return
	}
	var list []memory.Stretch
	each(&u, func(low, high uint64, s *memory.Stretch) bool {
		if s != nil && s.State == memory.Written {
			list = append(list, memory.Stretch{Low: low, High: high, Element: e, By: s.By})
		}
		return true
	})
	for _, s := range list {
		u.Block.Contents.Set(s)
	}
}

// CheckElement returns an error if rows of memory hold elements of another type.
func (i *Inspector) CheckElement(l memory.Spaces, p driver.Ptr, r driver.Rows, e driver.Element,
	locate func() driver.Site) error {
	u, ok := i.held(l, p, r)
	if !ok {
		return nil
	}
	u.Element = e
	inspection := i.Begin(locate(), 0, nil)
	return inspection.checkElement(&u)
}

// held returns the use of rows of a live block; ok is false if they are not in one, or nothing is inspected.
func (i *Inspector) held(l memory.Spaces, p driver.Ptr, r driver.Rows) (u memory.Use, ok bool) {
	if i == nil || r.Bytes() == 0 {
		return memory.Use{}, false
	}
	held := memory.Rows(p, r, routine.InOut)
	if r.Count == 1 || r.DevicePitch == r.Width {
		held = memory.Bytes(p, r.Bytes(), routine.InOut)
	}
	return l.Use(&held)
}

// Finish adds the findings whose scalars are not zero. The stream of a kernel calls it before the kernel runs.
func (i *Inspection) Finish(v *memory.View) {
	for _, c := range i.later {
		raw, err := v.Bytes(i.args.Ptr(c.scalar.Slot), i.args.ElementBytes(c.scalar))
		if err == nil && number.Load(i.args.Datatype(c.scalar), raw) != 0 {
			i.add(c.finding)
		}
	}
}

// Computed reports whether the simulated device computes a call. It does not compute the routines without a kernel,
// except calls that have nothing to compute. A copy has no arguments.
func Computed(a *routine.Args) bool {
	return a == nil || kernel.Has(a.Routine) || a.Empty()
}

// Use inspects and records the use of a region by a copy from or to the host.
func (i *Inspection) Use(u *memory.Use) error {
	if err := i.Read(u); err != nil {
		return err
	}
	i.Write(u)
	return nil
}

// Write records that the operation writes a region.
func (i *Inspection) Write(u *memory.Use) {
	switch {
	case i.Inspector == nil || !u.Region.Access.Writes():
	case Computed(i.args) && (!i.off || i.args == nil || i.args.Empty()):
		i.mark(u, u.Element)
	default:
		record(u, memory.Stretch{State: memory.Uncomputed, Element: u.Element, By: i.site,
			Routine: i.args.Routine.Name})
	}
}

// mark records that the operation writes elements of a type to a region.
func (i *Inspection) mark(u *memory.Use, e driver.Element) {
	record(u, memory.Stretch{Element: e, By: i.site})
}

// record records the elements that a region holds from now on. In a region with many columns the gaps between them
// count as well.
func record(u *memory.Use, s memory.Stretch) {
	if u.Region.Cols*u.Region.Count > ColumnLimit {
		low, n := u.Region.Bounds()
		s.Low, s.High = low, low+n
		if s.State == memory.Written && !u.Block.Contents.Uniform(s.Low, s.High, s.Element) {
			s.Element = driver.AnyElement
		}
		u.Block.Contents.Set(s)
		return
	}
	u.Region.Intervals(func(low, high uint64) bool {
		s.Low, s.High = low, high
		u.Block.Contents.Set(s)
		return true
	})
}

// poison makes the bytes of a region that no operation has used hold the pattern of unwritten memory for all operations
// that are queued later.
func poison(u *memory.Use) {
	var list [][2]uint64
	each(u, func(low, high uint64, s *memory.Stretch) bool {
		if s == nil {
			list = append(list, [2]uint64{low, high})
		}
		return true
	})
	for _, unused := range list {
		u.Block.Poison(unused[0], unused[1])
	}
}

// CopiedRows records that the operation copies the rows of one region to the rows of another one.
func (i *Inspection) CopiedRows(to, from memory.Use) {
	if i.Inspector == nil {
		return
	}
	count, toPitch, fromPitch := to.Region.Cols, to.Region.Pitch, from.Region.Pitch
	if count > ColumnLimit {
		i.mark(&to, driver.AnyElement)
		return
	}
	to.Region.Cols, from.Region.Cols = 1, 1
	for range count {
		copied(&to, &from)
		to.Region.Base += toPitch
		from.Region.Base += fromPitch
	}
}

// copied records a copy of one region to another: its elements, and which bytes are unwritten.
func copied(to, from *memory.Use) {
	poison(from)
	target, n := to.Region.Bounds()
	source, _ := from.Region.Bounds()
	list := from.Block.Contents.CopyOf(source, source+n, target)
	// The copy fills the rest with the pattern, which it finds at its source.
	to.Block.Contents.Set(memory.Stretch{Low: target, High: target + n, State: memory.Poisoned})
	for _, s := range list {
		to.Block.Contents.Set(s)
	}
}
