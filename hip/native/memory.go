package native

import (
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Malloc allocates device memory.
func (d *Device) Malloc(bytes uint64) (driver.Ptr, error) {
	return d.allocate(bytes, func(p *driver.Ptr) error {
		return d.call("Malloc", uintptr(unsafe.Pointer(p)), uintptr(bytes))
	})
}

// attachGlobal is the flag of managed memory that every stream can use.
const attachGlobal = 1

// MallocManaged allocates memory that the host can access too.
func (d *Device) MallocManaged(bytes uint64) (driver.Ptr, error) {
	return d.allocate(bytes, func(p *driver.Ptr) error {
		return d.call("MallocManaged", uintptr(unsafe.Pointer(p)), uintptr(bytes), attachGlobal)
	})
}

// allocate makes an allocation of at least one byte that does not come from the pool.
func (d *Device) allocate(bytes uint64, do func(p *driver.Ptr) error) (driver.Ptr, error) {
	if bytes == 0 {
		return 0, nil
	}
	p := new(driver.Ptr)
	if err := do(p); err != nil {
		return 0, err
	}
	d.live[*p] = false
	return *p, nil
}

// UseOnHost returns managed memory for a use by the host.
func (d *Device) UseOnHost(p driver.Ptr, bytes uint64, _ routine.Access, _ driver.Element) ([]byte, error) {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&p)), bytes), nil
}

// Free frees memory of any device.
func (d *Device) Free(p driver.Ptr) error {
	err := d.call("Free", uintptr(p))
	if err == nil {
		d.rt.freed(p)
	}
	return err
}

// freed forgets an allocation, which the device that freed it need not have made.
func (rt *Runtime) freed(p driver.Ptr) {
	for _, d := range rt.devices {
		delete(d.live, p)
	}
}

// MallocAsync allocates from the device's pool in stream order.
func (d *Device) MallocAsync(s driver.Stream, bytes uint64) (driver.Ptr, error) {
	if bytes == 0 {
		return 0, nil
	}
	p := new(driver.Ptr)
	err := d.queued("MallocAsync", uintptr(unsafe.Pointer(p)), uintptr(bytes), handleOf(s))
	if err != nil {
		return 0, err
	}
	if !d.Captures(s) {
		d.live[*p] = true
	}
	return *p, nil
}

// FreeAsync returns memory to the pool in stream order.
func (d *Device) FreeAsync(s driver.Stream, p driver.Ptr) error {
	if p == 0 {
		return nil
	}
	err := d.queued("FreeAsync", uintptr(p), handleOf(s))
	if err == nil && !d.Captures(s) {
		d.rt.freed(p)
	}
	return err
}

// TrimPool returns unused memory of the pool to the device.
func (d *Device) TrimPool(keep uint64) error {
	return d.withPool(func(pool uintptr) error {
		return d.api.Call("MemPoolTrimTo", pool, uintptr(keep))
	})
}

// withPool makes a call for the device's default pool.
func (d *Device) withPool(do func(pool uintptr) error) error {
	pool := new(uintptr)
	return d.WithDevice(func() error {
		err := d.api.Call("DeviceGetDefaultMemPool", uintptr(unsafe.Pointer(pool)),
			uintptr(d.id))
		if err != nil {
			return err
		}
		return do(*pool)
	})
}

// SetPoolAttribute sets an attribute of the pool. The runtime reads an int or a uint64, according to the attribute.
func (d *Device) SetPoolAttribute(a driver.PoolAttribute, value uint64) error {
	return d.withPool(func(pool uintptr) error {
		place := new(uint64)
		*place = value
		return d.api.Call("MemPoolSetAttribute", pool, uintptr(a), uintptr(unsafe.Pointer(place)))
	})
}

// PoolAttribute returns an attribute of the pool.
func (d *Device) PoolAttribute(a driver.PoolAttribute) (uint64, error) {
	value := new(uint64)
	err := d.withPool(func(pool uintptr) error {
		return d.api.Call("MemPoolGetAttribute", pool, uintptr(a), uintptr(unsafe.Pointer(value)))
	})
	return *value, err
}

// Write copies from the host. Host memory is not pinned, so the runtime has copied the data when the call returns.
func (d *Device) Write(s driver.Stream, dst driver.Ptr, src []byte, r driver.Rows) error {
	if r.Bytes() == 0 {
		return nil
	}
	d.Keep(s, src)
	return d.WithDevice(func() error {
		return d.copy(s, uintptr(dst), r.DevicePitch, uintptr(unsafe.Pointer(&src[0])), r.HostPitch, r)
	})
}

// Read copies to the host. Host memory is not pinned, so dst is filled when the call returns.
func (d *Device) Read(s driver.Stream, dst []byte, src driver.Ptr, r driver.Rows) error {
	if r.Bytes() == 0 {
		return nil
	}
	captured := d.Keep(s, dst)
	return d.WithDevice(func() error {
		err := d.copy(s, uintptr(unsafe.Pointer(&dst[0])), r.HostPitch, uintptr(src), r.DevicePitch, r)
		if err != nil || captured {
			return err
		}
		return d.rt.whileOthers("StreamSynchronize", handleOf(s))
	})
}

// Copy copies between device addresses.
func (d *Device) Copy(s driver.Stream, dst, src driver.Ptr, r driver.Rows) error {
	if r.Bytes() == 0 {
		return nil
	}
	return d.queue(func() error { return d.copy(s, uintptr(dst), r.DevicePitch, uintptr(src), r.HostPitch, r) })
}

// copy copies rows, or adjacent bytes.
//
//go:uintptrescapes
func (d *Device) copy(s driver.Stream, dst uintptr, dstPitch uint64, src uintptr, srcPitch uint64,
	r driver.Rows) error {
	if r == driver.Row(r.Width) {
		return d.api.Call("MemcpyAsync", dst, src, uintptr(r.Width), copyDefault, handleOf(s))
	}
	return d.api.Call("Memcpy2DAsync", dst, uintptr(dstPitch), src, uintptr(srcPitch), uintptr(r.Width),
		uintptr(r.Count), copyDefault, handleOf(s))
}

// Fill sets bytes to one value.
func (d *Device) Fill(s driver.Stream, dst driver.Ptr, value byte, bytes uint64) error {
	if bytes == 0 {
		return nil
	}
	return d.queued("MemsetAsync", uintptr(dst), uintptr(value), uintptr(bytes), handleOf(s))
}

// Copy2D copies rows of width bytes whose starts are a pitch apart.
func (d *Device) Copy2D(s driver.Stream, dst driver.Ptr, dstPitch uint64, src driver.Ptr, srcPitch, width,
	rows uint64) error {
	return d.api.Call("Memcpy2DAsync", uintptr(dst), uintptr(dstPitch), uintptr(src),
		uintptr(srcPitch), uintptr(width), uintptr(rows), copyDefault, handleOf(s))
}

// Clear2D sets rows of width bytes whose starts are a pitch apart to zero.
func (d *Device) Clear2D(s driver.Stream, dst driver.Ptr, pitch, width, rows uint64) error {
	return d.api.Call("Memset2DAsync", uintptr(dst), uintptr(pitch), 0, uintptr(width),
		uintptr(rows), handleOf(s))
}
