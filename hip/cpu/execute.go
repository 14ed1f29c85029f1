package cpu

import (
	"encoding/binary"
	"errors"
	"slices"

	"roclua/hip/cpu/capture"
	"roclua/hip/cpu/memory"
	devicetime "roclua/hip/cpu/time"
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
	if st.branch.Captured() {
		return d.captureLaunch(st, l)
	}
	site := d.runtime.locate()
	if site.Call == "" {
		site.Call = l.Args.Routine.CName()
	}
	switch d.runtime.kernels {
	case driver.KernelsIdle:
		st.EnqueueNothing(site)
		return nil
	case driver.KernelsClaim:
		d.claimed = d.appendRegions(d.claimed[:0], l)
		work := d.work(l.Args, d.claimed)
		d.claim(st, site, d.claimed, d.kernels, d.model.time.Call(work))
		return nil
	}
	call := d.takeCall()
	call.copy(l)
	call.inspection = d.inspector.Begin(site, st.ID(), &call.args)
	if err := call.findMemory(site); err != nil {
		d.calls.Put(call)
		return st.refuse(site, err)
	}
	for i := range call.uses {
		call.inspection.Write(&call.uses[i])
	}
	call.memory.Set(site, call.uses)
	conditional := call.inspection.Conditional()
	work := d.work(&call.args, call.regions)
	o := st.prepare(site, call.uses, call.run)
	o.Brief = workOf(&call.args) <= d.runtime.briefWork
	if d.runtime.time != nil {
		takes := d.model.time.Call(work)
		o.Takes(d.kernels, takes, takes > 2*d.model.time.Kernel, call.launch.Timer)
	}
	st.Push(o) // from here on the call belongs to the stream
	if conditional {
		d.inspector.Expect(o)
	}
	return nil
}

// work returns the work of a call for the model of time, and makes the host spend its part. The memory of the workspace
// does not count. In real time there is no work.
func (d *device) work(a *routine.Args, regions []region.Region) (w devicetime.Work) {
	if d.runtime.time == nil {
		return w
	}
	var bytes uint64
	for i := range regions {
		r := &regions[i]
		if r.Param != nil && r.Access.Reads() {
			bytes += r.Bytes()
		}
		if r.Param != nil && r.Access.Writes() {
			bytes += r.Bytes()
		}
	}
	w = devicetime.WorkOf(a, float64(bytes))
	d.runtime.spend(d.model.time.Host(w))
	return w
}

// refuse returns the error of a call whose memory holds elements of another type. For any other error it queues a
// fault.
func (s *stream) refuse(site driver.Site, err error) error {
	var mismatch *driver.MismatchError
	if errors.As(err, &mismatch) {
		return err
	}
	s.Enqueue(site, func() error { return err })
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
// host. Kernels that claim memory use all memory of the handle.
func (d *device) appendRegions(list []region.Region, l *driver.Launch) []region.Region {
	if d.runtime.kernels == driver.KernelsClaim && l.Lent.Bytes > 0 { // first: of two hazards it is the reported one
		list = append(list, region.Span(uint64(l.Lent.Ptr), l.Lent.Bytes, routine.InOut))
		return region.Append(list, l.Args)
	}
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

// appendUses appends the use of a region, which must be in a block that the device can use, or the uses of the memory
// behind an array of pointers.
func (d *device) appendUses(list []memory.Use, site driver.Site, r *region.Region) ([]memory.Use, error) {
	if r.Indirect {
		return d.usesThroughPointers(list, site, r)
	}
	low, n := r.Bounds()
	b, ok := d.find(low)
	if !ok || !b.Contains(low, n) {
		return list, driver.Faultf(driver.ErrorIllegalAddress, "%s on device %d needs %d bytes for %s: %s%s",
			site, d.index, n, name(r), d.runtime.spaces.Describe(low), d.refusal(low))
	}
	return append(list, memory.Use{Block: b, Region: *r}), nil
}

func name(r *region.Region) string {
	if r.Param == nil {
		return "its workspace"
	}
	return r.Param.Name
}

// usesThroughPointers reads an array of pointers and appends the uses of the memory that they point to. It needs the
// pointers immediately, so the host waits for work that still writes them. This wait does not order operations of the
// program.
func (d *device) usesThroughPointers(list []memory.Use, site driver.Site, r *region.Region) ([]memory.Use, error) {
	array := region.Region{Param: r.Param, Access: routine.In, Base: r.Base, Elem: 8, Rows: r.Count, Cols: 1, Count: 1}
	uses, err := d.appendUses(nil, site, &array)
	if err != nil {
		return list, err
	}
	for _, o := range uses[0].Block.Writers(&array) {
		if err := d.runtime.host.AwaitOperations(o); err != nil {
			return list, err
		}
	}
	data, err := uses[0].Slice()
	if err != nil {
		return list, err
	}
	pointers := make([]uint64, r.Count)
	for i := range pointers {
		pointers[i] = binary.NativeEndian.Uint64(data[8*i:])
	}
	return d.usesOfPointers(list, site, r, pointers)
}

// usesOfPointers appends the uses of the memory behind pointers, one for each run of equidistant pointers into one
// block.
func (d *device) usesOfPointers(
	list []memory.Use, site driver.Site, r *region.Region, pointers []uint64,
) (_ []memory.Use, err error) {
	for len(pointers) > 0 {
		b, ok := d.find(pointers[0])
		n := 1
		for ok && n < len(pointers) && b.Contains(pointers[n], 1) {
			n++
		}
		for _, part := range r.Through(pointers[:n]) {
			if list, err = d.appendUses(list, site, &part); err != nil {
				return list, err
			}
		}
		pointers = pointers[n:]
	}
	return list, nil
}

// captureLaunch captures a routine. The memory behind arrays of pointers is known when the graph is launched.
func (d *device) captureLaunch(st *stream, l *driver.Launch) error {
	call, args := *l, *l.Args
	call.Args, call.Work = &args, slices.Clone(l.Work)
	node := &capture.Node{Kind: driver.NodeKernel}
	for _, r := range d.appendRegions(nil, &call) {
		if r.Indirect {
			continue
		}
		if n, ok := d.runtime.spaces.Name(r); ok {
			node.Names = append(node.Names, n)
		}
	}
	node.Replay = func(s driver.Stream, kernel func(driver.Site) driver.Timer) error {
		again := call
		again.Timer = nil
		if kernel != nil {
			again.Timer = kernel(d.runtime.locate())
		}
		return d.Execute(s, &again)
	}
	return st.branch.Add(node)
}
