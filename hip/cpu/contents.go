package cpu

import (
	"slices"
	"sort"

	"roclua/hip/driver"
)

// stretch is a range of a block whose bytes have one history.
type stretch struct {
	low, high uint64
	state     state
	element   driver.Element
	by        driver.Site // the call that wrote it
	routine   string      // the routine that left it uncomputed
}

// state says what is known about bytes. Bytes that are in no stretch are unwritten, and no operation has used them.
type state uint8

const (
	written    state = iota
	poisoned         // unwritten, and filled with the pattern of unwritten memory
	uncomputed       // a routine without a kernel should have written them; filled with the same pattern
)

// unwritten reports whether the bytes have no values.
func (s *stretch) unwritten() bool { return s == nil || s.state != written }

// same reports whether two stretches can be one.
func (s *stretch) same(o *stretch) bool {
	return s.state == o.state && s.element == o.element && s.by == o.by && s.routine == o.routine
}

// holds reports whether the bytes have values that are elements of a type, as far as it is known.
func (s *stretch) holds(e driver.Element) bool {
	return s.state == written && (e == driver.AnyElement || s.element == driver.AnyElement || s.element == e)
}

// contents are the stretches of a block, by address and without overlaps. Only the host uses them: they describe the
// block after all operations that are queued. Operations that are not ordered are hazards, and wait for each other in
// the order of queueing.
type contents []stretch

// stretchLimit is the number of stretches of a block from which on only the first and the last address are kept.
const stretchLimit = 1 << 13

// from returns the index of the first stretch that ends after an address. It copies no stretch: calls for a triangle
// search for each of its columns.
func (c contents) from(p uint64) int {
	return sort.Search(len(c), func(i int) bool { return c[i].high > p })
}

// around returns the stretch that [low, high) is in; nil if there is none.
func (c contents) around(low, high uint64) *stretch {
	if i := c.from(low); i < len(c) && c[i].low <= low && high <= c[i].high {
		return &c[i]
	}
	return nil
}

// each calls f with the parts of [low, high) and their stretches, which are nil for bytes that no operation has used,
// until f returns false.
func (c contents) each(low, high uint64, f func(low, high uint64, s *stretch) bool) {
	for i := c.from(low); low < high; i++ {
		if i == len(c) || c[i].low >= high {
			f(low, high, nil)
			return
		}
		if low < c[i].low && !f(low, c[i].low, nil) {
			return
		}
		low = max(low, c[i].low)
		end := min(high, c[i].high)
		if !f(low, end, &c[i]) {
			return
		}
		low = end
	}
}

// set replaces what is known about the bytes of a stretch.
func (c *contents) set(s stretch) {
	list := *c
	i := list.from(s.low)
	j := i
	for j < len(list) && list[j].low < s.high {
		j++
	}
	if j == i+1 && list[i].low == s.low && list[i].high == s.high {
		list[i] = s
		return
	}
	if i > 0 && list[i-1].high == s.low && list[i-1].same(&s) {
		i--
		s.low = list[i].low
	}
	if j < len(list) && list[j].low == s.high && list[j].same(&s) {
		s.high = list[j].high
		j++
	}
	var parts [3]stretch
	n := 0
	if i < j && list[i].low < s.low {
		parts[n] = list[i]
		parts[n].high = s.low
		n++
	}
	parts[n] = s
	n++
	if i < j && list[j-1].high > s.high {
		parts[n] = list[j-1]
		parts[n].low = s.high
		n++
	}
	*c = slices.Replace(list, i, j, parts[:n]...)
	if len(*c) > stretchLimit {
		(*c).simplify()
	}
}

// simplify forgets what is known about the bytes between the first and the last stretch. They count as written.
func (c *contents) simplify() {
	list := *c
	*c = contents{{low: list[0].low, high: list[len(list)-1].high, by: list[len(list)-1].by}}
}

// uniform reports whether the bytes that were written in a range hold elements of one type.
func (c contents) uniform(low, high uint64, e driver.Element) bool {
	ok := true
	c.each(low, high, func(_, _ uint64, s *stretch) bool {
		ok = s == nil || s.state != written || s.element == e
		return ok
	})
	return ok
}

// copyOf returns the stretches of a range, moved to another address.
func (c contents) copyOf(low, high, to uint64) []stretch {
	var list []stretch
	c.each(low, high, func(from, end uint64, s *stretch) bool {
		if s != nil && s.state != poisoned {
			moved := *s
			moved.low, moved.high = from-low+to, end-low+to
			list = append(list, moved)
		}
		return true
	})
	return list
}
