package cpu

import "roclua/hip/driver"

// Malloc waits for the device and makes a block.
func (d *device) Malloc(bytes uint64) (driver.Ptr, error) {
	if err := d.usable(); err != nil {
		return 0, err
	}
	if err := d.runtime.unsafeCall(); err != nil || bytes == 0 {
		return 0, err
	}
	if err := d.drain(); err != nil {
		return 0, err
	}
	b := &block{size: bytes, device: d, allocatedBy: d.runtime.locate()}
	if err := d.space.allocate(b); err != nil {
		return 0, err
	}
	return driver.Ptr(b.base), nil
}

// MallocManaged makes a block like Malloc: a script accesses all memory by copies.
func (d *device) MallocManaged(bytes uint64) (driver.Ptr, error) { return d.Malloc(bytes) }

// Free waits for the block's device and frees the block. Like HIP's, it may return the fault of an earlier kernel; the
// block is freed nonetheless, so that a case can clean up after a fault.
func (d *device) Free(p driver.Ptr) error {
	if err := d.runtime.unsafeCall(); err != nil || p == 0 {
		return err
	}
	b, err := d.runtime.owner(p)
	if err != nil {
		return err
	}
	owner := b.device
	known := owner.faults.known()
	err = owner.drain()
	for _, h := range b.history {
		d.runtime.awaitOperations(h.by) // a copy in a stream of another device, for which the host has not waited
	}
	owner.space.remove(b, d.runtime.locate(), false)
	if d.runtime.givenUp.Load() {
		d.runtime.orphans = append(d.runtime.orphans, b)
		return errGivenUp
	}
	b.memory.release()
	if known != nil {
		return nil
	}
	return err
}

// owner returns the block that begins at an address.
func (rt *runtime) owner(p driver.Ptr) (*block, error) {
	b, ok := rt.at(uint64(p))
	if !ok || b.base != uint64(p) {
		return nil, driver.Faultf(driver.ErrorInvalidValue, "no block begins at this address: %s",
			rt.describeAddress(uint64(p)))
	}
	return b, nil
}

// MallocAsync makes a block immediately. Its memory can be used in stream order after the call.
func (d *device) MallocAsync(s driver.Stream, bytes uint64) (driver.Ptr, error) {
	st, err := d.open(s)
	if err = d.checkOwn(st, err); err != nil || bytes == 0 {
		return 0, err
	}
	if st.capture != nil {
		return d.captureMalloc(st, bytes)
	}
	b := &block{size: bytes, device: d, allocatedBy: d.runtime.locate(), pooled: true}
	if err := d.space.allocate(b); err != nil {
		return 0, err
	}
	st.enqueue(b.allocatedBy, []use{{block: b, region: b.whole()}}, nil)
	return driver.Ptr(b.base), nil
}

// FreeAsync frees a block: its bytes count as free immediately, and its memory is released when the stream reaches the
// call.
func (d *device) FreeAsync(s driver.Stream, p driver.Ptr) error {
	st, ok := s.(*stream)
	if !ok || st.destroyed {
		return driver.ErrorInvalidHandle
	}
	if d.runtime.closed {
		return driver.ErrorDeinitialized
	}
	if p == 0 {
		return nil
	}
	if st.capture != nil {
		return d.captureFree(st, p)
	}
	b, err := d.runtime.owner(p)
	if err != nil {
		return err
	}
	site := d.runtime.locate()
	b.device.space.remove(b, site, true)
	o := st.enqueue(site, []use{{block: b, region: b.whole()}}, func() error { b.memory.release(); return nil })
	if o.dropped { // Close releases it
		d.runtime.orphans = append(d.runtime.orphans, b)
	}
	return nil
}

// TrimPool returns idle bytes of the pool to the device.
func (d *device) TrimPool(keep uint64) error {
	if d.runtime.closed {
		return driver.ErrorDeinitialized
	}
	d.space.pool.trim(keep)
	return nil
}
