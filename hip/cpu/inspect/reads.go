package inspect

import (
	"roclua/hip/cpu/memory"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// ColumnLimit is the number of columns of a region that are inspected one by one.
const ColumnLimit = 1 << 12

// Inspection is the inspection of one operation.
type Inspection struct {
	*Inspector // nil if nothing is inspected
	site       driver.Site
	stream     int
	args       *routine.Args // nil for a copy
	later      []condition
}

// Begin returns the inspection of an operation.
func (i *Inspector) Begin(site driver.Site, stream int, args *routine.Args) Inspection {
	return Inspection{Inspector: i, site: site, stream: stream, args: args}
}

// Conditional reports whether findings depend on scalars in device memory.
func (i *Inspection) Conditional() bool { return len(i.later) > 0 }

// Read inspects a region that the operation uses. It returns an error if the region holds elements of another type than
// the operation reads, or cannot hold the type at its address.
func (i *Inspection) Read(u *memory.Use) error {
	if i.Inspector == nil || u.Region.Indirect {
		return nil
	}
	if low, _ := u.Region.Bounds(); i.checked && !u.Element.Fits(driver.Ptr(low)) {
		return &driver.MismatchError{Site: i.site, Param: paramName(u), Ptr: driver.Ptr(low), Read: u.Element}
	}
	if u.Region.Param == nil && i.args != nil {
		poison(u) // workspace, which kernels write before they read it
		return nil
	}
	if !u.Region.Access.Reads() {
		return nil
	}
	low, n := u.Region.Bounds()
	if s := u.Block.Contents.Around(low, low+n); s != nil && s.Holds(u.Element) {
		return nil // most operations
	}
	factor, value, known := i.factor(u)
	if known && value == 0 {
		return nil
	}
	if known || u.Region.Access == routine.In {
		if err := i.checkElement(u); err != nil {
			return err
		}
	}
	if !i.readsAll(u) {
		return nil
	}
	if known {
		factor = nil
	}
	i.checkWritten(u, factor)
	return nil
}

// factor returns the scalar that decides whether an operand is read, and its value if the host knows it. The value is 1
// for an operand that is always read.
func (i *Inspection) factor(u *memory.Use) (scalar *routine.Param, value complex128, known bool) {
	p := u.Region.Param
	if p == nil || u.Element == driver.ElementPtr || p.Kind != routine.Array && p.Kind != routine.ArrayOfArrays {
		return nil, 1, true
	}
	slot := p.ReadFactor(i.args.Routine)
	scalar, ok := i.args.Routine.ParamAt(slot)
	if !ok {
		return nil, 1, true
	}
	if i.args.Int(slot) != routine.Host {
		return scalar, 0, false
	}
	return scalar, i.args.Scalar(slot), true
}

// readsAll reports whether an operation that reads a region reads all of it. The corners of a band are not read, and
// neither are a diagonal of ones and the other parts that the table declares.
func (i *Inspection) readsAll(u *memory.Use) bool {
	p := u.Region.Param
	if p == nil || u.Element == driver.ElementPtr {
		return true
	}
	unit := i.args.Routine.Has(routine.Diag) && i.args.Int(routine.Diag) == routine.DiagonalUnit && p.Slot == routine.A
	return p.Layout != routine.Band && !unit && !p.ReadInPart(i.args)
}

// each calls f with the parts of the first columns of a region and their stretches, until f returns false.
func each(u *memory.Use, f func(low, high uint64, s *memory.Stretch) bool) {
	left, more := ColumnLimit, true
	u.Region.Intervals(func(low, high uint64) bool {
		u.Block.Contents.Each(low, high, func(low, high uint64, s *memory.Stretch) bool {
			more = f(low, high, s)
			return more
		})
		left--
		return more && left > 0
	})
}

// checkElement returns an error if a region holds elements of another type than the operation reads.
func (i *Inspection) checkElement(u *memory.Use) error {
	if u.Element == driver.AnyElement || !i.checked {
		return nil
	}
	var mismatch error
	each(u, func(low, _ uint64, s *memory.Stretch) bool {
		if s != nil && s.State != memory.Poisoned && !s.Has(u.Element) {
			mismatch = &driver.MismatchError{Site: i.site, Param: paramName(u), Ptr: driver.Ptr(low),
				Read: u.Element, Holds: s.Element, Written: s.By}
		}
		return mismatch == nil
	})
	return mismatch
}

func paramName(u *memory.Use) string {
	if u.Region.Param == nil {
		return ""
	}
	return u.Region.Param.Name
}

// checkWritten reports the unwritten bytes of a region, which then count as written, so that they are reported once.
// With a scalar they are reported if it is not zero.
func (i *Inspection) checkWritten(u *memory.Use, scalar *routine.Param) {
	read := driver.UnwrittenRead{Site: i.site, Stream: i.stream, Param: paramName(u),
		Allocated: u.Block.AllocatedBy, Size: u.Block.Size, Platform: i.platform}
	each(u, func(low, high uint64, s *memory.Stretch) bool {
		read.Of += high - low
		uncomputed := s != nil && s.State == memory.Uncomputed
		if s.Unwritten() && (i.checked || uncomputed) && !(uncomputed && i.off && i.args != nil) {
			if read.Bytes == 0 {
				read.Ptr, read.Offset = driver.Ptr(low), low-u.Block.Base
			}
			read.Bytes += high - low
		}
		if uncomputed {
			read.Uncomputed = s.Routine
		}
		return true
	})
	if read.Bytes == 0 {
		return
	}
	poison(u)
	i.serial++
	f := finding{i.serial, read}
	if scalar != nil {
		i.later = append(i.later, condition{f, scalar})
		return
	}
	i.add(f)
	i.mark(u, driver.AnyElement)
}
