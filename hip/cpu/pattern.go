package cpu

import (
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"
)

// poison is the pattern of unwritten memory: a NaN in every floating-point type, a large integer, and an address that
// no device has.
const poison = 0x7ff47ff47ff47ff4

// pattern contains the bytes of a block that must hold the pattern of unwritten memory and do not hold it yet. It is
// written to bytes when they are first used: most bytes of a large workspace never are, and then take no memory.
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

// fill writes the pattern where a range of the memory of a block misses it. It ends early when givenUp is set.
func (p *pattern) fill(memory []byte, low, high uint64, givenUp *atomic.Bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := 0; i < len(p.missing); {
		m := p.missing[i]
		from, to := max(m.low, low), min(m.high, high)
		if from >= to {
			i++
			continue
		}
		for at := from; at < to && !givenUp.Load(); at += fillPart {
			fillPattern(memory[at:min(at+fillPart, to)], at)
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

// fillPattern fills memory that begins at an address or an offset with the pattern.
func fillPattern(data []byte, address uint64) {
	var pattern [16]byte
	binary.NativeEndian.PutUint64(pattern[:8], poison)
	copy(pattern[8:], pattern[:8])
	n := copy(data, pattern[address%8:])
	for n < len(data) { // n is at least 9
		n += copy(data[n:], data[n-min(n, repeated)/8*8:n])
	}
}
