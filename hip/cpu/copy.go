package cpu

import (
	"slices"
	"time"

	"roclua/hip/cpu/capture"
	"roclua/hip/cpu/memory"
	"roclua/hip/cpu/order"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/region"
)

// transfer is the use of device memory by a copy or a fill. It is passed by value, and its work is a function without
// free variables, so that a call that is not captured does not allocate them.
type transfer struct {
	kind  driver.NodeType
	host  []byte // memory of a copy from or to the host
	value byte   // of a fill
	rows  driver.Rows

	// prepare returns the work of the stream. It is called when the copy is queued, or its node is launched.
	prepare func(d *device, t transfer) func(data [][]byte)
}

// Write queues a copy of rows from the host. It copies the data first, without gaps.
func (d *device) Write(s driver.Stream, dst driver.Ptr, src []byte, r driver.Rows) error {
	regions := []region.Region{memory.Rows(dst, r, routine.Out)}
	return d.transfer(s, regions, transfer{kind: driver.NodeMemcpy, host: src, rows: r, prepare: prepareWrite})
}

func prepareWrite(d *device, t transfer) func([][]byte) {
	r := t.rows
	staged := make([]byte, r.Bytes())
	copyRows(staged, r.Width, t.host, r.HostPitch, r)
	d.runtime.staged.Add(r.Bytes())
	return func(data [][]byte) {
		copyRows(data[0], r.DevicePitch, staged, r.Width, r)
		d.runtime.staged.Add(-r.Bytes())
	}
}

// Read queues a copy of rows to the host.
func (d *device) Read(s driver.Stream, dst []byte, src driver.Ptr, r driver.Rows) error {
	regions := []region.Region{memory.Rows(src, r, routine.In)}
	return d.transfer(s, regions, transfer{kind: driver.NodeMemcpy, host: dst, rows: r,
		prepare: func(_ *device, t transfer) func([][]byte) {
			dst, r := t.host, t.rows
			return func(data [][]byte) { copyRows(dst, r.HostPitch, data[0], r.DevicePitch, r) }
		}})
}

// Copy queues a copy of rows between addresses of any devices.
func (d *device) Copy(s driver.Stream, dst, src driver.Ptr, r driver.Rows) error {
	from := r
	from.DevicePitch = r.HostPitch
	regions := []region.Region{memory.Rows(dst, r, routine.Out), memory.Rows(src, from, routine.In)}
	return d.transfer(s, regions, transfer{kind: driver.NodeMemcpy, rows: r,
		prepare: func(_ *device, t transfer) func([][]byte) {
			r := t.rows
			return func(data [][]byte) { copyRows(data[0], r.DevicePitch, data[1], r.HostPitch, r) }
		}})
}

func copyRows(to []byte, toPitch uint64, from []byte, fromPitch uint64, r driver.Rows) {
	for i := range r.Count {
		copy(to[i*toPitch:][:r.Width], from[i*fromPitch:])
	}
}

// Fill queues setting bytes to one value.
func (d *device) Fill(s driver.Stream, dst driver.Ptr, value byte, n uint64) error {
	regions := []region.Region{memory.Bytes(dst, n, routine.Out)}
	return d.transfer(s, regions, transfer{kind: driver.NodeMemset, value: value,
		prepare: func(d *device, t transfer) func([][]byte) {
			host, value := d.runtime.host, t.value
			return func(data [][]byte) { memory.Fill(data[0], value, host) }
		}})
}

// noBlock returns the error of a copy whose memory is not in a block.
func (d *device) noBlock(r *region.Region) error {
	low, n := r.Bounds()
	return driver.Faultf(driver.ErrorInvalidValue, "%s of %d bytes: %s",
		d.runtime.locate().Call, n, d.runtime.spaces.Describe(low))
}

// isElsewhere reports whether memory that is in no block can be memory of a recorded program.
func (d *device) isElsewhere(r *region.Region) bool {
	low, _ := r.Bounds()
	return d.runtime.kernels == driver.KernelsClaim && low != 0
}

