package cpu

import (
	"roclua/hip/cpu/capture"
	"roclua/hip/cpu/memory"
	"roclua/hip/cpu/order"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Malloc waits for the device and makes a block.
func (d *device) Malloc(bytes uint64) (driver.Ptr, error) { return d.allocate(bytes, false) }

// MallocManaged makes a block like Malloc that kernels of all devices, and the host, can use.
func (d *device) MallocManaged(bytes uint64) (driver.Ptr, error) { return d.allocate(bytes, true) }

// UseOnHost returns managed memory for a use by the host.
func (d *device) UseOnHost(p driver.Ptr, n uint64, a routine.Access, e driver.Element) ([]byte, error) {
	r := memory.Bytes(p, n, a)
	u, ok := d.runtime.spaces.Use(&r)
	if !ok {
		return nil, d.noBlock(&r)
	}
	u.Element = e
	site := d.runtime.locate()
	d.hazards.OrderHost(site, &u)
	inspection := d.inspector.Begin(site, 0, nil)
	if err := inspection.Use(&u); err != nil {
		return nil, err
	}
	return u.Slice()
}

func (d *device) allocate(bytes uint64, managed bool) (driver.Ptr, error) {
	if err := d.usable(); err != nil {
		return 0, err
	}
	if err := d.runtime.captures.UnsafeCall(); err != nil || bytes == 0 {
		return 0, err
	}
	if err := d.drain(); err != nil {
		return 0, err
	}
	b := &memory.Block{Size: bytes, AllocatedBy: d.runtime.locate(), Managed: managed}
	d.runtime.spend(d.model.time.Malloc)
	if err := d.space.Allocate(b); err != nil {
		return 0, err
	}
	return driver.Ptr(b.Base), nil
}

// Free waits for the block's device and frees the block. Like HIP's, it may return the fault of an earlier kernel; the
// block is freed nonetheless, so that a case can clean up after a fault.
func (d *device) Free(p driver.Ptr) error {
	rt := d.runtime
	if err := rt.captures.UnsafeCall(); err != nil || p == 0 {
		return err
	}
	b, index, err := rt.spaces.Owner(p)
	if err != nil {
		return err
	}
	owner := rt.devices[index]
	known := owner.streams.Faults.Known()
	err = owner.drain()
	rt.spend(owner.model.time.Free)
	for again := true; again; again = rt.host.Shared() && !rt.host.Abandoned() && b.Busy() {
		for _, o := range b.Users() {
			rt.host.AwaitOperations(o) // a copy in a stream of another device, not awaited by the host
		}
	}
	b.Remove(rt.locate(), false)
	if rt.host.Abandoned() {
		rt.orphans = append(rt.orphans, b)
		return order.ErrAbandoned
	}
	b.Release()
	if known != nil {
		return nil
	}
	return err
}

// MallocAsync makes a block immediately. Its memory can be used in stream order after the call.
func (d *device) MallocAsync(s driver.Stream, bytes uint64) (driver.Ptr, error) {
	if !d.model.pools {
		return 0, driver.ErrorNotSupported
	}
	st, err := d.open(s)
	if err = d.checkOwn(st, err); err != nil || bytes == 0 {
		return 0, err
	}
	if st.branch.Captured() {
		return d.captureMalloc(st, bytes)
	}
	b := &memory.Block{Size: bytes, AllocatedBy: d.runtime.locate(), Pooled: true}
	if err := d.space.Allocate(b); err != nil {
		return 0, err
	}
	st.enqueueUse(b.AllocatedBy, b, nil)
	return driver.Ptr(b.Base), nil
}

// captureMalloc captures an allocation: its address is fixed now, and its memory is allocated by each launch.
func (d *device) captureMalloc(st *stream, bytes uint64) (driver.Ptr, error) {
	if err := st.branch.Err(); err != nil {
		return 0, err // as HIP does, before it looks for memory
	}
	m, err := d.space.Reserve(bytes)
	if err != nil {
		return 0, err
	}
	return driver.Ptr(m.Base), st.branch.Add(&capture.Node{Kind: driver.NodeMemAlloc, Bytes: bytes, Memory: m,
		Replay: func(s driver.Stream, _ func(driver.Site) driver.Timer) error {
			site := d.runtime.locate()
			b, err := m.Allocate(site)
			if err == nil {
				s.(*stream).enqueueUse(site, b, nil)
			}
			return err
		}})
}

// FreeAsync frees a block: its bytes count as free immediately, and its memory is released when the stream reaches the
// call.
func (d *device) FreeAsync(s driver.Stream, p driver.Ptr) error {
	st, ok := s.(*stream)
	if !ok || st.Closed() {
		return driver.ErrorInvalidHandle
	}
	if d.runtime.closed {
		return driver.ErrorDeinitialized
	}
	if p == 0 {
		return nil
	}
	if st.branch.Captured() {
		return d.captureFree(st, p)
	}
	b, _, err := d.runtime.spaces.Owner(p)
	if err != nil {
		return err
	}
	site := d.runtime.locate()
	b.Remove(site, true)
	o := st.enqueueUse(site, b, func() error { b.Release(); return nil })
	if o.Dropped() { // Close releases it
		d.runtime.orphans = append(d.runtime.orphans, b)
	}
	return nil
}

// captureFree captures the release of memory, which must be memory of a graph. Like HIP, it checks the capture first.
func (d *device) captureFree(st *stream, p driver.Ptr) error {
	if err := st.branch.Err(); err != nil {
		return err
	}
	l := d.runtime.spaces
	if l.Of(uint64(p)) == nil {
		return driver.Faultf(driver.ErrorInvalidValue, "%s", l.Describe(uint64(p)))
	}
	m := l.Reservation(p)
	if m == nil {
		return driver.Faultf(driver.ErrorInvalidValue,
			"while a stream is captured, only memory that was allocated in a graph can be freed: %s",
			l.Describe(uint64(p)))
	}
	return st.branch.Add(&capture.Node{Kind: driver.NodeMemFree, Memory: m,
		Replay: func(s driver.Stream, _ func(driver.Site) driver.Timer) error { return d.FreeAsync(s, p) }})
}

// TrimPool returns idle bytes of the pool to the device.
func (d *device) TrimPool(keep uint64) error {
	if d.runtime.closed {
		return driver.ErrorDeinitialized
	}
	d.space.Pool.Trim(keep)
	return nil
}

func (d *device) SetPoolAttribute(a driver.PoolAttribute, value uint64) error {
	return d.space.Pool.SetAttribute(a, value)
}

func (d *device) PoolAttribute(a driver.PoolAttribute) (uint64, error) {
	return d.space.Pool.Attribute(a)
}
