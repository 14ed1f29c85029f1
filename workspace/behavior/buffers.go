package behavior

import (
	"math/bits"
	"slices"

	"roclua/hip/routine/buffer"
)

// Buffer is one piece of the memory of a call.
type Buffer struct {
	ID    buffer.ID
	Bytes uint64 // before rounding
}

// Purpose returns the purpose of the buffer in a few words.
func (b Buffer) Purpose() string { return b.ID.Purpose() }

// maxBuffers is the most that a family declares, and two that hipSOLVER adds.
const maxBuffers = 22

// Buffers are the pieces of one call, in the library's order, empty ones included.
type Buffers struct {
	bytes    [maxBuffers]uint64
	ids      [maxBuffers]buffer.ID
	n        uint8
	overflow bool
}

// Len returns the number of buffers, empty ones included.
func (b *Buffers) Len() int { return int(b.n) }

// At returns buffer i.
func (b *Buffers) At(i int) Buffer { return Buffer{b.ids[i], b.bytes[i]} }

// Total returns the sum of the buffers, each rounded up to 64 bytes, modulo 2^64.
func (b *Buffers) Total() uint64 {
	total := uint64(0)
	for _, bytes := range b.bytes[:b.n] {
		total += Round(bytes)
	}
	return total
}

// Overflow reports whether the total or an amount in it exceeds 64 bits, so that the number has no meaning.
func (b *Buffers) Overflow() bool {
	total := uint64(0)
	for _, bytes := range b.bytes[:b.n] {
		sum, carry := bits.Add64(total, Round(bytes), 0)
		if carry != 0 || Round(bytes) < bytes {
			return true
		}
		total = sum
	}
	return b.overflow
}

// Add appends a buffer that a platform's library determines.
func (b *Buffers) Add(buffer Buffer) { b.add(buffer.ID, amount{n: buffer.Bytes}) }

// add appends a buffer, which the family of the call must declare.
func (b *Buffers) add(id buffer.ID, bytes amount) {
	b.ids[b.n], b.bytes[b.n] = id, bytes.n
	b.n++
	b.overflow = b.overflow || bytes.overflow
}

// piece is a buffer and its size.
type piece struct {
	id    buffer.ID
	bytes amount
}

func (b *Buffers) addAll(pieces []piece) {
	for _, p := range pieces {
		b.add(p.id, p.bytes)
	}
}

// amount is a number of bytes that remembers whether it exceeded 64 bits.
type amount struct {
	n        uint64
	overflow bool
}

var zero = amount{}

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

// signed32 and unsigned32 are sums and products of dimensions that the library computes in 32 bits, before it
// multiplies them by a size of 64 bits. A negative result becomes the largest of all. Where the library's code shows
// that the numbers are positive, its compiler extends the result without a sign.

// signed32 returns p of 32 bits, extended with its sign.
func signed32(p int64) amount {
	w := int64(int32(p))
	return amount{uint64(w), w != p}
}

// unsigned32 returns p of 32 bits, extended with zeros.
func unsigned32(p int64) amount {
	low := uint64(uint32(p))
	return amount{low, low != uint64(p)}
}

// half divides an amount modulo 2^64 by 2.
func (a amount) half() amount { return amount{a.n / 2, a.overflow} }

func (a amount) plus(b amount) amount {
	sum, carry := bits.Add64(a.n, b.n, 0)
	return amount{sum, a.overflow || b.overflow || carry != 0}
}

// larger and largest return the bytes of memory that two or three steps share.
func larger(a, b amount) amount {
	if b.n > a.n {
		return b
	}
	return a
}

func largest(a, b, c amount) amount { return larger(larger(a, b), c) }

// ceilDiv is x/y rounded up, for positive numbers.
func ceilDiv(x, y int64) int64 { return (x-1)/y + 1 }

// of returns the bytes of a buffer; one that is not in the list has none.
func (b *Buffers) of(id buffer.ID) uint64 {
	if i := slices.Index(b.ids[:b.n], id); i >= 0 {
		return b.bytes[i]
	}
	return 0
}

// raise makes a buffer of the list large enough for a further step.
func (b *Buffers) raise(id buffer.ID, bytes amount) {
	i := slices.Index(b.ids[:b.n], id)
	if bytes.n > b.bytes[i] {
		b.bytes[i], b.overflow = bytes.n, b.overflow || bytes.overflow
	}
}
