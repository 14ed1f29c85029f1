package memory

// addresses is a set of addresses. It is several times as fast as a map, and walking over a million objects spends most
// of its time in it. Addresses are stable, because Go's heap does not move objects.
type addresses struct {
	slots []uintptr // a power of two, at most three quarters full; 0 is free
	count int
}

// add adds an address. It reports whether the address is new.
func (a *addresses) add(p uintptr) bool {
	if 4*a.count >= 3*len(a.slots) {
		a.enlarge()
	}
	i := a.find(p)
	if a.slots[i] == p {
		return false
	}
	a.slots[i] = p
	a.count++
	return true
}

// find returns the slot of an address, or the free slot where it belongs.
func (a *addresses) find(p uintptr) uint64 {
	mask := uint64(len(a.slots) - 1)
	// Addresses are multiples of a power of two. A multiplication by the golden ratio spreads them.
	i := (uint64(p) * 0x9e3779b97f4a7c15) >> 20 & mask
	for a.slots[i] != 0 && a.slots[i] != p {
		i = (i + 1) & mask
	}
	return i
}

func (a *addresses) enlarge() {
	before := a.slots
	a.slots = make([]uintptr, max(1<<10, 4*len(before)))
	for _, p := range before {
		if p != 0 {
			a.slots[a.find(p)] = p
		}
	}
}
