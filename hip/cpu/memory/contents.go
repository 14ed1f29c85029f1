package memory

import (
	"slices"
	"sort"

	"roclua/hip/driver"
)

// Stretch is a range of a block whose bytes have one history.
type Stretch struct {
	Low, High uint64
	State     State
	Element   driver.Element
	By        driver.Site // the call that wrote it
	Routine   string      // the routine that left it uncomputed
}

// State says what is known about bytes. Bytes that are in no stretch are unwritten, and no operation has used them.
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
func (s *Stretch) Holds(e driver.Element) bool {
	return s.State == Written && (e == driver.AnyElement || s.Element == driver.AnyElement || s.Element == e)
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

// Set replaces what is known about the bytes of a stretch.
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

// simplify forgets what is known about the bytes between the first and the last stretch. They count as written.
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
