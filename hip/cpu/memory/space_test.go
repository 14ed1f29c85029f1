package memory

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"roclua/hip/cpu/order"
	"roclua/hip/driver"
)

// TestHostMemoryOfBlocks checks where the memory of blocks comes from, its alignment and its account.
func TestHostMemoryOfBlocks(t *testing.T) {
	before := Committed()
	for _, n := range []uint64{1, 8, 17, 100, 1000, 5000, MapAbove - 1, MapAbove, MapAbove + 1} {
		var b backing
		data, err := b.bytes(n, false)
		if err != nil {
			t.Fatal(err)
		}
		at := uintptr(unsafe.Pointer(&data[0]))
		if at%hostAlignment != 0 || len(data) != int(n) || cap(data) != int(n) {
			t.Errorf("%d bytes at %#x with room for %d", len(data), at, cap(data))
		}
		if b.mapped != (n >= MapAbove) {
			t.Errorf("%d bytes are mapped: %v", n, b.mapped)
		}
		if have := Committed() - before; have != int64(n) {
			t.Errorf("%d bytes are committed, want %d", have, n)
		}
		b.release()
	}
	var b backing
	_, err := b.bytes(math.MaxInt+2, false)
	if driver.CodeOf(err) != driver.ErrorOutOfMemory || !strings.Contains(err.Error(), "the host can address") {
		t.Errorf("more bytes than the host can address: %v", err)
	}
	if have := Committed(); have != before {
		t.Errorf("%d bytes stay committed", have-before)
	}
}

// TestBytesOfABlock checks ranges at the ends of a block.
func TestBytesOfABlock(t *testing.T) {
	b := &Block{Base: 1000, Size: 64}
	for _, test := range []struct {
		p, n uint64
		want bool
	}{{1000, 64, true}, {1000, 65, false}, {999, 1, false}, {1063, 1, true}, {1063, 2, false}, {1064, 0, true},
		{1064, 1, false}, {1065, 0, false}, {1000, math.MaxUint64, false}, {0, 2000, false}} {
		if have := b.Contains(test.p, test.n); have != test.want {
			t.Errorf("%d bytes at %d are in the block: %v", test.n, test.p, have)
		}
	}
}

// TestPlaces fills the address space of a device, with a guard before and after each block.
func TestPlaces(t *testing.T) {
	const all = spaceBytes - 2*guard
	for n, want := range map[uint64]bool{1: true, all - 1: true, all: true, all + 1: false,
		spaceBytes: false, math.MaxUint64: false} {
		s := NewSpace(0, math.MaxUint64, order.NewHost())
		if p, ok := s.place(n); ok != want || ok && p != s.base+guard {
			t.Errorf("%d bytes have a place: %v, at %#x", n, ok, p)
		}
	}
	s := NewSpace(1, math.MaxUint64, order.NewHost())
	for i, n := range []uint64{1, 256, 257, 1000} {
		b := &Block{Size: n}
		if err := s.Allocate(b); err != nil {
			t.Fatal(err)
		}
		previous := s.base
		if i > 0 {
			previous = s.live[i-1].end()
		}
		if gap := b.Base - previous; gap < guard || gap >= guard+alignment || b.Base%alignment != 0 {
			t.Errorf("block %d of %d bytes is at %#x, %d bytes after the previous one", i, n, b.Base, gap)
		}
	}
	// A hole between two blocks has room for a block and both guards, or not.
	low, high := &Block{Base: s.base + guard, Size: 256}, &Block{Base: s.base + 4*guard, Size: 256}
	s.live, s.Cursor = []*Block{low, high}, s.base
	room := high.Base - guard - nextPlace(low.end())
	for n, want := range map[uint64]uint64{room: nextPlace(low.end()), room + 1: nextPlace(high.end())} {
		if p, ok := s.place(n); !ok || p != want {
			t.Errorf("%d bytes in a hole of %d are at %#x, %v, want %#x", n, room, p, ok, want)
		}
	}
	// The end of the addresses has room for a block and its guards, or not.
	s.Cursor = s.base + spaceBytes - 3*guard
	for n, want := range map[uint64]uint64{guard: s.Cursor + guard, guard + 1: nextPlace(high.end())} {
		if p, ok := s.place(n); !ok || p != want {
			t.Errorf("%d bytes at the end of the addresses are at %#x, %v, want %#x", n, p, ok, want)
		}
	}
	// Addresses of a graph have guards as blocks have them.
	m := &Reservation{Base: high.Base, Size: high.Size}
	s.live, s.reserved = []*Block{low}, []*Reservation{m}
	for cursor, want := range map[uint64]uint64{
		m.Base - 2*guard - 256: m.Base - guard - 256, m.Base - 2*guard: nextPlace(m.Base + m.Size),
		m.Base + m.Size: nextPlace(m.Base + m.Size), m.Base + m.Size + 256: nextPlace(m.Base + m.Size + 256),
		m.Base + m.Size - 256: nextPlace(m.Base + m.Size),
	} {
		s.Cursor = cursor
		if p, ok := s.place(256); !ok || p != want {
			t.Errorf("from %#x on, a block is at %#x, %v, want %#x", cursor, p, ok, want)
		}
	}
}

