package hip

import (
	"cmp"
	"fmt"
	"slices"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

// ledger records the live blocks of device memory by address, and the blocks that were freed last. It is kept here and
// not by the platforms, because a vendor's runtime reports neither who allocated a block nor that an address was valid
// before.
type ledger struct {
	live    []*block // sorted by base address
	freed   []*block // the latest freedKept, oldest first
	total   held
	devices []held
	serial  int
}

// held is the memory that is allocated, on one device or on all.
type held struct {
	bytes, peak uint64
	blocks      int
}

func (h *held) add(bytes uint64) {
	h.bytes, h.blocks = h.bytes+bytes, h.blocks+1
	h.peak = max(h.peak, h.bytes)
}

func (h *held) remove(bytes uint64) { h.bytes, h.blocks = h.bytes-bytes, h.blocks-1 }

func (h *held) countIn(c *trace.Counts) {
	c.LiveBytes, c.PeakBytes, c.LiveBlocks = h.bytes, h.peak, h.blocks
}

// freedKept is the number of freed blocks that are kept, to distinguish a double free from an invalid pointer.
const freedKept = 4096

type block struct {
	base        driver.Ptr
	bytes       uint64
	device      int
	serial      int // allocations in order
	cause       string
	allocatedBy driver.Site
	freedBy     driver.Site // the call that freed it
}

func (b *block) managed() bool { return b.allocatedBy.Call == "hipMallocManaged" }

func (b *block) String() string {
	return fmt.Sprintf("a block of %d bytes allocated by %s%s", b.bytes, b.allocatedBy, causeSuffix(b.cause))
}

// causeSuffix names the cause of a call that the script did not make itself.
func causeSuffix(cause string) string {
	if cause == trace.CauseScript {
		return ""
	}
	return " (" + cause + ")"
}

// allocated records a block. A null pointer is ignored.
func (l *ledger) allocated(b *block) {
	if b.base == 0 {
		return
	}
	l.serial++
	b.serial = l.serial
	at, _ := l.search(b.base)
	l.live = slices.Insert(l.live, at, b)
	l.total.add(b.bytes)
	l.devices[b.device].add(b.bytes)
}

// released removes a block. An address at which no block begins is ignored.
func (l *ledger) released(base driver.Ptr, by driver.Site) {
	at, ok := l.search(base)
	if !ok {
		return
	}
	b := l.live[at]
	b.freedBy = by
	l.live = slices.Delete(l.live, at, at+1)
	l.total.remove(b.bytes)
	l.devices[b.device].remove(b.bytes)
	if len(l.freed) >= freedKept {
		l.freed = append(l.freed[:0:0], l.freed[freedKept/2:]...)
	}
	l.freed = append(l.freed, b)
}

func (l *ledger) search(base driver.Ptr) (int, bool) {
	return slices.BinarySearchFunc(l.live, base, func(b *block, p driver.Ptr) int { return cmp.Compare(b.base, p) })
}

// at returns the live block that contains an address.
func (l *ledger) at(p driver.Ptr) (*block, bool) {
	i, found := l.search(p)
	if found {
		return l.live[i], true
	}
	if i == 0 || uint64(p-l.live[i-1].base) >= l.live[i-1].bytes {
		return nil, false
	}
	return l.live[i-1], true
}

// describeUsed describes memory that a call uses: the block, and whether it is the workspace of a handle. It returns ""
// for memory of the host.
func (l *ledger) describeUsed(p driver.Ptr) string {
	b, ok := l.at(p)
	for i := len(l.freed) - 1; i >= 0 && !ok && p != 0; i-- {
		b = l.freed[i]
		ok = p >= b.base && uint64(p-b.base) < b.bytes
	}
	if !ok {
		return ""
	}
	text := fmt.Sprintf("byte %d of %s", uint64(p-b.base), b)
	if b.cause != trace.CauseScript {
		return "workspace of a handle, " + text
	}
	return text
}

// describeAddress describes an address that a call could not free.
func (l *ledger) describeAddress(p driver.Ptr) string {
	if b, ok := l.at(p); ok {
		return fmt.Sprintf("%#x is %d bytes inside %s", uint64(p), uint64(p-b.base), b)
	}
	for _, b := range slices.Backward(l.freed) {
		if p >= b.base && uint64(p-b.base) < b.bytes {
			return fmt.Sprintf("%#x was in %s, already freed by %s", uint64(p), b, b.freedBy)
		}
	}
	return fmt.Sprintf("%#x is not an address of device memory", uint64(p))
}