// transfer queues a copy that uses regions of device memory. It checks first that they lie in live blocks, and prepares
// it after that.
func (d *device) transfer(s driver.Stream, regions []region.Region, t transfer) error {
	st, err := d.stream(s)
	empty := regions[0].Rows == 0 || regions[0].Cols == 0
	switch {
	case err != nil:
		return err
	case empty && st.branch.Captured():
		return st.branch.Err()
	case empty:
		return nil
	case st.branch.Captured():
		return d.captureTransfer(st, regions, t)
	}
	uses := make([]memory.Use, len(regions))
	for i := range regions {
		u, ok := d.runtime.spaces.Use(&regions[i])
		if !ok && d.isElsewhere(&regions[i]) {
			st.EnqueueNothing(d.runtime.locate())
			return nil
		}
		if !ok {
			return d.noBlock(&regions[i])
		}
		uses[i] = u
	}
	site := d.runtime.locate()
	inspection := d.inspector.Begin(site, st.ID(), nil)
	if len(uses) == 2 {
		inspection.CopiedRows(uses[0], uses[1])
	} else if err := inspection.Use(&uses[0]); err != nil {
		return err
	}
	do := t.prepare(d, t)
	others := d.runtime.otherDevices(st, uses)
	for _, other := range others {
		st.Enqueue(site, nil, other.null.Enqueue(site, nil))
	}
	o := st.prepare(site, uses, d.runtime.host.UnlessAbandoned(func() error {
		data := make([][]byte, len(uses))
		for i := range uses {
			bytes, err := uses[i].Slice()
			if err != nil {
				return err
			}
			data[i] = bytes
		}
		do(data)
		return nil
	}))
	bytes := regions[0].Rows * regions[0].Cols
	o.Brief = bytes <= briefCopy
	if m := st.device; d.runtime.time == nil {
	} else if t.host == nil {
		o.Takes(m.kernels, m.model.time.Bytes(bytes*uint64(len(regions))), true, nil)
	} else if regions[0].Access.Writes() {
		o.Takes(m.uploads, m.model.time.Upload(bytes), true, nil)
	} else {
		o.Takes(m.downloads, m.model.time.Download(bytes), true, nil)
	}
	st.Push(o)
	for _, other := range others {
		other.null.Enqueue(site, nil, o)
	}
	return nil
}

