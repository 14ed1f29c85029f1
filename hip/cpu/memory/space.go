// Package memory is the device memory of simulated devices: address spaces with a capacity and a memory pool, blocks
// with the host memory behind them, the states of their bytes, and their uses by operations. Two unordered uses of the
// same memory are a hazard. It is reported independently of timing, and the later use waits for the earlier one.
package memory

import (
	"fmt"
	"slices"
	"sort"

	"roclua/hip/cpu/order"
	"roclua/hip/driver"
	"roclua/hip/routine/region"
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

// Spaces are the address spaces of the devices of a runtime, by the index of the device.
type Spaces []*Space

// Of returns the address space that an address belongs to; nil for none.
func (l Spaces) Of(p uint64) *Space {
	i := (p - firstAddress) / spaceBytes
	if p < firstAddress || i >= uint64(len(l)) {
		return nil
	}
	return l[i]
}

// At returns the live block of any device that contains an address.
func (l Spaces) At(p uint64) (*Block, bool) {
	s := l.Of(p)
	if s == nil {
		return nil, false
	}
	return s.At(p)
}

// Owner returns the block that begins at an address, and the index of its device.
func (l Spaces) Owner(p driver.Ptr) (*Block, int, error) {
	b, ok := l.At(uint64(p))
	if !ok || b.Base != uint64(p) {
		return nil, 0, driver.Faultf(driver.ErrorInvalidValue, "no block begins at this address: %s",
			l.Describe(uint64(p)))
	}
	return b, b.Device(), nil
}

// Use returns the use of a region; ok is false if the region is not in a live block.
func (l Spaces) Use(r *region.Region) (u Use, ok bool) {
	low, n := r.Bounds()
	b, ok := l.At(low)
	return Use{Block: b, Region: *r}, ok && b.Contains(low, n)
}

// Freed returns the freed block that a region was a part of; nil if there is none, or it is not known any more.
func (l Spaces) Freed(r *region.Region) *Block {
	low, n := r.Bounds()
	s := l.Of(low)
	if s == nil {
		return nil
	}
	for _, b := range slices.Backward(s.freed) {
		if b.Contains(low, n) {
			return b
		}
	}
	return nil
}

// Removed returns how many blocks have been removed.
func (l Spaces) Removed() (n uint64) {
	for _, s := range l {
		n += s.removed
	}
	return n
}

// Name returns the memory of a region; ok is false if the region is neither in a live block nor in a reservation.
func (l Spaces) Name(r region.Region) (n Named, ok bool) {
	low, bytes := r.Bounds()
	if b, ok := l.At(low); ok && b.Contains(low, bytes) {
		return Named{r, b, b.Reservation}, true
	}
	if s := l.Of(low); s != nil {
		for _, m := range s.reserved {
			if low >= m.Base && low-m.Base <= m.Size && bytes <= m.Size-(low-m.Base) {
				return Named{r, nil, m}, true
			}
		}
	}
	return Named{}, false
}

// Reservation returns the reservation that begins at an address; nil for none.
func (l Spaces) Reservation(p driver.Ptr) *Reservation {
	if s := l.Of(uint64(p)); s != nil {
		for _, m := range s.reserved {
			if m.Base == uint64(p) {
				return m
			}
		}
	}
	return nil
}

// Describe describes the address of an invalid use.
func (l Spaces) Describe(p uint64) string {
	s := l.Of(p)
	switch {
	case p == 0:
		return "the address is null"
	case s == nil:
		return fmt.Sprintf("%#x is not an address of device memory", p)
	}
	if b, ok := s.At(p); ok {
		return fmt.Sprintf("%#x is byte %d of %s on device %d", p, p-b.Base, b, s.device)
	}
	for _, b := range slices.Backward(s.freed) {
		if b.Contains(p, 1) {
			return fmt.Sprintf("%#x is in %s and freed by %s", p, b, b.FreedBy)
		}
	}
	if i, _ := s.search(p); i > 0 && p-s.live[i-1].end() < guard {
		return fmt.Sprintf("%#x is %d bytes after %s", p, p-s.live[i-1].end(), s.live[i-1])
	}
	return fmt.Sprintf("%#x is not in a block of device memory", p)
}

// Pool counts the bytes of a device's default memory pool. Idle bytes were freed in stream order and are kept for the
// next stream-ordered allocation. When the host synchronizes, they return to the device down to the release threshold,
// which is zero at first. They never make an allocation fail.
type Pool struct {
	idle                   uint64
	used                   uint64 // bytes of live blocks
	threshold              uint64
	usedHigh, reservedHigh uint64
	reuse                  [4]uint64 // permissions to reuse memory, by attribute; the simulation ignores them
}

func newPool() Pool { return Pool{reuse: [4]uint64{1, 1, 1, 1}} }

// take updates the bytes for a new block. left is the number of bytes of the device that no block uses after it. A
// stream-ordered block uses idle bytes first; for other blocks the pool returns the idle bytes that they need.
func (p *Pool) take(b *Block, left uint64) {
	if b.Pooled {
		p.idle -= min(p.idle, b.Size)
		p.used += b.Size
		p.usedHigh = max(p.usedHigh, p.used)
	}
	p.idle = min(p.idle, left)
	p.reservedHigh = max(p.reservedHigh, p.used+p.idle)
}

// put updates the bytes for a block that is freed. In stream order its bytes become idle.
func (p *Pool) put(b *Block, inOrder bool) {
	if !b.Pooled {
		return
	}
	p.used -= b.Size
	if inOrder {
		p.idle += b.Size
	}
}

// Trim releases idle bytes until the pool has at most keep bytes, including the bytes of live blocks.
func (p *Pool) Trim(keep uint64) {
	p.idle = min(p.idle, keep-min(keep, p.used))
}

// Synchronized releases idle bytes down to the release threshold.
func (p *Pool) Synchronized() { p.Trim(p.threshold) }

func (p *Pool) SetAttribute(a driver.PoolAttribute, value uint64) error {
	switch {
	case a >= driver.PoolReuseFollowEventDependencies && a <= driver.PoolReuseAllowInternalDependencies && value <= 1:
		p.reuse[a] = value
	case a == driver.PoolReleaseThreshold:
		p.threshold = value
	case a == driver.PoolReservedHigh && value == 0:
		p.reservedHigh = p.used + p.idle
	case a == driver.PoolUsedHigh && value == 0:
		p.usedHigh = p.used
	default:
		return driver.Faultf(driver.ErrorInvalidValue, "attribute %d of a memory pool cannot be set to %d", int(a),
			value)
	}
	return nil
}

func (p *Pool) Attribute(a driver.PoolAttribute) (uint64, error) {
	switch a {
	case driver.PoolReuseFollowEventDependencies, driver.PoolReuseAllowOpportunistic,
		driver.PoolReuseAllowInternalDependencies:
		return p.reuse[a], nil
	case driver.PoolReleaseThreshold:
		return p.threshold, nil
	case driver.PoolReservedCurrent:
		return p.used + p.idle, nil
	case driver.PoolReservedHigh:
		return p.reservedHigh, nil
	case driver.PoolUsedCurrent:
		return p.used, nil
	case driver.PoolUsedHigh:
		return p.usedHigh, nil
	}
	return 0, driver.Faultf(driver.ErrorInvalidValue, "a memory pool has no attribute %d", int(a))
}

// Reservation is the memory of an allocation node of graphs: its addresses, which stay the same in all launches, and
// the block while it is allocated.
type Reservation struct {
	Base, Size uint64
	Space      *Space
	Live       *Block      // nil while it is not allocated
	Freed      *Block      // of the latest launch, once it is freed
	Launched   driver.Site // the call that allocated it

	nodes int // of graphs and executable graphs
}

// Named is memory that a call named when it was captured: a block, or memory of a graph.
type Named struct {
	Region      region.Region
	Block       *Block
	Reservation *Reservation
}

// Find returns the block that has the memory now, or nil; same is false if it is not the memory that was named.
func (n *Named) Find(l Spaces) (now *Block, same bool) {
	low, bytes := n.Region.Bounds()
	now, ok := l.At(low)
	same = ok && now.Contains(low, bytes) &&
		(now == n.Block || n.Reservation != nil && now.Reservation == n.Reservation)
	return now, same
}

// Changed returns the call after which the memory is not the same, and its effect. now is the block that has the memory
// now, or nil.
func (n *Named) Changed(now *Block) (by driver.Site, since string) {
	switch {
	case now != nil:
		return now.AllocatedBy, "allocated"
	case n.Block != nil:
		return n.Block.FreedBy, "freed"
	case n.Reservation != nil && n.Reservation.Freed != nil:
		return n.Reservation.Freed.FreedBy, "freed"
	}
	return driver.Site{Call: "no launch", Origin: "the memory of the graph was not allocated"}, "freed"
}

// Reserve finds addresses for an allocation node, which Keep reserves.
func (s *Space) Reserve(bytes uint64) (*Reservation, error) {
	place, ok := s.place(bytes)
	if !ok || bytes > s.Capacity {
		return nil, driver.ErrorOutOfMemory
	}
	s.Cursor = place + bytes
	return &Reservation{Base: place, Size: bytes, Space: s}, nil
}

// Keep reserves the addresses for one more node.
func (m *Reservation) Keep() {
	if m.nodes++; m.nodes == 1 {
		m.Space.reserved = append(m.Space.reserved, m)
	}
}

// Drop ends the reservation by one node.
func (m *Reservation) Drop() {
	if m.nodes--; m.nodes == 0 {
		m.Space.reserved = slices.DeleteFunc(m.Space.reserved, func(other *Reservation) bool { return other == m })
	}
}

// Allocate allocates the memory for a launch.
func (m *Reservation) Allocate(site driver.Site) (*Block, error) {
	b := &Block{Base: m.Base, Size: m.Size, AllocatedBy: site, Pooled: true, Reservation: m}
	if m.Freed != nil {
		b.history = slices.Clone(m.Freed.history) // of the same addresses, which another launch may still use
	}
	if err := m.Space.insert(b); err != nil {
		return nil, err
	}
	m.Live, m.Launched = b, driver.Site{Call: "hipGraphLaunch", Origin: site.Launched}
	return b, nil
}
