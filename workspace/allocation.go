package workspace

import (
	"fmt"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/workspace/sizing"
)

// Allocation is device memory that a call borrows from its handle, one span for each buffer it asked for. Loans end in the
// reverse order of their making.
type Allocation struct {
	handle   *Model
	spans    []driver.Span
	total    uint64
	before   uint64      // bytes in use when the loan was made: what must be in use when it has ended
	stream   *hip.Stream // a stream-ordered loan's stream, which stays its own when the handle moves on
	async    driver.Ptr  // a stream-ordered loan's memory
	released bool
}

// form is the way a loan is asked for. Both round and lend alike, but differ over stream-ordered memory.
type form uint8

const (
	byBuffers form = iota // rocBLAS's own functions
	byCount               // the C interface that rocSOLVER uses
)

// allocateBuffers borrows the buffers. A nil loan without error means that there is not enough memory. A zero total always
// succeeds, with null spans. Growth while another loan is out ends the process.
func (h *Model) allocateBuffers(sizes []uint64, f form) (*Allocation, error) {
	total := uint64(0)
	for _, n := range sizes {
		total += sizing.Round(n)
	}
	loan := &Allocation{handle: h, total: total, before: h.inUse}
	if h.streamOrdered && h.owner == Managed {
		return h.allocateStreamOrdered(loan, sizes, f)
	}
	if total == 0 {
		loan.layOut(0, sizes)
		return loan, nil
	}
	if total > h.size-h.inUse {
		if h.owner != Managed {
			return nil, nil
		}
		if h.inUse != 0 {
			return nil, &Abort{"device_malloc", fmt.Sprintf("cannot reallocate device memory for %s more while %s are in use", FormatBytes(total), formatShort(h.inUse))}
		}
		if !h.grow(total) {
			return nil, nil
		}
	}
	loan.layOut(h.memory+driver.Ptr(h.inUse), sizes)
	h.inUse += total
	return loan, nil
}

// allocateStreamOrdered takes every loan from the device's pool. The count form does so even for no bytes, and does not
// notice when the pool has none: its spans are then null although bytes were asked for, and a kernel that uses them
// meets a fault.
func (h *Model) allocateStreamOrdered(loan *Allocation, sizes []uint64, f form) (*Allocation, error) {
	loan.stream = h.stream
	if loan.total == 0 && f == byBuffers {
		loan.layOut(0, sizes)
		return loan, nil
	}
	defer h.dev.SetCause("workspace_allocation")()
	p, err := h.dev.MallocAsync(loan.total, h.stream)
	if err != nil && f == byBuffers {
		return nil, nil
	}
	loan.async = p
	if p != 0 {
		h.pooled += loan.total
		h.recordHeld()
	}
	loan.layOut(p, sizes)
	return loan, nil
}

// grow frees the memory and allocates what is needed and the default size more. It reports whether that went well; if
// not, the handle is still managed and holds nothing.
func (h *Model) grow(need uint64) bool {
	defer h.recordHeld()
	defer h.dev.SetCause("growth")()
	h.size = 0
	if err := h.releaseMemory(); err != nil {
		return false
	}
	h.recordHeld()
	bytes := need + sizing.DefaultBytes(h.target.Arch)
	p, err := h.dev.Malloc(bytes)
	if err != nil {
		return false
	}
	h.memory, h.size = p, bytes
	return true
}

// layOut lays the buffers out one after the other, each on a multiple of 64 bytes; empty ones get a null span.
func (l *Allocation) layOut(base driver.Ptr, sizes []uint64) {
	l.spans = make([]driver.Span, len(sizes))
	offset := uint64(0)
	for i, n := range sizes {
		if n == 0 {
			continue
		}
		l.spans[i] = driver.Span{Bytes: n}
		if base != 0 || l.async == 0 && l.stream == nil {
			l.spans[i].Ptr = base + driver.Ptr(offset)
		}
		offset += sizing.Round(n)
	}
}

// Spans returns the buffers in the order they were asked for.
func (l *Allocation) Spans() []driver.Span { return l.spans }

// Bytes returns what the loan takes of the handle's memory, rounding included.
func (l *Allocation) Bytes() uint64 { return l.total }

// Released reports whether the loan has ended.
func (l *Allocation) Released() bool { return l.released }

// Release ends the loan. Ending loans out of order ends the process; ending one twice does nothing.
func (l *Allocation) Release() error {
	if l.released {
		return nil
	}
	l.released = true
	if l.stream != nil {
		if l.async == 0 {
			return nil
		}
		l.handle.pooled -= l.total
		defer l.handle.recordHeld()
		defer l.handle.dev.SetCause("workspace_allocation")()
		return l.handle.dev.FreeAsync(l.async, l.stream)
	}
	if l.total == 0 {
		return nil
	}
	l.handle.inUse -= l.total
	if l.handle.inUse != l.before {
		return &Abort{"device_malloc", "a loan of device memory was not given back in LIFO order"}
	}
	return nil
}
