package memory

import (
	"fmt"
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine/region"
)

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
