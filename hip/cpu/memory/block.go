package memory

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"sync"

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
	data, err := b.memory.bytes(b.Size, b.Managed)
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

// Stretch is a range of a block whose bytes have one history.
type Stretch struct {
	Low, High uint64
	State     State
	Element   driver.Element
	By        driver.Site // the call that wrote it
	Routine   string      // the routine that left it uncomputed
}

// State is the knowledge about bytes. Bytes that are in no stretch are unwritten, and no operation has used them.
type State uint8

// The states of bytes.
const (
	Written    State = iota
	Poisoned         // unwritten, and filled with the pattern of unwritten memory
	Uncomputed       // a routine without a kernel should have written them; filled with the same pattern
)

// Unwritten reports whether the bytes have no values.
func (s *Stretch) Unwritten() bool { return s == nil || s.State != Written }

// same reports whether two stretches can be one.
func (s *Stretch) same(o *Stretch) bool {
	return s.State == o.State && s.Element == o.Element && s.By == o.By && s.Routine == o.Routine
}

// Holds reports whether the bytes have values that are elements of a type, as far as it is known.
func (s *Stretch) Holds(e driver.Element) bool { return s.State == Written && s.Has(e) }

// Has reports whether the bytes are elements of a type, as far as it is known, computed or not.
func (s *Stretch) Has(e driver.Element) bool {
	return e == driver.AnyElement || s.Element == driver.AnyElement || s.Element == e
}

// Contents are the stretches of a block, by address and without overlaps. Only the host uses them: they describe the
// block after all operations that are queued. Operations that are not ordered are hazards, and wait for each other in
// the order of queueing.
type Contents []Stretch

// StretchLimit is the number of stretches of a block from which on only the first and the last address are kept.
const StretchLimit = 1 << 13

// from returns the index of the first stretch that ends after an address. It copies no stretch: calls for a triangle
// search for each of its columns.
func (c Contents) from(p uint64) int {
	return sort.Search(len(c), func(i int) bool { return c[i].High > p })
}

// Around returns the stretch that [low, high) is in; nil if there is none.
func (c Contents) Around(low, high uint64) *Stretch {
	if i := c.from(low); i < len(c) && c[i].Low <= low && high <= c[i].High {
		return &c[i]
	}
	return nil
}

// Each calls f with the parts of [low, high) and their stretches, which are nil for bytes that no operation has used,
// until f returns false.
func (c Contents) Each(low, high uint64, f func(low, high uint64, s *Stretch) bool) {
	for i := c.from(low); low < high; i++ {
		if i == len(c) || c[i].Low >= high {
			f(low, high, nil)
			return
		}
		if low < c[i].Low && !f(low, c[i].Low, nil) {
			return
		}
		low = max(low, c[i].Low)
		end := min(high, c[i].High)
		if !f(low, end, &c[i]) {
			return
		}
		low = end
	}
}

// Set replaces the state of the bytes of a stretch.
func (c *Contents) Set(s Stretch) {
	list := *c
	i := list.from(s.Low)
	j := i
	for j < len(list) && list[j].Low < s.High {
		j++
	}
	if j == i+1 && list[i].Low == s.Low && list[i].High == s.High {
		list[i] = s
		return
	}
	if i > 0 && list[i-1].High == s.Low && list[i-1].same(&s) {
		i--
		s.Low = list[i].Low
	}
	if j < len(list) && list[j].Low == s.High && list[j].same(&s) {
		s.High = list[j].High
		j++
	}
	var parts [3]Stretch
	n := 0
	if i < j && list[i].Low < s.Low {
		parts[n] = list[i]
		parts[n].High = s.Low
		n++
	}
	parts[n] = s
	n++
	if i < j && list[j-1].High > s.High {
		parts[n] = list[j-1]
		parts[n].Low = s.High
		n++
	}
	*c = slices.Replace(list, i, j, parts[:n]...)
	if len(*c) > StretchLimit {
		(*c).simplify()
	}
}

// simplify forgets the states of the bytes between the first and the last stretch. They count as written.
func (c *Contents) simplify() {
	list := *c
	*c = Contents{{Low: list[0].Low, High: list[len(list)-1].High, By: list[len(list)-1].By}}
}

// Uniform reports whether the bytes that were written in a range hold elements of one type.
func (c Contents) Uniform(low, high uint64, e driver.Element) bool {
	ok := true
	c.Each(low, high, func(_, _ uint64, s *Stretch) bool {
		ok = s == nil || s.State != Written || s.Element == e
		return ok
	})
	return ok
}

