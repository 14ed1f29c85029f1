package hip

import (
	"cmp"
	"errors"
	"fmt"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/trace"
)

// Malloc implements hipMalloc, which waits for the device. For 0 bytes it returns the null pointer and no error.
func (d *Device) Malloc(bytes uint64) (driver.Ptr, error) {
	return d.malloc("hipMalloc", bytes, d.driver.Malloc)
}

// MallocManaged implements hipMallocManaged. For 0 bytes it returns the null pointer and no error.
func (d *Device) MallocManaged(bytes uint64) (driver.Ptr, error) {
	return d.malloc("hipMallocManaged", bytes, d.driver.MallocManaged)
}

func (d *Device) malloc(name string, bytes uint64, malloc func(uint64) (driver.Ptr, error)) (driver.Ptr, error) {
	c := &trace.Call{Name: name, Bytes: bytes, HasBytes: true, Synchronizing: bytes > 0}
	return d.allocate(c, false, func() (driver.Ptr, error) {
		return d.allocateOrInject(c, allocation{
			make: func() (driver.Ptr, error) { return malloc(bytes) },
			free: d.driver.Free,
		})
	})
}

// HostView is managed memory as the host uses it, without copies.
type HostView struct {
	device  *Device
	thread  *Thread
	block   *block
	first   driver.Ptr
	element driver.Element
}

// ViewOnHost returns n bytes of memory of hipMallocManaged for the host, which uses them as elements of a type, and
// their bytes.
func (d *Device) ViewOnHost(p driver.Ptr, n uint64, e driver.Element) (*HostView, []byte, error) {
	b, ok := d.host.blocks.at(p)
	switch {
	case !ok:
		return nil, nil, errors.New(d.host.blocks.describeAddress(p))
	case !b.managed():
		return nil, nil, fmt.Errorf("%#x is in %s; the host can use memory of hipMallocManaged only", uint64(p), b)
	case n > b.bytes-uint64(p-b.base):
		return nil, nil, fmt.Errorf("%d bytes from byte %d exceed %s", n, uint64(p-b.base), b)
	}
	if !e.Fits(p) {
		return nil, nil, &driver.MismatchError{Ptr: p, Read: e}
	}
	v := &HostView{device: d, thread: d.host.Thread, block: b, first: p, element: e}
	data, err := d.driver.UseOnHost(p, n, routine.None, e)
	return v, data, err
}

// IsManaged reports whether memory is from hipMallocManaged.
func (d *Device) IsManaged(p driver.Ptr) bool {
	b, ok := d.host.blocks.at(p)
	return ok && b.managed()
}

// Begin returns the address of the view.
func (v *HostView) Begin() driver.Ptr { return v.first }

// BeforeUse is called before the host reads or writes n bytes of a view. It returns an error if the memory was freed,
// or holds elements of another type, and reports a hazard if work that the host has not waited for uses the memory.
func (v *HostView) BeforeUse(call string, offset, n uint64, a routine.Access) error {
	v.thread.Enter()
	defer v.thread.Leave()
	h, p := v.device.host, v.first+driver.Ptr(offset)
	if v.block.freedBy.Call != "" {
		return driver.Faultf(driver.ErrorIllegalAddress, "%s: %s", call, h.blocks.describeAddress(p))
	}
	if n == 0 {
		return nil
	}
	h.site = driver.Site{Call: call, Origin: h.origin()}
	_, err := v.device.driver.UseOnHost(p, n, a, v.element)
	h.collectHazards()
	return err
}

// AllocationNumber returns the number of the allocation whose memory begins at an address now; 0 for none.
func (d *Device) AllocationNumber(p driver.Ptr) int {
	if at, ok := d.host.blocks.search(p); ok {
		return d.host.blocks.live[at].serial
	}
	return 0
}

// Free implements hipFree, which waits for the device. Freeing the null pointer does nothing.
func (d *Device) Free(p driver.Ptr) error {
	c := &trace.Call{Name: "hipFree", Ptr: p, Synchronizing: p != 0}
	return d.release(c, false, func() error { return d.driver.Free(p) })
}

// MallocAsync implements hipMallocAsync: the memory can be used in stream order. For 0 bytes it returns the null
// pointer and no error.
func (d *Device) MallocAsync(bytes uint64, s *Stream) (driver.Ptr, error) {
	c := &trace.Call{Name: "hipMallocAsync", Bytes: bytes, HasBytes: true}
	if s != nil {
		d = s.device // whose pool it is
	}
	captured := s.CaptureStatus() != driver.CaptureNone
	return d.allocate(c, captured, func() (p driver.Ptr, err error) {
		err = d.onStream(c, s, func(a driver.Device, s driver.Stream) (err error) {
			if captured {
				p, err = a.MallocAsync(s, bytes)
				return err
			}
			p, err = d.allocateOrInject(c, allocation{
				make: func() (driver.Ptr, error) { return a.MallocAsync(s, bytes) },
				free: func(p driver.Ptr) error { return a.FreeAsync(s, p) },
			})
			return err
		})
		return p, err
	})
}

// FreeAsync implements hipFreeAsync: the memory is freed in stream order, and the host does not wait.
func (d *Device) FreeAsync(p driver.Ptr, s *Stream) error {
	c := &trace.Call{Name: "hipFreeAsync", Ptr: p}
	return d.release(c, s.CaptureStatus() != driver.CaptureNone, func() error {
		return d.onStream(c, s, func(a driver.Device, s driver.Stream) error { return a.FreeAsync(s, p) })
	})
}

