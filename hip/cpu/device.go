package cpu

import "roclua/hip/driver"

// device is one simulated GPU.
type device struct {
	runtime *runtime
	index   int
	model   model
	space   space
	null    *stream
	streams []*stream // including the null stream, and destroyed streams that the host has not waited for
	nextID  int
	faults  faults
	hazards []driver.Hazard

	inspector *inspector // nil if memory is not checked
	calls     calls
}

func newDevice(rt *runtime, index int, m model) *device {
	d := &device{runtime: rt, index: index, model: m, space: newSpace(index, m.memory)}
	if rt.checked {
		d.inspector = &inspector{runtime: rt}
	}
	d.null = d.newStream(0, true)
	return d
}

// Properties implements hipGetDeviceProperties.
func (d *device) Properties() driver.Properties { return d.model.properties(d.index) }

// Attribute implements hipDeviceGetAttribute.
func (d *device) Attribute(a driver.Attribute) (int, error) { return d.model.attribute(a) }

// MemInfo implements hipMemGetInfo. Idle bytes of the pool are not free.
func (d *device) MemInfo() (free, total uint64, err error) {
	return d.space.capacity - d.space.used - d.space.pool.idle, d.space.capacity, nil
}

// NullStream returns the stream that hipStream_t 0 names.
func (d *device) NullStream() driver.Stream { return d.null }

// NewStream makes a stream, which has its own goroutine.
func (d *device) NewStream(nonBlocking bool) (driver.Stream, error) {
	if d.runtime.closed {
		return nil, driver.ErrorDeinitialized
	}
	d.reap()
	d.nextID++
	return d.newStream(d.nextID, !nonBlocking), nil
}

// Synchronize waits for every stream.
func (d *device) Synchronize() error {
	if err := d.runtime.waitForDevice(); err != nil {
		return err
	}
	return d.drain()
}

// drain waits for every stream.
func (d *device) drain() error {
	defer d.reap()
	return d.wait(d.everything()...)
}

// everything returns the last operation of every stream.
func (d *device) everything() []*operation {
	var list []*operation
	for _, s := range d.streams {
		if s.last != nil {
			list = append(list, s.last)
		}
	}
	return list
}

// wait makes the host wait for operations: they happen before everything that the host does next, and wait returns
// their faults. Idle bytes of the pool return to the device.
func (d *device) wait(list ...*operation) error {
	if err := d.runtime.awaitOperations(list...); err != nil {
		return err
	}
	for _, o := range list {
		d.runtime.host = d.runtime.host.join(o.clock)
	}
	d.space.pool.trim(d.space.pool.threshold)
	return d.faults.report(d.runtime.host)
}

// usable returns an error when no work can be queued: the runtime is closed, the device was abandoned, or a fault of
// the device was returned before.
func (d *device) usable() error {
	switch {
	case d.runtime.closed:
		return driver.ErrorDeinitialized
	case d.runtime.givenUp.Load():
		return errGivenUp
	}
	return d.faults.known()
}

// stream checks a stream on which work is queued. It may belong to another device.
func (d *device) stream(s driver.Stream) (*stream, error) {
	st, err := d.open(s)
	if err == nil && st == st.device.null && len(d.runtime.captures) > 0 {
		err = d.runtime.useNull()
	}
	return st, err
}

// open checks a stream for an allocation, which HIP permits in the null stream also while others are captured.
func (d *device) open(s driver.Stream) (*stream, error) {
	st, ok := s.(*stream)
	if !ok || st.destroyed || st.device.runtime != d.runtime {
		return nil, driver.ErrorInvalidHandle
	}
	return st, st.device.usable()
}

// own checks a stream that must belong to the device.
func (d *device) own(s driver.Stream) (*stream, error) {
	st, err := d.stream(s)
	return st, d.checkOwn(st, err)
}

func (d *device) checkOwn(st *stream, err error) error {
	if err == nil && st.device != d {
		return driver.Faultf(driver.ErrorInvalidHandle, "stream %d belongs to device %d, not to device %d",
			st.id, st.device.index, d.index)
	}
	return err
}
