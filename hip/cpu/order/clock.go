package order

// clock is a vector clock: for each slot of a stream, how many of its operations happen before a point of the program.
// An operation happens before a point if the clock of the point has reached the number of the operation.
type clock []uint64

// at returns how many operations of a slot happen before the point.
func (c clock) at(slot int) uint64 {
	if slot < len(c) {
		return c[slot]
	}
	return 0
}

// join returns the least clock that includes both clocks. It may overwrite the receiver, but not the argument.
func (c clock) join(o clock) clock {
	for len(c) < len(o) {
		c = append(c, 0)
	}
	for i, n := range o {
		c[i] = max(c[i], n)
	}
	return c
}

// with returns a copy that has reached operation n of a slot. The copy uses room if it is large enough.
func (c clock) with(slot int, n uint64, room clock) clock {
	out := append(room[:0], c...)
	for len(out) <= slot {
		out = append(out, 0)
	}
	out[slot] = n
	return out
}
