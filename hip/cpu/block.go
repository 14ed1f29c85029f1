package cpu

import (
	"fmt"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/region"
)

// block is one allocation of device memory.
type block struct {
	base        uint64
	size        uint64
	device      *device
	allocatedBy driver.Site
	freedBy     driver.Site  // the call that freed it
	pooled      bool         // it came from the pool in stream order
	reserved    *reservation // of the graph that allocated it; nil for other blocks

	memory   backing
	pattern  pattern
	contents contents
	history  []access // uses with which later operations may conflict
}

func (b *block) end() uint64 { return b.base + b.size }

// contains reports whether n bytes at an address are in the block.
func (b *block) contains(p, n uint64) bool {
	return p >= b.base && p-b.base <= b.size && n <= b.size-(p-b.base)
}

// slice returns n bytes at an address of the block, with the pattern of unwritten memory where they must hold it. Their
// capacity is n as well.
func (b *block) slice(p, n uint64) ([]byte, error) {
	data, err := b.memory.bytes(b.size)
	if err != nil {
		return nil, err
	}
	low := p - b.base
	b.pattern.fill(data, low, low+n, &b.device.runtime.givenUp)
	return data[low : low+n : low+n], nil
}

// whole returns the region of all bytes of the block.
func (b *block) whole() region.Region { return region.Span(b.base, b.size, routine.Out) }

func (b *block) String() string {
	return fmt.Sprintf("a block of %d bytes allocated by %s", b.size, b.allocatedBy)
}
