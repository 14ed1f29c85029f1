package sizing

import "math/bits"

// Buffer is one piece of memory that a call asks for.
type Buffer struct {
	Purpose string // what it is for, in a few words
	Bytes   uint64 // before rounding
}

// maxBuffers is the most that any routine asks for: gesv.
const maxBuffers = 10

// Buffers are the pieces of one call, in the library's order. Kernels receive them by index, empty ones included.
type Buffers struct {
	list     [maxBuffers]Buffer
	n        int
	overflow bool
}

// Len returns the number of buffers, empty ones included.
func (b *Buffers) Len() int { return b.n }

// At returns buffer i.
func (b *Buffers) At(i int) Buffer { return b.list[i] }

// Total returns the sum of the buffers, each rounded up to 64 bytes, modulo 2^64.
func (b *Buffers) Total() uint64 {
	total := uint64(0)
	for i := range b.n {
		total += Round(b.list[i].Bytes)
	}
	return total
}

// Overflow reports whether the total left 64 bits on the way, so that the number means nothing.
func (b *Buffers) Overflow() bool {
	total := uint64(0)
	for i := range b.n {
		bytes := b.list[i].Bytes
		sum, carry := bits.Add64(total, Round(bytes), 0)
		if carry != 0 || Round(bytes) < bytes {
			return true
		}
		total = sum
	}
	return b.overflow
}

func (b *Buffers) add(purpose string, bytes amount) {
	b.list[b.n] = Buffer{purpose, bytes.n}
	b.n++
	b.overflow = b.overflow || bytes.overflow
}

// amount is a number of bytes that remembers whether it left 64 bits.
type amount struct {
	n        uint64
	overflow bool
}

var nothing = amount{}

// product multiplies factors; a negative one counts as its two's complement, as in the library.
func product(factors ...int64) amount {
	p := amount{n: 1}
	for _, f := range factors {
		p = p.times(f)
	}
	return p
}

func (a amount) times(f int64) amount {
	high, low := bits.Mul64(a.n, uint64(f))
	return amount{low, a.overflow || f < 0 && a.n != 0 || high != 0}
}

// plus adds two amounts.
func (a amount) plus(b amount) amount {
	sum, carry := bits.Add64(a.n, b.n, 0)
	return amount{sum, a.overflow || b.overflow || carry != 0}
}

// larger returns the larger of two amounts.
func larger(a, b amount) amount {
	if b.n > a.n {
		return b
	}
	return a
}

// ceilDiv is x/y rounded up, for positive numbers.
func ceilDiv(x, y int64) int64 { return (x-1)/y + 1 }
