package workspace

import (
	"fmt"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/internal/units"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
)

// Allocation is device memory that a call allocates from the workspace of its handle, one span for each buffer.
// Allocations are released in reverse order.
type Allocation struct {
	memory   *memory
	spans    []driver.Span
	total    uint64
	before   uint64      // bytes in use when the allocation was made, which must be in use again after its release
	stream   *hip.Stream // stream of a stream-ordered allocation, also after the handle changed its stream
	async    driver.Ptr  // memory of a stream-ordered allocation
	released bool
}

// form is the interface that requests an allocation. Both round sizes alike, but differ for stream-ordered memory.
type form uint8

const (
	byBuffers form = iota // the template of rocBLAS's own functions
	byCount               // the public C interface, which rocSOLVER and routines of users use
)

// allocateBuffers allocates the buffers as a, which is not in use; its spans are reused. It reports whether there is
// enough memory. A total of 0 always succeeds, with null spans. Growth while another allocation is in use would end the
// process, so the error is an Abort.
func (m *memory) allocateBuffers(a *Allocation, sizes []uint64, f form) (enough bool, err error) {
	total := totalOf(sizes)
	*a = Allocation{memory: m, total: total, before: m.inUse, spans: a.spans[:0]}
	if m.streamOrdered && m.owner == Managed {
		return m.allocateStreamOrdered(a, sizes, f), nil
	}
	if total == 0 {
		a.layOut(0, sizes)
		return true, nil
	}
	if total > m.size-m.inUse {
		if m.owner != Managed {
			return false, nil
		}
		if m.inUse != 0 {
			return false, &Abort{"device_malloc",
				fmt.Sprintf("cannot reallocate device memory for %s more while %s are in use",
					units.FormatBytes(total), units.FormatBytes(m.inUse))}
		}
		if !m.grow(total) {
			return false, nil
		}
	}
	a.layOut(m.start+driver.Ptr(m.inUse), sizes)
	m.inUse += total
	return true, nil
}

// DeviceMalloc allocates buffers from the handle's workspace, as the public rocblas_device_malloc does for authors of
// routines. A nil Allocation without an error means that there is not enough memory. In stream order the library
// ignores that the pool has too little memory: the allocation succeeds, and its first buffer is a null pointer. Only
// rocBLAS's own functions notice.
func (m *memory) DeviceMalloc(bytes ...uint64) (*Allocation, error) {
	if err := m.check("device_malloc"); err != nil {
		return nil, err
	}
	a := &Allocation{}
	if enough, err := m.allocateBuffers(a, bytes, byCount); !enough || err != nil {
		return nil, err
	}
	return a, nil
}

// Shortage returns the error that explains why DeviceMalloc found too little memory.
func (m *memory) Shortage(bytes ...uint64) error {
	e := m.refusal("device_malloc", status.MemoryError, units.Count(len(bytes), "buffer"))
	e.Sized, e.Required, e.Available = true, totalOf(bytes), m.size-m.inUse
	return e
}

// allocateStreamOrdered allocates from the device's memory pool. The count form does so even for 0 bytes, and ignores a
// failure: its first span is then null, the others follow from address 0, and a kernel that uses them causes a fault.
func (m *memory) allocateStreamOrdered(a *Allocation, sizes []uint64, f form) (enough bool) {
	a.stream = m.stream
	if a.total == 0 && f == byBuffers {
		a.layOut(0, sizes)
		return true
	}
	defer m.setCause("workspace_allocation")()
	p, err := m.runsOn().MallocAsync(a.total, m.stream)
	if err != nil && f == byBuffers {
		return false
	}
	a.async = p
	if p != 0 {
		m.pooled += a.total
		m.recordHeld()
	}
	a.layOut(p, sizes)
	return true
}

// grow frees the memory and allocates need bytes plus the default size. It reports whether that succeeded. After a
// failure the handle is still managed and holds no memory.
func (m *memory) grow(need uint64) bool {
	defer m.recordHeld()
	defer m.setCause(trace.CauseGrowth)()
	defer m.enter()()
	m.size = 0
	if err := m.releaseMemory(); err != nil {
		return false
	}
	m.recordHeld()
	bytes := need + m.target.DefaultBytes()
	p, err := m.dev.Malloc(bytes)
	if err != nil {
		return false
	}
	m.start, m.size = p, bytes
	return true
}

// layOut places the buffers one after the other, each on a multiple of 64 bytes. Empty buffers get a null span. The
// base is null if a stream-ordered allocation failed, or in stream order with a size from the environment.
func (a *Allocation) layOut(base driver.Ptr, sizes []uint64) {
	offset := uint64(0)
	for _, n := range sizes {
		span := driver.Span{}
		if n != 0 {
			span = driver.Span{Ptr: base + driver.Ptr(offset), Bytes: n}
		}
		a.spans = append(a.spans, span)
		offset += behavior.Round(n)
	}
}

// Spans returns the buffers in the order of the request.
func (a *Allocation) Spans() []driver.Span { return a.spans }

// Bytes returns the bytes that the allocation takes from the handle's memory, including rounding.
func (a *Allocation) Bytes() uint64 { return a.total }

// Released reports whether the allocation was released.
func (a *Allocation) Released() bool { return a.released }

// Release returns the memory to the handle. Releasing out of order would end the process, so the error is an Abort. A
// second Release does nothing. Releasing to the pool fails if the stream's capture was invalidated since the
// allocation, which would also end the process. On the platform of the profile cuda the error is an *Error.
func (a *Allocation) Release() error {
	if a.released {
		return nil
	}
	a.released = true
	if a.stream != nil {
		if a.async == 0 {
			return nil
		}
		a.memory.pooled -= a.total
		defer a.memory.recordHeld()
		defer a.memory.setCause("workspace_allocation")()
		if err := a.stream.Device().FreeAsync(a.async, a.stream); err != nil {
			if a.memory.profile.Modelled() {
				return &Abort{"device_malloc", "device memory could not be released to the memory pool: " + err.Error()}
			}
			return a.memory.failure("device_malloc", err)
		}
		return nil
	}
	if a.total == 0 {
		return nil
	}
	a.memory.inUse -= a.total
	if a.memory.inUse != a.before {
		return &Abort{"device_malloc", "workspace allocations were not released in LIFO order"}
	}
	return nil
}
