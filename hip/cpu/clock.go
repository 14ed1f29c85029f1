package cpu

// clock is a vector clock: for each stream slot, how many of its operations come before a point of the program. An
// operation comes before a point when the point's clock has reached its number.
type clock []uint64

// at returns the number of operations of a slot that come before.
func (c clock) at(slot int) uint64 {
	if slot < len(c) {
		return c[slot]
	}
	return 0
}

// join returns a clock that everything of either is before. The receiver may be overwritten, the argument is not.
func (c clock) join(o clock) clock {
	for len(c) < len(o) {
		c = append(c, 0)
	}
	for i, n := range o {
		c[i] = max(c[i], n)
	}
	return c
}

// with returns a copy that has reached operation n of a slot.
func (c clock) with(slot int, n uint64) clock {
	out := make(clock, max(len(c), slot+1))
	copy(out, c)
	out[slot] = n
	return out
}
