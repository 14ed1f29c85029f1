package cpu

import (
	"roclua/hip/cpu/inspect"
	"roclua/hip/cpu/memory"
	"roclua/hip/cpu/order"
	"roclua/hip/driver"
	"roclua/hip/routine/region"
)

// device is one simulated GPU.
type device struct {
	runtime   *runtime
	index     int
	model     model
	space     *memory.Space
	null      *stream
	perThread map[*thread]*stream // that were used
	peers     map[int]bool        // devices whose memory kernels can use
	streams   order.Streams
	hazards   memory.Hazards

	claimed []region.Region // of the latest kernel, if kernels claim memory
	uses    []memory.Use    // of these regions

	inspector *inspect.Inspector // nil if memory is not checked
	calls     calls
}

func newDevice(rt *runtime, index int, m model) *device {
	d := &device{runtime: rt, index: index, model: m, space: memory.NewSpace(index, m.memory, rt.host),
		streams: order.NewStreams(rt.host, index)}
	if rt.checked {
		d.inspector = inspect.New(platform, rt.host)
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
	return d.space.Unused(), d.space.Capacity, nil
}

// NullStream returns the stream that hipStream_t 0 names.
func (d *device) NullStream() driver.Stream { return d.null }

// NewStream makes a stream, which has its own goroutine.
func (d *device) NewStream(nonBlocking bool) (driver.Stream, error) {
	if d.runtime.closed {
		return nil, driver.ErrorDeinitialized
	}
	d.streams.Reap()
	d.runtime.streams++
	return d.newStream(d.runtime.streams, !nonBlocking), nil
}

// NamedStream implements driver.NamedStreams.
func (d *device) NamedStream(number int) driver.Stream {
	if number == driver.StreamLegacy {
		return d.null
	}
	host := d.runtime.thread
	if d.perThread[host] == nil {
		if d.perThread == nil {
			d.perThread = map[*thread]*stream{}
		}
		d.runtime.streams++
		d.perThread[host] = d.newStream(d.runtime.streams, true)
	}
	return d.perThread[host]
}

// Synchronize waits for every stream.
func (d *device) Synchronize() error {
	if err := d.runtime.captures.WaitForDevice(); err != nil {
		return err
	}
	return d.drain()
}

// drain waits for every stream.
func (d *device) drain() error {
	defer d.streams.Reap()
	return d.wait(d.streams.Last()...)
}

// wait makes the host wait for operations: they happen before everything that the host does next, and wait returns
// their faults. Idle bytes of the pool return to the device.
func (d *device) wait(list ...*order.Operation) error {
	if err := d.runtime.host.Wait(list...); err != nil {
		return err
	}
	d.space.Pool.Synchronized()
	return d.streams.Faults.Report()
}

// Hazards returns the hazards since the last call.
func (d *device) Hazards() []driver.Hazard { return d.hazards.Take() }

// UnwrittenReads returns the reads of unwritten memory since the last call.
func (d *device) UnwrittenReads() []driver.UnwrittenRead { return d.inspector.UnwrittenReads() }

// SetElement implements driver.MemoryChecker.
func (d *device) SetElement(p driver.Ptr, r driver.Rows, e driver.Element) {
	d.inspector.SetElement(d.runtime.spaces, p, r, e)
}

// CheckElement implements driver.MemoryChecker.
func (d *device) CheckElement(p driver.Ptr, r driver.Rows, e driver.Element) error {
	return d.inspector.CheckElement(d.runtime.spaces, p, r, e, d.runtime.locate)
}