// CopyOf returns the stretches of a range, moved to another address.
func (c Contents) CopyOf(low, high, to uint64) []Stretch {
	var list []Stretch
	c.Each(low, high, func(from, end uint64, s *Stretch) bool {
		if s != nil && s.State != Poisoned {
			moved := *s
			moved.Low, moved.High = from-low+to, end-low+to
			list = append(list, moved)
		}
		return true
	})
	return list
}

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
		fill(memory[from:to], from, Poison, host)
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

// fillPart is the number of bytes that are set between two checks whether the device was abandoned.
const fillPart = 16 << 20

// repeated is the largest number of bytes that are copied at once to fill memory; they stay in the cache.
const repeated = 16 << 10

// fill repeats 8 bytes in memory that begins at an address or an offset, unless the device is abandoned meanwhile.
func fill(memory []byte, address, word uint64, host *order.Host) {
	var pattern [16]byte
	binary.NativeEndian.PutUint64(pattern[:8], word)
	copy(pattern[8:], pattern[:8])
	for ; len(memory) > 0 && !host.Abandoned(); address += fillPart {
		part := memory[:min(len(memory), fillPart)]
		n := copy(part, pattern[address%8:])
		for n < len(part) { // n is at least 9
			n += copy(part[n:], part[n-min(n, repeated)/8*8:n])
		}
		memory = memory[len(part):]
	}
}

// Fill sets every byte of memory to a value, unless the device is abandoned meanwhile.
func Fill(memory []byte, value byte, host *order.Host) {
	fill(memory, 0, 0x0101010101010101*uint64(value), host)
}

// Spoil fills the arrays that an operation writes with the pattern of unwritten memory.
func Spoil(uses []Use) (err error) {
	for _, u := range uses {
		host := u.Block.space.host
		if u.Region.Param == nil || !u.Region.Access.Writes() {
			continue
		}
		u.Region.Intervals(func(low, high uint64) bool {
			var data []byte
			data, err = u.Block.Slice(low, high-low)
			fill(data, low, Poison, host)
			return err == nil && !host.Abandoned()
		})
	}
	return err
}

// View is the memory that one kernel may use, which its arguments name. It is fixed when the kernel is queued, so it
// includes blocks that are freed in stream order after the kernel.
type View struct {
	site   driver.Site
	ranges []addressRange // by address, without overlaps
	host   *order.Host
}

// addressRange is a range of one block.
type addressRange struct {
	low, high uint64
	block     *Block
}

// NewView returns an empty view.
func NewView(host *order.Host) View { return View{host: host} }

// Set makes a view of uses. It joins ranges that overlap. Adjacent ranges stay separate: a kernel that exceeds the end
// of a workspace must not reach the next one.
func (v *View) Set(site driver.Site, uses []Use) {
	v.site = site
	v.ranges = v.ranges[:0]
	sorted := true
	for i := range uses {
		low, n := uses[i].Region.Bounds()
		sorted = sorted && (i == 0 || v.ranges[i-1].low <= low)
		v.ranges = append(v.ranges, addressRange{low, low + n, uses[i].Block})
	}
	if !sorted {
		slices.SortFunc(v.ranges, func(a, b addressRange) int { return cmp.Compare(a.low, b.low) })
	}
	joined := v.ranges[:0]
	for _, g := range v.ranges {
		if last := len(joined) - 1; last >= 0 && g.low < joined[last].high {
			joined[last].high = max(joined[last].high, g.high)
			continue
		}
		joined = append(joined, g)
	}
	v.ranges = joined
}

// GivenUp reports whether the device of the kernel was abandoned.
func (v *View) GivenUp() bool { return v.host.Abandoned() }

// Bytes returns n bytes at a device address. Memory that the arguments of the call do not name is an illegal address.
func (v *View) Bytes(p uint64, n int64) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	i := sort.Search(len(v.ranges), func(i int) bool { return v.ranges[i].low > p }) - 1
	if i < 0 || uint64(n) > v.ranges[i].high-min(p, v.ranges[i].high) { // a negative n is a large number of bytes
		return nil, driver.Faultf(driver.ErrorIllegalAddress,
			"%s: the kernel used %d bytes at %#x, which the arguments do not name", v.site, n, p)
	}
	return v.ranges[i].block.Slice(p, uint64(n))
}
