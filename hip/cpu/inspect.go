package cpu

import (
	"cmp"
	"slices"
	"sync"

	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
)

// intervalLimit is the number of columns of a region that are looked at one by one.
const intervalLimit = 1 << 12

// inspector finds reads of unwritten memory, and of memory that holds elements of another type.
type inspector struct {
	runtime *runtime
	mu      sync.Mutex // streams add while the host reads
	found   []finding
	pending []*operation // which may still add
	serial  int
}

// finding is a read of unwritten memory with its place in the order of queueing.
type finding struct {
	serial int
	read   driver.UnwrittenRead
}

// inspection is the inspection of one operation.
type inspection struct {
	*inspector // nil if nothing is inspected
	site       driver.Site
	stream     int
	args       *routine.Args // nil for a copy
	later      []condition
}

// condition is a finding that counts if a scalar in device memory is not zero.
type condition struct {
	finding
	scalar *routine.Param
}

// begin returns the inspection of an operation. A nil inspector finds nothing.
func (i *inspector) begin(site driver.Site, stream int, args *routine.Args) inspection {
	return inspection{inspector: i, site: site, stream: stream, args: args}
}

// read inspects a region that the operation reads. It returns an error if the region holds elements of another type.
func (i *inspection) read(u *use) error {
	if i.inspector == nil || u.region.Indirect {
		return nil
	}
	if u.region.Param == nil && i.args != nil {
		i.poison(u) // workspace, which kernels write before they read it
		return nil
	}
	if !u.region.Access.Reads() {
		return nil
	}
	low, n := u.region.Bounds()
	if s := u.block.contents.around(low, low+n); s != nil && s.holds(u.element) {
		return nil // most operations
	}
	factor, value, known := i.factor(u)
	if known && value == 0 {
		return nil
	}
	if known || u.region.Access == routine.In {
		if err := i.checkElement(u); err != nil {
			return err
		}
	}
	if !i.readsAll(u) {
		return nil
	}
	i.checkWritten(u, pick(!known, factor))
	return nil
}

func pick(conditional bool, p *routine.Param) *routine.Param {
	if conditional {
		return p
	}
	return nil
}

// factor returns the scalar that decides whether an operand is read, and its value if the host knows it. The value is 1
// for an operand that is always read.
func (i *inspection) factor(u *use) (scalar *routine.Param, value complex128, known bool) {
	p := u.region.Param
	if p == nil || u.element == driver.ElementPtr || p.Kind != routine.Array && p.Kind != routine.ArrayOfArrays {
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
func (i *inspection) readsAll(u *use) bool {
	p := u.region.Param
	if p == nil || u.element == driver.ElementPtr {
		return true
	}
	_, hasDiagonal := i.args.Routine.ParamAt(routine.Diag)
	unit := hasDiagonal && i.args.Int(routine.Diag) == routine.DiagonalUnit && p.Slot == routine.A
	return p.Layout != routine.Band && !unit && !p.ReadInPart(i.args)
}

// checkElement returns an error if a region holds elements of another type than the operation reads.
func (i *inspection) checkElement(u *use) error {
	if i.inspector == nil || u.element == driver.AnyElement {
		return nil
	}
	var mismatch *driver.MismatchError
	left := intervalLimit
	u.region.Intervals(func(low, high uint64) bool {
		u.block.contents.each(low, high, func(low, _ uint64, s *stretch) bool {
			if s != nil && s.state == written && !s.holds(u.element) {
				mismatch = &driver.MismatchError{Site: i.site, Param: paramName(u), Ptr: driver.Ptr(low),
					Read: u.element, Holds: s.element, Written: s.by}
			}
			return mismatch == nil
		})
		left--
		return mismatch == nil && left > 0
	})
	if mismatch != nil {
		return mismatch
	}
	return nil
}

func paramName(u *use) string {
	if u.region.Param == nil {
		return ""
	}
	return u.region.Param.Name
}

// checkWritten reports the unwritten bytes of a region, which then count as written, so that they are reported once.
// With a scalar they are reported if it is not zero.
func (i *inspection) checkWritten(u *use, scalar *routine.Param) {
	var unwritten, first, total uint64
	uncomputedBy := ""
	left := intervalLimit
	u.region.Intervals(func(low, high uint64) bool {
		total += high - low
		u.block.contents.each(low, high, func(low, high uint64, s *stretch) bool {
			if s.unwritten() {
				if unwritten == 0 {
					first = low
				}
				unwritten += high - low
			}
			if s != nil && s.state == uncomputed {
				uncomputedBy = s.routine
			}
			return true
		})
		left--
		return left > 0
	})
	if unwritten == 0 {
		return
	}
	i.poison(u)
	i.serial++
	f := finding{i.serial, driver.UnwrittenRead{Site: i.site, Stream: i.stream, Param: paramName(u),
		Ptr: driver.Ptr(first), Bytes: unwritten, Of: total, Offset: first - u.block.base,
		Allocated: u.block.allocatedBy, Size: u.block.size, Uncomputed: uncomputedBy,
		Platform: platform}}
	if scalar != nil {
		i.later = append(i.later, condition{f, scalar})
		return
	}
	i.add(f)
	i.mark(u, driver.AnyElement)
}

func (i *inspector) add(f finding) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.found) < hazardLimit {
		i.found = append(i.found, f)
	}
}

