package memory

import (
	"encoding/binary"
	"slices"
	"sync"

	"roclua/hip/cpu/order"
)

// Poison is the pattern of unwritten memory: a NaN in every floating-point type, a large integer, and an address that
// no device has.
const Poison = 0x7ff47ff47ff47ff4

// pattern contains the bytes of a block that must hold the pattern of unwritten memory and do not hold it yet. It is
// written to bytes when they are first used: most bytes of a large workspace are never used and take no memory.
type pattern struct {
	mu      sync.Mutex // streams use different parts of a block at the same time
	missing []offsets
}

// offsets is a range of a block.
type offsets struct{ low, high uint64 }

// add makes bytes that no operation has used hold the pattern from their first use on.
func (p *pattern) add(low, high uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.missing = append(p.missing, offsets{low, high})
}

// fill writes the pattern where a range of the memory of a block misses it. It ends early if
// the device is abandoned.
func (p *pattern) fill(memory []byte, low, high uint64, host *order.Host) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := 0; i < len(p.missing); {
		m := p.missing[i]
		from, to := max(m.low, low), min(m.high, high)
		if from >= to {
			i++
			continue
		}
		for at := from; at < to && !host.Abandoned(); at += fillPart {
			FillPattern(memory[at:min(at+fillPart, to)], at)
		}
		var rest []offsets
		if m.low < from {
			rest = append(rest, offsets{m.low, from})
		}
		if to < m.high {
			rest = append(rest, offsets{to, m.high})
		}
		p.missing = slices.Replace(p.missing, i, i+1, rest...)
		i += len(rest)
	}
}

// FillPattern fills memory that begins at an address or an offset with the pattern.
func FillPattern(data []byte, address uint64) {
	var pattern [16]byte
	binary.NativeEndian.PutUint64(pattern[:8], Poison)
	copy(pattern[8:], pattern[:8])
	n := copy(data, pattern[address%8:])
	for n < len(data) { // n is at least 9
		n += copy(data[n:], data[n-min(n, repeated)/8*8:n])
	}
}

// fillPart is the number of bytes that are set between two checks whether the device was abandoned.
const fillPart = 16 << 20

// repeated is the largest number of bytes that are copied at a time to fill memory; they stay in the cache.
const repeated = 16 << 10

// Fill sets every byte of memory to a value, unless the device is abandoned meanwhile.
func Fill(memory []byte, value byte, host *order.Host) {
	for len(memory) > 0 && !host.Abandoned() {
		part := memory[:min(len(memory), fillPart)]
		part[0] = value
		for n := 1; n < len(part); { // repeats what is filled, which is faster than byte by byte
			n += copy(part[n:], part[:min(n, repeated)])
		}
		memory = memory[len(part):]
	}
}

// Spoil fills the arrays that an operation writes with the pattern of unwritten memory.
func Spoil(uses []Use) (err error) {
	for _, u := range uses {
		host := u.Block.space.host
		if u.Region.Param == nil || !u.Region.Access.Writes() {
			continue
		}
		u.Region.Intervals(func(low, high uint64) bool {
			for ; low < high && err == nil && !host.Abandoned(); low += fillPart {
				var data []byte
				if data, err = u.Block.Slice(low, min(high-low, fillPart)); err == nil {
					FillPattern(data, low)
				}
			}
			return err == nil && !host.Abandoned()
		})
	}
	return err
}
