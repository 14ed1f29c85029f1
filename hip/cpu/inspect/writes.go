package inspect

import (
	"roclua/hip/cpu/kernel"
	"roclua/hip/cpu/memory"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

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
	case Computed(i.args):
		i.mark(u, u.Element)
	default:
		record(u, memory.Stretch{State: memory.Uncomputed, By: i.site, Routine: i.args.Routine.Name})
	}
}

// mark records that the operation writes elements of a type to a region.
func (i *Inspection) mark(u *memory.Use, e driver.Element) {
	record(u, memory.Stretch{Element: e, By: i.site})
}

// record records what a region holds from now on. In a region with many columns the gaps between them count as well.
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

// copied records a copy of one region to another: what it holds, and which bytes are unwritten.
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