// poison makes the bytes of a region that no operation has used hold the pattern of unwritten memory for all operations
// that are queued later.
func (i *inspection) poison(u *use) {
	var list []stretch
	left := intervalLimit
	u.region.Intervals(func(low, high uint64) bool {
		u.block.contents.each(low, high, func(low, high uint64, s *stretch) bool {
			if s == nil {
				list = append(list, stretch{low: low, high: high, state: poisoned})
			}
			return true
		})
		left--
		return left > 0
	})
	for _, s := range list {
		u.block.pattern.add(s.low-u.block.base, s.high-u.block.base)
		u.block.contents.set(s)
	}
}

// use inspects and records the use of a region by a copy from or to the host.
func (i *inspection) use(u *use) error {
	if err := i.read(u); err != nil {
		return err
	}
	i.write(u)
	return nil
}

// write records that the operation writes a region.
func (i *inspection) write(u *use) {
	if i.inspector == nil || !u.region.Access.Writes() {
		return
	}
	if !computed(i.args) {
		i.markUncomputed(u)
		return
	}
	i.mark(u, u.element)
}

// mark records what a region holds from now on. Of a region with many columns the gaps between them count as well.
func (i *inspection) mark(u *use, e driver.Element) {
	if u.region.Cols*u.region.Count > intervalLimit {
		low, n := u.region.Bounds()
		if !u.block.contents.uniform(low, low+n, e) {
			e = driver.AnyElement
		}
		u.block.contents.set(stretch{low: low, high: low + n, element: e, by: i.site})
		return
	}
	u.region.Intervals(func(low, high uint64) bool {
		u.block.contents.set(stretch{low: low, high: high, element: e, by: i.site})
		return true
	})
}

// copiedRows records that the operation copies the rows of one region to those of another.
func (i *inspection) copiedRows(to, from use) {
	if i.inspector == nil {
		return
	}
	count, toPitch, fromPitch := to.region.Cols, to.region.Pitch, from.region.Pitch
	if count > intervalLimit {
		i.mark(&to, driver.AnyElement)
		return
	}
	to.region.Cols, from.region.Cols = 1, 1
	for range count {
		i.copied(&to, &from)
		to.region.Base += toPitch
		from.region.Base += fromPitch
	}
}

// copied records that the operation copies one region to another: what it holds, and what of it is unwritten.
func (i *inspection) copied(to, from *use) {
	if i.inspector == nil {
		return
	}
	i.poison(from)
	target, n := to.region.Bounds()
	source, _ := from.region.Bounds()
	list := from.block.contents.copyOf(source, source+n, target)
	// The copy fills the rest with the pattern, which it finds at its source.
	to.block.contents.set(stretch{low: target, high: target + n, state: poisoned})
	for _, s := range list {
		to.block.contents.set(s)
	}
}

// finish is called by the stream of a kernel when it has run. It adds the findings whose scalars are not zero.
func (i *inspection) finish(v *view) {
	for _, c := range i.later {
		raw, err := v.Bytes(i.args.Ptr(c.scalar.Slot), i.args.ElementBytes(c.scalar))
		if err == nil && number.Load(i.args.Datatype(c.scalar), raw) != 0 {
			i.add(c.finding)
		}
	}
}

// UnwrittenReads returns the reads of unwritten memory since the last call.
func (d *device) UnwrittenReads() []driver.UnwrittenRead {
	i := d.inspector
	if i == nil {
		return nil
	}
	d.runtime.awaitOperations(i.pending...) // an error means that the case has ended
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

// SetElement implements driver.MemoryChecker.
func (d *device) SetElement(p driver.Ptr, r driver.Rows, e driver.Element) {
	u, ok := d.held(p, r)
	if !ok {
		return
	}
	if u.region.Cols > intervalLimit {
		return // as in mark
	}
	var list []stretch
	u.region.Intervals(func(low, high uint64) bool {
		u.block.contents.each(low, high, func(low, high uint64, s *stretch) bool {
			if s != nil && s.state == written {
				list = append(list, stretch{low: low, high: high, element: e, by: s.by})
			}
			return true
		})
		return true
	})
	for _, s := range list {
		u.block.contents.set(s)
	}
}

// CheckElement implements driver.MemoryChecker.
func (d *device) CheckElement(p driver.Ptr, r driver.Rows, e driver.Element) error {
	u, ok := d.held(p, r)
	if !ok {
		return nil
	}
	u.element = e
	i := d.inspector.begin(d.runtime.locate(), 0, nil)
	return i.checkElement(&u)
}

// held returns the use of rows of a live block; ok is false if they are not in one, or nothing is inspected.
func (d *device) held(p driver.Ptr, r driver.Rows) (u use, ok bool) {
	if d.inspector == nil || r.Bytes() == 0 {
		return use{}, false
	}
	region := rowsAt(p, r, routine.InOut)
	if r.Count == 1 || r.DevicePitch == r.Width {
		region = bytesAt(p, r.Bytes(), routine.InOut)
	}
	low, n := region.Bounds()
	b, ok := d.runtime.at(low)
	return use{block: b, region: region}, ok && b.contains(low, n)
}
