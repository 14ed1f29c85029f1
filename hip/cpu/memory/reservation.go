package memory

import (
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine/region"
)

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

// Changed returns the call after which the memory is not the same, and what it did. now is the block that has the
// memory now, or nil.
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
