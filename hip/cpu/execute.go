package cpu

import (
	"encoding/binary"
	"errors"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/region"
)

// Execute queues a routine. When its arguments name memory that is not allocated, the kernel does not run, and the
// device has a fault, which the host gets when it next waits. The outputs of a routine without a kernel get no values.
func (d *device) Execute(s driver.Stream, l *driver.Launch) error {
	st, err := d.own(s)
	if err != nil {
		return err
	}
	if st.capture != nil {
		return d.captureLaunch(st, l)
	}
	site := d.runtime.locate()
	if site.Call == "" {
		site.Call = l.Args.Routine.CName()
	}
	if d.runtime.idle {
		st.enqueue(site, nil, nil)
		return nil
	}
	call := d.calls.take(d)
	call.copy(l)
	call.inspection = d.inspector.begin(site, st.id, &call.args)
	if err := call.findMemory(site); err != nil {
		d.calls.put(call)
		return st.refuse(site, err)
	}
	for i := range call.uses {
		call.inspection.write(&call.uses[i])
	}
	call.memory.set(site, call.uses)
	conditional := len(call.inspection.later) > 0 // on what the stream finds
	o := st.prepare(site, call.uses, call.run)
	o.brief = workOf(&call.args) <= d.runtime.briefWork
	st.push(o) // from here on the call belongs to the stream
	if conditional {
		d.inspector.pending = append(d.inspector.pending, o)
	}
	return nil
}

// refuse returns the error of a call whose memory holds elements of another type. For any other error it queues a
// fault.
func (s *stream) refuse(site driver.Site, err error) error {
	var mismatch *driver.MismatchError
	if errors.As(err, &mismatch) {
		return err
	}
	s.enqueue(site, nil, func() error { return err })
	return nil
}

// elementOf returns the type of the elements of a region. An array of pointers has a region of addresses
// in addition.
func elementOf(a *routine.Args, r *region.Region) driver.Element {
	switch {
	case r.Param == nil:
		return driver.AnyElement
	case r.Param.Kind == routine.ArrayOfArrays && !r.Indirect:
		return driver.ElementPtr
	}
	return driver.ElementOf(a, r.Param)
}

// appendRegions appends the memory that a launch uses: its arguments, its workspace, and the place of results for the
// host.
func appendRegions(list []region.Region, l *driver.Launch) []region.Region {
	list = region.Append(list, l.Args)
	for _, w := range l.Work {
		if w.Ptr != 0 && w.Bytes > 0 {
			list = append(list, region.Span(uint64(w.Ptr), w.Bytes, routine.InOut))
		}
	}
	if p, ok := l.Args.Routine.ParamAt(routine.Result); ok && l.Result != 0 && l.Args.Batch() > 0 {
		r := region.Span(uint64(l.Result), uint64(l.Args.Batch()*l.Args.ElementBytes(p)), routine.Out)
		r.Param = p
		list = append(list, r)
	}
	return list
}

// blockOf returns the block that contains a region.
func (d *device) blockOf(site driver.Site, r *region.Region) (*block, error) {
	low, n := r.Bounds()
	b, ok := d.space.at(low)
	if ok && b.contains(low, n) {
		return b, nil
	}
	return nil, driver.Faultf(driver.ErrorIllegalAddress, "%s on device %d needs %d bytes for %s: %s",
		site, d.index, n, name(r), d.runtime.describeAddress(low))
}

func name(r *region.Region) string {
	if r.Param == nil {
		return "its workspace"
	}
	return r.Param.Name
}

// usesThroughPointers reads an array of pointers and returns the uses of what they point to. It needs the pointers
// immediately, so the host waits for work that still writes them. This wait does not order operations of the program.
func (d *device) usesThroughPointers(site driver.Site, r *region.Region) ([]use, error) {
	array := region.Region{Param: r.Param, Access: routine.In, Base: r.Base, Elem: 8, Rows: r.Count, Cols: 1, Count: 1}
	b, err := d.blockOf(site, &array)
	if err != nil {
		return nil, err
	}
	for _, h := range b.history {
		if _, _, meets := h.region.Overlap(&array); meets && h.region.Access.Writes() {
			if err := d.runtime.awaitOperations(h.by); err != nil {
				return nil, err
			}
		}
	}
	data, err := b.slice(array.Base, 8*r.Count)
	if err != nil {
		return nil, err
	}
	pointers := make([]uint64, r.Count)
	for i := range pointers {
		pointers[i] = binary.NativeEndian.Uint64(data[8*i:])
	}
	return d.usesOfPointers(site, r, pointers)
}

// usesOfPointers returns the uses of the memory behind pointers, one for each run of pointers into one block at equal
// distances.
func (d *device) usesOfPointers(site driver.Site, r *region.Region, pointers []uint64) ([]use, error) {
	var list []use
	for len(pointers) > 0 {
		b, ok := d.space.at(pointers[0])
		n := 1
		for ok && n < len(pointers) && b.contains(pointers[n], 1) {
			n++
		}
		for _, part := range r.Through(pointers[:n]) {
			b, err := d.blockOf(site, &part)
			if err != nil {
				return nil, err
			}
			list = append(list, use{block: b, region: part})
		}
		pointers = pointers[n:]
	}
	return list, nil
}