// TrimPool implements hipMemPoolTrimTo for the device's default pool: it returns unused memory of the pool to the
// device until the pool has at most keep bytes.
func (d *Device) TrimPool(keep uint64) error {
	return d.call(&trace.Call{Name: "hipMemPoolTrimTo", Bytes: keep, HasBytes: true}, func() error {
		return d.driver.TrimPool(keep)
	})
}

// SetPoolAttribute implements hipMemPoolSetAttribute for the device's pool.
func (d *Device) SetPoolAttribute(a driver.PoolAttribute, value uint64) error {
	return d.call(&trace.Call{Name: "hipMemPoolSetAttribute"}, func() error {
		return d.driver.SetPoolAttribute(a, value)
	})
}

// PoolAttribute implements hipMemPoolGetAttribute for the device's pool.
func (d *Device) PoolAttribute(a driver.PoolAttribute) (uint64, error) {
	return ask(d, "hipMemPoolGetAttribute", func() (uint64, error) { return d.driver.PoolAttribute(a) })
}

// allocate makes a call that returns memory, and records the block.
func (d *Device) allocate(c *trace.Call, captured bool, do func() (driver.Ptr, error)) (driver.Ptr, error) {
	err := d.call(c, func() error {
		p, err := do()
		if err != nil {
			return d.shortage(c, err)
		}
		c.Ptr = p
		return nil
	})
	if err == nil && captured {
		d.host.reserve(c.Ptr)
	} else if err == nil {
		d.host.blocks.allocated(&block{base: c.Ptr, bytes: c.Bytes, device: d.index, cause: c.Cause,
			allocatedBy: driver.Site{Call: c.Name, Origin: c.Origin}})
	}
	return c.Ptr, err
}

// shortage adds the requested and the available bytes to an out-of-memory error.
func (d *Device) shortage(c *trace.Call, err error) error {
	if driver.CodeOf(err) != driver.ErrorOutOfMemory {
		return err
	}
	detail := fmt.Sprintf("%s of %d bytes", c.Name, c.Bytes)
	if free, total, infoErr := d.driver.MemInfo(); infoErr == nil {
		detail += fmt.Sprintf(": device %d has %d of %d bytes free", d.index, free, total)
	}
	return driver.WithDetail(err, "%s", detail)
}

// release makes a call that frees memory, and removes the block. An address at which no live block begins is an error
// here, because a vendor's runtime may crash for it.
func (d *Device) release(c *trace.Call, captured bool, do func() error) error {
	blocks := &d.host.blocks
	return d.call(c, func() error {
		at, held := blocks.search(c.Ptr)
		if held {
			defer func(device int) { c.Device = device }(blocks.live[at].device) // whichever device's stream frees it
		} else if c.Ptr != 0 && !(captured && d.host.reserved[c.Ptr]) {
			c.Synchronizing = false
			return driver.Faultf(driver.ErrorInvalidValue, "%s: invalid pointer: %s", c.Name,
				blocks.describeAddress(c.Ptr))
		}
		err := do()
		if !captured && (err == nil || isDeviceFault(err)) {
			blocks.released(c.Ptr, d.host.site)
		}
		return err
	})
}

// isDeviceFault reports whether an error was caused by an earlier kernel. Any call may return such an error, and the
// block is freed nonetheless.
func isDeviceFault(err error) bool {
	code := driver.CodeOf(err)
	return code == driver.ErrorIllegalAddress || code == driver.ErrorLaunchFailure
}

// Allocation returns the live block of this device that contains an address; ok is false when there is none.
func (d *Device) Allocation(p driver.Ptr) (base driver.Ptr, bytes uint64, ok bool) {
	b, ok := d.host.blocks.at(p)
	if !ok || b.device != d.index {
		return 0, 0, false
	}
	return b.base, b.bytes, true
}

// allocation is a way to allocate device memory, and to free it again.
type allocation struct {
	make func() (driver.Ptr, error)
	free func(driver.Ptr) error
}

// allocateOrInject makes an allocation, unless a fault is injected. A call that HIP does not permit while a stream is
// captured is not an allocation. Only the call itself shows that, so it is made before it fails.
func (d *Device) allocateOrInject(c *trace.Call, a allocation) (driver.Ptr, error) {
	switch {
	case c.Bytes == 0:
		return a.make()
	case !d.Capturing():
		if err := d.inject(c); err != nil {
			return 0, err
		}
		return a.make()
	}
	p, err := a.make()
	if err != nil && driver.CodeOf(err) != driver.ErrorOutOfMemory {
		return 0, err
	}
	fault := d.inject(c)
	if fault == nil {
		return p, err
	}
	if err == nil {
		fault = cmp.Or(a.free(p), fault)
	}
	return 0, fault
}

// inject counts an allocation, and returns an error if a fault is injected. A synchronizing call still waits, and
// returns the error of an earlier kernel first, as when the device is out of memory.
func (d *Device) inject(c *trace.Call) error {
	number := d.host.record.Request(d.index)
	if d.host.refuse == nil {
		return nil
	}
	why := d.host.refuse(c)
	if why == "" {
		return nil
	}
	if c.Synchronizing && !d.Capturing() {
		if err := d.driver.Synchronize(); err != nil {
			return err
		}
	}
	c.Injected = fmt.Sprintf("allocation %d of the case (%s)", number, why)
	return driver.Faultf(driver.ErrorOutOfMemory, "%s of %d bytes failed by fault injection: %s", c.Name, c.Bytes,
		c.Injected)
}
