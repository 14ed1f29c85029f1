package cpu

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// committed counts the bytes of host memory behind the blocks of all devices of the process.
var committed atomic.Int64

// Committed returns how much host memory the simulated devices of this process take at the moment: 0 when every runtime is
// closed.
func Committed() int64 { return committed.Load() }

// backing is the host memory behind a block. It is committed when it is first touched, so a block that is only held,
// such as the default workspace of a handle, costs nothing.
type backing struct {
	mu     sync.Mutex // several streams may touch a block first
	data   []byte
	mapped bool
}

// mapAbove is the size from which memory comes from the operating system, whose pages cost nothing until they are
// touched and go back at once; below it the Go heap is cheaper.
const mapAbove = 256 << 10

// alignment of device addresses, in bytes. The host memory behind them is aligned to a cache line.
const (
	alignment     = 256
	hostAlignment = 64
)

// bytes returns the memory, committing n bytes of zeros the first time.
func (b *backing) bytes(n uint64) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.data != nil {
		return b.data, nil
	}
	committed.Add(int64(n))
	if n >= mapAbove {
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

// release gives the memory back. Nothing may use the slice any more.
func (b *backing) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	committed.Add(-int64(len(b.data)))
	if b.mapped {
		unmapMemory(b.data)
	}
	b.data, b.mapped = nil, false
}
