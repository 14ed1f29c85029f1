package cpu

import (
	"bytes"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/region"
)

// transfer is what a copy or a fill does with device memory. It is passed by value, and its work is a function without
// free variables, so that a call that is not captured does not allocate them.
type transfer struct {
	kind  driver.NodeType
	host  []byte // memory of a copy from or to the host
	value byte   // of a fill
	rows  driver.Rows

	// prepare returns the work of the stream. It is called when the copy is queued, or its node is launched.
	prepare func(d *device, t transfer) func(memory [][]byte)
}

// Write queues a copy from the host. It copies the data first, so the caller may reuse its slice.
func (d *device) Write(s driver.Stream, dst driver.Ptr, src []byte) error {
	regions := []region.Region{bytesAt(dst, uint64(len(src)), routine.Out)}
	return d.transfer(s, regions, transfer{kind: driver.NodeMemcpy, host: src, prepare: prepareWrite})
}

func prepareWrite(d *device, t transfer) func([][]byte) {
	data := bytes.Clone(t.host)
	n := uint64(len(data))
	d.runtime.staged.Add(n)
	return func(memory [][]byte) {
		copy(memory[0], data)
		d.runtime.staged.Add(-n)
	}
}

// Read queues a copy to the host. dst is filled when the stream reaches the copy.
func (d *device) Read(s driver.Stream, dst []byte, src driver.Ptr) error {
	regions := []region.Region{bytesAt(src, uint64(len(dst)), routine.In)}
	return d.transfer(s, regions, transfer{kind: driver.NodeMemcpy, host: dst,
		prepare: func(_ *device, t transfer) func([][]byte) {
			dst := t.host
			return func(memory [][]byte) { copy(dst, memory[0]) }
		}})
}

// Copy queues a copy between addresses of any devices.
func (d *device) Copy(s driver.Stream, dst, src driver.Ptr, n uint64) error {
	regions := []region.Region{bytesAt(dst, n, routine.Out), bytesAt(src, n, routine.In)}
	return d.transfer(s, regions, transfer{kind: driver.NodeMemcpy,
		prepare: func(*device, transfer) func([][]byte) {
			return func(memory [][]byte) { copy(memory[0], memory[1]) }
		}})
}

// fillPart is the number of bytes that are set between two checks whether the device was abandoned.
const fillPart = 16 << 20

// Fill queues setting bytes to one value.
func (d *device) Fill(s driver.Stream, dst driver.Ptr, value byte, n uint64) error {
	regions := []region.Region{bytesAt(dst, n, routine.Out)}
	return d.transfer(s, regions, transfer{kind: driver.NodeMemset, value: value, prepare: prepareFill})
}

func prepareFill(d *device, t transfer) func([][]byte) {
	value := t.value
	return func(memory [][]byte) {
		for rest := memory[0]; len(rest) > 0 && !d.runtime.givenUp.Load(); {
			part := rest[:min(len(rest), fillPart)]
			fill(part, value)
			rest = rest[len(part):]
		}
	}
}

// repeated is the largest number of bytes that are copied at a time to fill memory; they stay in the cache.
const repeated = 16 << 10

// fill sets every byte of a memory that is not empty. It repeats what is filled, which is faster than byte by byte.
func fill(memory []byte, value byte) {
	memory[0] = value
	for n := 1; n < len(memory); {
		n += copy(memory[n:], memory[:min(n, repeated)])
	}
}

// WriteRows queues a copy of rows from the host. It copies the data first, without gaps.
func (d *device) WriteRows(s driver.Stream, dst driver.Ptr, src []byte, r driver.Rows) error {
	regions := []region.Region{rowsAt(dst, r, routine.Out)}
	return d.transfer(s, regions, transfer{kind: driver.NodeMemcpy, host: src, rows: r, prepare: prepareWriteRows})
}