// TestFreedBlocksAreRemembered frees more blocks than are kept for messages: then the older half is forgotten.
func TestFreedBlocksAreRemembered(t *testing.T) {
	s := NewSpace(0, 1<<40, order.NewHost())
	for i := range freedKept + 1 {
		if i == freedKept && len(s.freed) != freedKept {
			t.Errorf("%d of %d blocks are kept", len(s.freed), i)
		}
		b := &Block{Size: 64}
		if err := s.Allocate(b); err != nil {
			t.Fatal(err)
		}
		b.Remove(driver.Site{Call: fmt.Sprint(i)}, false)
		b.Remove(driver.Site{Call: "again"}, true) // it is no longer there
	}
	if n := len(s.freed); n != freedKept/2+1 || s.freed[0].FreedBy.Call != fmt.Sprint(freedKept/2) || s.used != 0 {
		t.Errorf("%d blocks are kept, from %s on; %d bytes are used", n, s.freed[0].FreedBy, s.used)
	}
}

// TestAddressesOfDevices finds the device of addresses at the ends of the devices' ranges.
func TestAddressesOfDevices(t *testing.T) {
	l := Spaces{NewSpace(0, 1<<30, order.NewHost()), NewSpace(1, 1<<30, order.NewHost())}
	for _, test := range []struct {
		p    uint64
		want int
	}{{firstAddress - 1, -1}, {firstAddress, 0}, {firstAddress + spaceBytes - 1, 0}, {firstAddress + spaceBytes, 1},
		{firstAddress + 2*spaceBytes - 1, 1}, {firstAddress + 2*spaceBytes, -1}, {0, -1}, {math.MaxUint64, -1}} {
		if s := l.Of(test.p); (s != nil) != (test.want >= 0) || s != nil && s != l[test.want] {
			t.Errorf("%#x is an address of a device: %v, want %d", test.p, s != nil, test.want)
		}
	}
	b := &Block{Size: 64}
	if err := l[1].Allocate(b); err != nil {
		t.Fatal(err)
	}
	for distance, want := range map[uint64]string{
		guard - 1: "is 65535 bytes after a block", guard: "not in a block",
	} {
		if have := l.Describe(b.end() + distance); !strings.Contains(have, want) {
			t.Errorf("%d bytes after a block: %s, want %s", distance, have, want)
		}
	}
}

// TestPattern uses parts of a block that holds the pattern of unwritten memory, and writes 1 to the first byte of each.
func TestPattern(t *testing.T) {
	const size = 64 << 20
	b := &Block{Size: size}
	if err := NewSpace(0, size, order.NewHost()).Allocate(b); err != nil {
		t.Fatal(err)
	}
	defer b.Release()
	b.Poison(b.Base, b.end())
	for _, use := range [][2]uint64{{1003, 4}, {1001, 9}, {1008, 8}, {1004, 4}, {size - 1, 1}, {0, 3}} {
		data, err := b.Slice(b.Base+use[0], use[1])
		if err != nil {
			t.Fatal(err)
		}
		data[0] = 1
	}
	if want := []offsets{{3, 1001}, {1016, size - 1}}; !slices.Equal(b.pattern.missing, want) {
		t.Errorf("the pattern is missing in %v, want %v", b.pattern.missing, want)
	}
}