// otherDevices returns the other devices whose memory a copy in a null stream uses. It is in the order of their null
// streams, too.
func (rt *runtime) otherDevices(st *stream, uses []memory.Use) (list []*device) {
	if len(rt.devices) == 1 || st != st.device.null {
		return nil
	}
	for i := range uses {
		if d := rt.devices[uses[i].Block.Device()]; d != st.device && !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	return list
}

// captureTransfer captures a copy or a fill. Its memory must exist, or be memory of a graph.
func (d *device) captureTransfer(st *stream, regions []region.Region, t transfer) error {
	if err := st.branch.Err(); err != nil {
		return err // as HIP does, before it looks at the arguments
	}
	node := &capture.Node{Kind: t.kind, Bytes: regions[0].Rows * regions[0].Cols}
	for _, r := range regions {
		switch n, ok := d.runtime.spaces.Name(r); {
		case ok:
			node.Names = append(node.Names, n)
		case !d.isElsewhere(&r):
			return d.noBlock(&r)
		}
	}
	kept := slices.Clone(regions) // the argument does not escape, for calls that are not captured
	node.Replay = func(s driver.Stream, _ func(driver.Site) driver.Timer) error { return d.transfer(s, kept, t) }
	return st.branch.Add(node)
}

// hostCopy is a copy to host memory. Device memory has a history of its uses; host memory has none, because the device
// does not know when the host frees it.
type hostCopy struct {
	host *order.Host
	*order.Operation
}

// capturedCopy is the copy to host memory that the latest launch of a captured copy made.
type capturedCopy struct {
	host *order.Host
	*capture.Node
}

// LastCopy returns the work that was queued last on a stream, or the last node of a captured stream.
func (d *device) LastCopy(s driver.Stream) driver.HostCopy {
	st, host := s.(*stream), d.runtime.host
	if st.branch.Captured() {
		if n := st.branch.Last(); n != nil {
			return capturedCopy{host, n}
		}
	} else if o := st.Last(); o != nil {
		return hostCopy{host, o}
	}
	return nil
}

func (c capturedCopy) Conflicts(s driver.Stream) bool {
	return c.Last != nil && hostCopy{c.host, c.Last}.Conflicts(s)
}

// Conflicts reports whether a use of the memory is not ordered after the copy, and waits for the copy if so. The hazard
// is reported once.
func (c hostCopy) Conflicts(s driver.Stream) bool {
	if s == nil {
		return c.host.Conflicts(c.Operation, nil)
	}
	return c.host.Conflicts(c.Operation, &s.(*stream).Stream)
}

// claim queues work that uses regions in blocks and does nothing with them. It skips addresses of other memory, and the
// memory that arrays of pointers point to. If memory was freed, that is a hazard and the work is left out, so that the
// device continues.
func (d *device) claim(st *stream, site driver.Site, regions []region.Region, on order.Engine, takes time.Duration) {
	uses, freed := d.uses[:0], false
	for i := range regions {
		r := &regions[i]
		if r.Indirect {
			continue
		}
		if u, ok := d.runtime.spaces.Use(r); ok {
			uses = append(uses, u)
		} else if b := d.runtime.spaces.Freed(r); b != nil {
			freed = true
			d.reportFreed(st, site, r, b.FreedBy)
		}
	}
	d.uses = uses
	if !freed {
		o := st.prepare(site, uses, nil)
		o.Takes(on, takes, takes > 2*d.model.time.Kernel, nil)
		st.Push(o)
	}
}

// reportFreed reports the use of memory that a call freed.
func (d *device) reportFreed(st *stream, site driver.Site, r *region.Region, by driver.Site) {
	low, bytes := r.Bounds()
	d.hazards.Report(driver.Hazard{Ptr: driver.Ptr(low), Bytes: bytes,
		Earlier: driver.Use{Call: by.Call, Origin: by.Origin, Since: "freed", Write: true},
		Later: driver.Use{Call: site.Call, Device: d.index, Stream: st.ID(), Write: r.Access.Writes(),
			Origin: site.Origin, Handle: site.Handle, Launched: site.Launched}})
}

func (d *device) Claim(s driver.Stream, read, written []driver.Span) error {
	st, err := d.stream(s)
	if err != nil {
		return err
	}
	var regions []region.Region
	for _, m := range read {
		regions = append(regions, memory.Bytes(m.Ptr, m.Bytes, routine.In))
	}
	for _, m := range written {
		regions = append(regions, memory.Bytes(m.Ptr, m.Bytes, routine.Out))
	}
	if !st.branch.Captured() {
		var bytes uint64
		for i := range regions {
			bytes += regions[i].Bytes()
		}
		switch m := d.model.time; {
		case len(written) == 0:
			d.claim(st, d.runtime.locate(), regions, d.downloads, m.Download(bytes))
		case len(read) == 0:
			d.claim(st, d.runtime.locate(), regions, d.uploads, m.Upload(bytes))
		default:
			d.claim(st, d.runtime.locate(), regions, d.kernels, m.Bytes(bytes))
		}
		return nil
	}
	node := &capture.Node{Kind: driver.NodeMemcpy}
	for _, r := range regions {
		if n, ok := d.runtime.spaces.Name(r); ok {
			node.Names = append(node.Names, n)
		}
	}
	node.Replay = func(s driver.Stream, _ func(driver.Site) driver.Timer) error { return d.Claim(s, read, written) }
	return st.branch.Add(node)
}

// union is the memory that all nodes of a graph claim: each region once, with the first node that uses it.
type union struct {
	sites   []driver.Site
	uses    []memory.Use
	removed uint64 // blocks that had been freed when it was computed
}

// claim queues a launch of a graph of one stream as one operation, which uses the memory of its nodes: they follow one
// another. It reports false if the nodes must be queued by themselves, because one has memory that is not the same any
// more, or does something else.
func (e *graphExec) claim(st *stream, site driver.Site, kernel func(driver.Site) driver.Timer) bool {
	rt := e.runtime
	if rt.kernels != driver.KernelsClaim || e.streams != 1 || rt.time != nil {
		return false
	}
	if removed := rt.spaces.Removed(); e.union == nil || e.union.removed != removed {
		if e.union = e.unite(); e.union == nil {
			return false
		}
		e.union.removed = removed
	}
	o := st.Prepare(site, nil)
	for i := range e.union.uses {
		o.Site = e.union.sites[i]
		o.Site.Launched = site.Origin
		st.device.hazards.Order(o, &e.union.uses[i])
	}
	st.Push(o)
	for _, n := range e.nodes {
		if kernel != nil && n.Kind == driver.NodeKernel {
			kernel(n.Site)
		}
	}
	return true
}

// unite returns the memory of all nodes; nil if one must be queued by itself.
func (e *graphExec) unite() *union {
	u := &union{}
	places := map[region.Region]int{}
	for _, n := range e.nodes {
		if n.Kind != driver.NodeKernel && n.Kind != driver.NodeMemcpy && n.Kind != driver.NodeMemset {
			return nil
		}
		for i := range n.Names {
			block, same := n.Names[i].Find(e.runtime.spaces)
			if !same {
				return nil
			}
			key := n.Names[i].Region
			access := key.Access
			key.Param, key.Access = nil, 0
			at, ok := places[key]
			if !ok {
				at = len(u.uses)
				places[key] = at
				u.uses = append(u.uses, memory.Use{Block: block, Region: n.Names[i].Region})
				u.sites = append(u.sites, n.Site)
			} else if u.uses[at].Region.Access != access {
				u.uses[at].Region.Access = routine.InOut
			}
		}
	}
	return u
}
