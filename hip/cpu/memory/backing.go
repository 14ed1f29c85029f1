package memory

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"roclua/hip/driver"
)

// committed counts the bytes of host memory behind the blocks of all devices of the process.
var committed atomic.Int64

// Committed returns the bytes of host memory that the simulated devices of this process take now: 0 when every runtime
// is closed.
func Committed() int64 { return committed.Load() }

// backing is the host memory of a block. It is committed when it is first used, so a block that is never used, such as
// the default workspace of many handles, takes no memory.
type backing struct {
	mu     sync.Mutex // several streams may be the first to use a block
	data   []byte
	mapped bool
	freed  bool // no operation that was queued before uses it
}

// MapAbove is the size from which memory comes from the operating system, whose pages are committed when they are first
// used and released immediately. Below it the Go heap is cheaper.
const MapAbove = 256 << 10

// Alignment of device addresses, and of the host memory behind them, in bytes.
const (
	alignment     = 256
	hostAlignment = 64
)

// bytes returns the memory. The first call commits n zero bytes, on the heap if the host can have slices of them when
// the block is freed.
func (b *backing) bytes(n uint64, onHeap bool) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.freed:
		return nil, errFreed
	case b.data != nil:
		return b.data, nil
	}
	committed.Add(int64(n))
	if n >= MapAbove && !onHeap {
		data, err := mapMemory(n)
		if err != nil {
			committed.Add(-int64(n))
			return nil, err
		}
		b.data, b.mapped = data, true
		return data, nil
	}
	raw := make([]byte, n+hostAlignment)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(raw))) % hostAlignment
	b.data = raw[skip : uint64(skip)+n : uint64(skip)+n]
	return b.data, nil
}

// release frees the memory. The slice must no longer be used.
func (b *backing) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	committed.Add(-int64(len(b.data)))
	if b.mapped {
		unmapMemory(b.data)
	}
	b.data, b.mapped, b.freed = nil, false, true
}

// errFreed is the fault of an operation that a thread queued while another thread freed its memory.
var errFreed = driver.Faultf(driver.ErrorIllegalAddress, "another thread freed the memory before the call was queued")
