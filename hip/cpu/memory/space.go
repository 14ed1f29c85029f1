package memory

import (
	"slices"
	"sort"

	"roclua/hip/cpu/order"
	"roclua/hip/driver"
)

// Device addresses begin at 2^48, where no process has memory, and are below 2^53, so that the numbers of a script
// represent them exactly. Each device has 2^46 of them, so the addresses of driver.MaxDevices devices end at
// 2^48 + 2^50.
const (
	firstAddress = 1 << 48
	spaceBytes   = 1 << 46
)

// guard is the smallest distance between two blocks. An address shortly after a block is then in no block.
const guard = 64 << 10

// freedKept is the number of freed blocks that are kept for messages.
const freedKept = 1024

// Space is the address space and the capacity of one device.
type Space struct {
	Pool     Pool
	Capacity uint64
	Cursor   uint64 // where the search for a place begins, so that freed addresses are reused as late as possible

	host     *order.Host
	device   int // the index of the device
	base     uint64
	used     uint64 // bytes of live blocks, as requested
	live     []*Block
	freed    []*Block // the latest freedKept, oldest first
	reserved []*Reservation
	removed  uint64 // blocks
}

// NewSpace returns the address space of a device.
func NewSpace(device int, capacity uint64, host *order.Host) *Space {
	base := firstAddress + uint64(device)*spaceBytes
	return &Space{device: device, base: base, Cursor: base, Capacity: capacity, host: host, Pool: newPool()}
}

// Free returns the bytes that an allocation can use. Idle bytes of the pool count as free.
func (s *Space) Free() uint64 { return s.Capacity - s.used }

// Unused returns the bytes that neither blocks nor the pool use.
func (s *Space) Unused() uint64 { return s.Free() - s.Pool.idle }

// Allocate finds a place for a block of at least one byte. The capacity counts bytes as requested.
func (s *Space) Allocate(b *Block) error {
	if b.Size > s.Free() {
		return driver.ErrorOutOfMemory
	}
	place, ok := s.place(b.Size)
	if !ok {
		return driver.ErrorOutOfMemory
	}
	b.Base = place
	s.Cursor = b.end()
	return s.insert(b)
}

// insert adds a block that has a place.
func (s *Space) insert(b *Block) error {
	if b.Size > s.Free() {
		return driver.ErrorOutOfMemory
	}
	b.space = s
	s.used += b.Size
	s.Pool.take(b, s.Free())
	at, _ := s.search(b.Base)
	s.live = slices.Insert(s.live, at, b)
	return nil
}

// place finds room for a block, from the cursor on and then from the start.
func (s *Space) place(n uint64) (uint64, bool) {
	if n > spaceBytes-2*guard {
		return 0, false
	}
	for _, from := range []uint64{s.Cursor, s.base} {
		p := s.skip(nextPlace(from), n)
		if p+n+guard <= s.base+spaceBytes {
			return p, true
		}
	}
	return 0, false
}

// skip returns the first place from p on that meets neither a live block nor a reservation.
func (s *Space) skip(p, n uint64) uint64 {
	for {
		before := p
		i, _ := s.search(p)
		for ; i < len(s.live) && s.live[i].Base < p+n+guard; i++ {
			p = max(p, nextPlace(s.live[i].end()))
		}
		for _, m := range s.reserved {
			if m.Base < p+n+guard && p < m.Base+m.Size+guard {
				p = nextPlace(m.Base + m.Size)
			}
		}
		if p == before {
			return p
		}
	}
}

// nextPlace returns the first place for a block after an address.
func nextPlace(p uint64) uint64 { return (p + guard + alignment - 1) &^ (alignment - 1) }

// Remove removes a block from the live blocks. Its bytes count as free from now on.
func (b *Block) Remove(by driver.Site, inOrder bool) {
	s := b.space
	at, ok := s.search(b.Base)
	if !ok {
		return
	}
	s.live = slices.Delete(s.live, at, at+1)
	s.removed++
	s.used -= b.Size
	s.Pool.put(b, inOrder)
	b.FreedBy = by
	if b.Reservation != nil {
		b.Reservation.Live, b.Reservation.Freed = nil, b
	}
	if len(s.freed) >= freedKept {
		s.freed = append(s.freed[:0:0], s.freed[freedKept/2:]...)
	}
	s.freed = append(s.freed, b)
}

// search returns the index of the first live block from an address on, and whether it begins there.
func (s *Space) search(base uint64) (int, bool) {
	i := sort.Search(len(s.live), func(i int) bool { return s.live[i].Base >= base })
	return i, i < len(s.live) && s.live[i].Base == base
}

// At returns the live block that contains an address. The address immediately after a block is not in it.
func (s *Space) At(p uint64) (*Block, bool) {
	i, found := s.search(p)
	if found {
		return s.live[i], true
	}
	if i == 0 || !s.live[i-1].Contains(p, 1) {
		return nil, false
	}
	return s.live[i-1], true
}

// Release releases the memory of all live blocks.
func (s *Space) Release() {
	for _, b := range s.live {
		b.Release()
	}
	s.live = nil
}
