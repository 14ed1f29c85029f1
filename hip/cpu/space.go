package cpu

import (
	"fmt"
	"slices"
	"sort"

	"roclua/hip/driver"
)

// Device addresses begin at 2^48, where no process has memory, and are below 2^53, so that the numbers of a script
// represent them exactly. Each device has 2^46 of them.
const (
	firstAddress = 1 << 48
	spaceBytes   = 1 << 46
	maxDevices   = 64
)

// guard is the smallest distance between two blocks. An address shortly after a block is then in no block.
const guard = 64 << 10

// freedKept is the number of freed blocks that are kept for messages.
const freedKept = 1024

// space is the address space and the capacity of one device.
type space struct {
	base     uint64
	capacity uint64
	used     uint64 // bytes of live blocks, as requested
	cursor   uint64 // where the search for a place begins, so that freed addresses are reused as late as possible
	live     []*block
	freed    []*block // the latest freedKept, oldest first
	pool     pool
	reserved []*reservation // addresses of graphs
}

func newSpace(index int, capacity uint64) space {
	base := firstAddress + uint64(index)*spaceBytes
	return space{base: base, cursor: base, capacity: capacity, pool: newPool()}
}

// allocate finds a place for a block of at least one byte. The capacity counts bytes as requested.
func (s *space) allocate(b *block) error {
	if b.size > s.capacity-s.used {
		return driver.ErrorOutOfMemory
	}
	place, ok := s.place(b.size)
	if !ok {
		return driver.ErrorOutOfMemory
	}
	b.base = place
	s.cursor = b.end()
	return s.insert(b)
}

// insert adds a block that has a place.
func (s *space) insert(b *block) error {
	if b.size > s.capacity-s.used {
		return driver.ErrorOutOfMemory
	}
	s.used += b.size
	s.pool.take(b, s.capacity-s.used)
	at, _ := s.search(b.base)
	s.live = slices.Insert(s.live, at, b)
	return nil
}

// place finds room for a block, from the cursor on and then from the start.
func (s *space) place(n uint64) (uint64, bool) {
	if n > spaceBytes-2*guard {
		return 0, false
	}
	for _, from := range []uint64{s.cursor, s.base} {
		p := s.skip(nextPlace(from), n)
		if p+n+guard <= s.base+spaceBytes {
			return p, true
		}
	}
	return 0, false
}

// skip returns the first place from p on that does not meet a live block or addresses of a graph.
func (s *space) skip(p, n uint64) uint64 {
	for {
		before := p
		i, _ := s.search(p)
		for ; i < len(s.live) && s.live[i].base < p+n+guard; i++ {
			p = max(p, nextPlace(s.live[i].end()))
		}
		for _, m := range s.reserved {
			if m.base < p+n+guard && p < m.base+m.size+guard {
				p = nextPlace(m.base + m.size)
			}
		}
		if p == before {
			return p
		}
	}
}

// nextPlace returns the first place for a block after an address.
func nextPlace(p uint64) uint64 { return (p + guard + alignment - 1) &^ (alignment - 1) }

// remove removes a block from the live ones. Its bytes count as free from now on.
func (s *space) remove(b *block, by driver.Site, inOrder bool) {
	at, ok := s.search(b.base)
	if !ok {
		return
	}
	s.live = slices.Delete(s.live, at, at+1)
	s.used -= b.size
	s.pool.put(b, inOrder)
	b.freedBy = by
	if b.reserved != nil {
		b.reserved.live, b.reserved.freed = nil, b
	}
	if len(s.freed) >= freedKept {
		s.freed = append(s.freed[:0:0], s.freed[freedKept/2:]...)
	}
	s.freed = append(s.freed, b)
}

// search returns the index of the first live block from an address on, and whether it begins there.
func (s *space) search(base uint64) (int, bool) {
	i := sort.Search(len(s.live), func(i int) bool { return s.live[i].base >= base })
	return i, i < len(s.live) && s.live[i].base == base
}

// at returns the live block that contains an address. The address immediately after a block is not in it.
func (s *space) at(p uint64) (*block, bool) {
	i, found := s.search(p)
	if found {
		return s.live[i], true
	}
	if i == 0 || !s.live[i-1].contains(p, 1) {
		return nil, false
	}
	return s.live[i-1], true
}

// space returns the address space that an address belongs to.
func (rt *runtime) space(p uint64) (*space, bool) {
	i := (p - firstAddress) / spaceBytes
	if p < firstAddress || i >= uint64(len(rt.devices)) {
		return nil, false
	}
	return &rt.devices[i].space, true
}

// at returns the live block of any device that contains an address.
func (rt *runtime) at(p uint64) (*block, bool) {
	s, ok := rt.space(p)
	if !ok {
		return nil, false
	}
	return s.at(p)
}

// describeAddress describes the address of an invalid use.
func (rt *runtime) describeAddress(p uint64) string {
	s, ok := rt.space(p)
	switch {
	case p == 0:
		return "the address is null"
	case !ok:
		return fmt.Sprintf("%#x is not an address of device memory", p)
	}
	if b, ok := s.at(p); ok {
		return fmt.Sprintf("%#x is byte %d of %s on device %d", p, p-b.base, b, b.device.index)
	}
	for _, b := range slices.Backward(s.freed) {
		if b.contains(p, 1) {
			return fmt.Sprintf("%#x is in %s and freed by %s", p, b, b.freedBy)
		}
	}
	if i, _ := s.search(p); i > 0 && p-s.live[i-1].end() < guard {
		return fmt.Sprintf("%#x is %d bytes after %s", p, p-s.live[i-1].end(), s.live[i-1])
	}
	return fmt.Sprintf("%#x is not in a block of device memory", p)
}