func prepareWriteRows(d *device, t transfer) func([][]byte) {
	r := t.rows
	data := make([]byte, r.Bytes())
	copyRows(data, r.Width, t.host, r.HostPitch, r)
	d.runtime.staged.Add(r.Bytes())
	return func(memory [][]byte) {
		copyRows(memory[0], r.DevicePitch, data, r.Width, r)
		d.runtime.staged.Add(-r.Bytes())
	}
}

// ReadRows queues a copy of rows to the host.
func (d *device) ReadRows(s driver.Stream, dst []byte, src driver.Ptr, r driver.Rows) error {
	regions := []region.Region{rowsAt(src, r, routine.In)}
	return d.transfer(s, regions, transfer{kind: driver.NodeMemcpy, host: dst, rows: r,
		prepare: func(_ *device, t transfer) func([][]byte) {
			dst, r := t.host, t.rows
			return func(memory [][]byte) { copyRows(dst, r.HostPitch, memory[0], r.DevicePitch, r) }
		}})
}

// CopyRows queues a copy of rows between addresses of any devices.
func (d *device) CopyRows(s driver.Stream, dst, src driver.Ptr, r driver.Rows) error {
	from := r
	from.DevicePitch = r.HostPitch
	regions := []region.Region{rowsAt(dst, r, routine.Out), rowsAt(src, from, routine.In)}
	return d.transfer(s, regions, transfer{kind: driver.NodeMemcpy, rows: r,
		prepare: func(_ *device, t transfer) func([][]byte) {
			r := t.rows
			return func(memory [][]byte) { copyRows(memory[0], r.DevicePitch, memory[1], r.HostPitch, r) }
		}})
}

func copyRows(to []byte, toPitch uint64, from []byte, fromPitch uint64, r driver.Rows) {
	for i := range r.Count {
		copy(to[i*toPitch:][:r.Width], from[i*fromPitch:])
	}
}

// bytesAt is the region of n adjacent bytes.
func bytesAt(p driver.Ptr, n uint64, access routine.Access) region.Region {
	return region.Span(uint64(p), n, access)
}

// rowsAt is the region of rows in device memory.
func rowsAt(p driver.Ptr, r driver.Rows, access routine.Access) region.Region {
	region := bytesAt(p, r.Width, access)
	region.Cols, region.Pitch = r.Count, r.DevicePitch
	return region
}

// noBlock returns the error of a copy whose memory is not in a block.
func (d *device) noBlock(r *region.Region) error {
	low, n := r.Bounds()
	return driver.Faultf(driver.ErrorInvalidValue, "%s of %d bytes: %s",
		d.runtime.locate().Call, n, d.runtime.describeAddress(low))
}

// transfer queues a copy that uses regions of device memory. It checks first that they lie in live blocks, and prepares
// it after that.
func (d *device) transfer(s driver.Stream, regions []region.Region, t transfer) error {
	st, err := d.stream(s)
	if err != nil || regions[0].Rows == 0 || regions[0].Cols == 0 {
		return err
	}
	if st.capture != nil {
		return d.captureTransfer(st, regions, t)
	}
	uses := make([]use, len(regions))
	for i := range regions {
		r := &regions[i]
		low, n := r.Bounds()
		b, ok := d.runtime.at(low)
		if !ok || !b.contains(low, n) {
			return d.noBlock(r)
		}
		uses[i] = use{block: b, region: *r}
	}
	site := d.runtime.locate()
	inspection := d.inspector.begin(site, st.id, nil)
	if len(uses) == 2 {
		inspection.copiedRows(uses[0], uses[1])
	} else if err := inspection.use(&uses[0]); err != nil {
		return err
	}
	do := t.prepare(d, t)
	o := st.prepare(site, uses, d.runtime.unlessGivenUp(func() error {
		memory := make([][]byte, len(uses))
		for i, u := range uses {
			low, n := u.region.Bounds()
			data, err := u.block.slice(low, n)
			if err != nil {
				return err
			}
			memory[i] = data
		}
		do(memory)
		return nil
	}))
	o.brief = regions[0].Rows*regions[0].Cols <= briefCopy
	st.push(o)
	return nil
}
