package memory

import (
	"fmt"
	"slices"

	"roclua/hip/cpu/order"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/region"
)

// Block is one allocation of device memory.
type Block struct {
	Base        uint64
	Size        uint64
	AllocatedBy driver.Site
	FreedBy     driver.Site  // the call that freed it
	Pooled      bool         // it came from the pool in stream order
	Managed     bool         // every device can use it
	Reservation *Reservation // of the graph that allocated it; nil for other blocks
	Contents    Contents

	space   *Space
	memory  backing
	pattern pattern
	history []access // uses that may conflict with later operations
	pruneAt int      // length of the history at which prune drops uses
}

func (b *Block) end() uint64 { return b.Base + b.Size }

// Device returns the number of the device that has the block.
func (b *Block) Device() int { return b.space.device }

// Contains reports whether n bytes at an address are in the block.
func (b *Block) Contains(p, n uint64) bool {
	return p >= b.Base && p-b.Base <= b.Size && n <= b.Size-(p-b.Base)
}

// Slice returns n bytes at an address of the block, with the pattern of unwritten memory where they must hold it. Their
// capacity is n as well.
func (b *Block) Slice(p, n uint64) ([]byte, error) {
	data, err := b.memory.bytes(b.Size)
	if err != nil {
		return nil, err
	}
	low := p - b.Base
	b.pattern.fill(data, low, low+n, b.space.host)
	return data[low : low+n : low+n], nil
}

// Release frees the host memory of the block.
func (b *Block) Release() { b.memory.release() }

// Whole returns the use of all bytes of the block.
func (b *Block) Whole() Use { return Use{Block: b, Region: region.Span(b.Base, b.Size, routine.Out)} }

// Users returns the operations that may still use the block.
func (b *Block) Users() []*order.Operation {
	list := make([]*order.Operation, len(b.history))
	for i, h := range b.history {
		list[i] = h.by
	}
	return list
}

// Busy reports whether an operation that uses the block is not done.
func (b *Block) Busy() bool {
	return slices.ContainsFunc(b.history, func(h access) bool { return !h.by.Done() })
}

// Writers returns the operations that may still write a region of the block.
func (b *Block) Writers(r *region.Region) []*order.Operation {
	var list []*order.Operation
	for _, h := range b.history {
		if _, _, meets := h.region.Overlap(r); meets && h.region.Access.Writes() {
			list = append(list, h.by)
		}
	}
	return list
}

// Poison makes unused bytes of the block hold the pattern of unwritten memory. They count as unwritten in operations
// that are queued later.
func (b *Block) Poison(low, high uint64) {
	b.pattern.add(low-b.Base, high-b.Base)
	b.Contents.Set(Stretch{Low: low, High: high, State: Poisoned})
}

func (b *Block) String() string {
	return fmt.Sprintf("a block of %d bytes allocated by %s", b.Size, b.AllocatedBy)
}
