package cpu

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"roclua/hip/cpu/kernel"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// TestHostMemoryOfBlocks checks where the memory of blocks comes from, its alignment and its account.
func TestHostMemoryOfBlocks(t *testing.T) {
	before := Committed()
	for _, n := range []uint64{1, 8, 17, 100, 1000, 5000, mapAbove - 1, mapAbove, mapAbove + 1} {
		var b backing
		data, err := b.bytes(n)
		if err != nil {
			t.Fatal(err)
		}
		at := uintptr(unsafe.Pointer(&data[0]))
		if at%hostAlignment != 0 || len(data) != int(n) || cap(data) != int(n) {
			t.Errorf("%d bytes at %#x with room for %d", len(data), at, cap(data))
		}
		if b.mapped != (n >= mapAbove) {
			t.Errorf("%d bytes are mapped: %v", n, b.mapped)
		}
		if have := Committed() - before; have != int64(n) {
			t.Errorf("%d bytes are committed, want %d", have, n)
		}
		b.release()
	}
	var b backing
	_, err := b.bytes(math.MaxInt + 2)
	if driver.CodeOf(err) != driver.ErrorOutOfMemory || !strings.Contains(err.Error(), "the host can address") {
		t.Errorf("more bytes than the host can address: %v", err)
	}
	if have := Committed(); have != before {
		t.Errorf("%d bytes stay committed", have-before)
	}
}

// TestBytesOfABlock checks ranges at the ends of a block.
func TestBytesOfABlock(t *testing.T) {
	b := &block{base: 1000, size: 64}
	for _, test := range []struct {
		p, n uint64
		want bool
	}{{1000, 64, true}, {1000, 65, false}, {999, 1, false}, {1063, 1, true}, {1063, 2, false}, {1064, 0, true},
		{1064, 1, false}, {1065, 0, false}, {1000, math.MaxUint64, false}, {0, 2000, false}} {
		if have := b.contains(test.p, test.n); have != test.want {
			t.Errorf("%d bytes at %d are in the block: %v", test.n, test.p, have)
		}
	}
}

// TestPlaces fills the address space of a device, with a guard before and after each block.
func TestPlaces(t *testing.T) {
	const all = spaceBytes - 2*guard
	for n, want := range map[uint64]bool{1: true, all - 1: true, all: true, all + 1: false, math.MaxUint64: false} {
		s := newSpace(0, math.MaxUint64)
		if p, ok := s.place(n); ok != want || ok && p != s.base+guard {
			t.Errorf("%d bytes have a place: %v, at %#x", n, ok, p)
		}
	}
	s := newSpace(1, math.MaxUint64)
	for i, n := range []uint64{1, 256, 257, 1000} {
		b := &block{size: n}
		if err := s.allocate(b); err != nil {
			t.Fatal(err)
		}
		previous := s.base
		if i > 0 {
			previous = s.live[i-1].end()
		}
		if gap := b.base - previous; gap < guard || gap >= guard+alignment || b.base%alignment != 0 {
			t.Errorf("block %d of %d bytes is at %#x, %d bytes after the previous one", i, n, b.base, gap)
		}
	}
	// A hole between two blocks has room for a block and both guards, or not.
	low, high := &block{base: s.base + guard, size: 256}, &block{base: s.base + 4*guard, size: 256}
	s.live, s.cursor = []*block{low, high}, s.base
	room := high.base - guard - nextPlace(low.end())
	for n, want := range map[uint64]uint64{room: nextPlace(low.end()), room + 1: nextPlace(high.end())} {
		if p, ok := s.place(n); !ok || p != want {
			t.Errorf("%d bytes in a hole of %d are at %#x, %v, want %#x", n, room, p, ok, want)
		}
	}
	// The end of the addresses has room for a block and its guards, or not.
	s.cursor = s.base + spaceBytes - 3*guard
	for n, want := range map[uint64]uint64{guard: s.cursor + guard, guard + 1: nextPlace(high.end())} {
		if p, ok := s.place(n); !ok || p != want {
			t.Errorf("%d bytes at the end of the addresses are at %#x, %v, want %#x", n, p, ok, want)
		}
	}
	// Addresses of a graph have guards as blocks have them.
	m := &reservation{base: high.base, size: high.size}
	s.live, s.reserved = []*block{low}, []*reservation{m}
	for cursor, want := range map[uint64]uint64{
		m.base - 2*guard - 256: m.base - guard - 256, m.base - 2*guard: nextPlace(m.base + m.size),
		m.base + m.size: nextPlace(m.base + m.size), m.base + m.size + 256: nextPlace(m.base + m.size + 256),
		m.base + m.size - 256: nextPlace(m.base + m.size),
	} {
		s.cursor = cursor
		if p, ok := s.place(256); !ok || p != want {
			t.Errorf("from %#x on, a block is at %#x, %v, want %#x", cursor, p, ok, want)
		}
	}
}

// TestFreedBlocksAreRemembered frees more blocks than are kept for messages: then the older half is forgotten.
func TestFreedBlocksAreRemembered(t *testing.T) {
	s := newSpace(0, 1<<40)
	for i := range freedKept + 1 {
		if i == freedKept && len(s.freed) != freedKept {
			t.Errorf("%d of %d blocks are kept", len(s.freed), i)
		}
		b := &block{size: 64}
		if err := s.allocate(b); err != nil {
			t.Fatal(err)
		}
		s.remove(b, driver.Site{Call: fmt.Sprint(i)}, false)
		s.remove(b, driver.Site{Call: "again"}, true) // it is no longer there
	}
	if n := len(s.freed); n != freedKept/2+1 || s.freed[0].freedBy.Call != fmt.Sprint(freedKept/2) || s.used != 0 {
		t.Errorf("%d blocks are kept, from %s on; %d bytes are used", n, s.freed[0].freedBy, s.used)
	}
}

// TestAddressesOfDevices finds the device of addresses at the ends of the devices' ranges.
func TestAddressesOfDevices(t *testing.T) {
	b := open(t, driver.Config{Devices: 2})
	for _, test := range []struct {
		p    uint64
		want int
	}{{firstAddress - 1, -1}, {firstAddress, 0}, {firstAddress + spaceBytes - 1, 0}, {firstAddress + spaceBytes, 1},
		{firstAddress + 2*spaceBytes - 1, 1}, {firstAddress + 2*spaceBytes, -1}, {0, -1}, {math.MaxUint64, -1}} {
		s, ok := b.rt.space(test.p)
		if ok != (test.want >= 0) || ok && s != &b.rt.devices[test.want].space {
			t.Errorf("%#x is an address of a device: %v, want %d", test.p, ok, test.want)
		}
	}
	p := b.malloc(64)
	for distance, want := range map[driver.Ptr]string{
		guard - 1: "is 65535 bytes after a block", guard: "not in a block",
	} {
		if have := b.rt.describeAddress(uint64(p + 64 + distance)); !strings.Contains(have, want) {
			t.Errorf("%d bytes after a block: %s, want %s", distance, have, want)
		}
	}
}

// TestArgumentsThatOverlap gives a kernel all memory of its arguments as one range where they overlap.
func TestArgumentsThatOverlap(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(4096)
	l := b.launch("rocblas_ddot", map[routine.Slot]int64{routine.N: 8, routine.IncX: 1, routine.IncY: 1,
		routine.X: int64(p) + 512, routine.Y: int64(p) + 544, routine.Result: routine.Host})
	l.Work = []driver.Work{{Span: driver.Span{Ptr: p + 1024, Bytes: 64}}, {Span: driver.Span{Ptr: 0, Bytes: 64}},
		{Span: driver.Span{Ptr: p + 2048, Bytes: 0}}}
	l.Result = p + 3072
	ends := map[[2]uint64]bool{{512, 96}: true, {512, 97}: false, {608, 1}: false, {1024, 64}: true, {2048, 1}: false,
		{700, 8}: false, {3072, 8}: true, {math.MaxUint64, 1}: false}
	have := map[[2]uint64]bool{}
	b.rt.execute = func(_ *driver.Launch, v kernel.Memory) error {
		for r := range ends {
			_, err := v.Bytes(uint64(p)+r[0], int64(r[1]))
			have[r] = err == nil
		}
		return nil
	}
	b.ok(b.dev.Execute(b.dev.null, l))
	b.ok(b.dev.Synchronize())
	for r, want := range ends {
		if have[r] != want {
			t.Errorf("%d bytes at %d are usable: %v", r[1], r[0], have[r])
		}
	}
}

// TestStreamsOfOtherDevices queues work in streams of another device and runtime, and in destroyed ones.
func TestStreamsOfOtherDevices(t *testing.T) {
	b, foreign := open(t, driver.Config{Devices: 2}), open(t, driver.Config{})
	other := b.rt.devices[1]
	destroyed := b.stream(true)
	b.ok(destroyed.Destroy())
	p := b.malloc(64)
	for _, test := range []struct {
		name       string
		s          driver.Stream
		copies     driver.Error // of a copy, for which the stream of any device of the runtime is right
		executes   driver.Error
		explaining string
	}{
		{"its own", b.dev.null, driver.Success, driver.Success, ""},
		{"of another device", other.null, driver.Success, driver.ErrorInvalidHandle,
			"stream 0 belongs to device 1, not to device 0"},
		{"of another runtime", foreign.dev.null, driver.ErrorInvalidHandle, driver.ErrorInvalidHandle, ""},
		{"destroyed", destroyed, driver.ErrorInvalidHandle, driver.ErrorInvalidHandle, ""},
	} {
		b.code(b.dev.Fill(test.s, p, 1, 64), test.copies)
		_, err := b.dev.MallocAsync(test.s, 64)
		b.code(err, test.executes)
		if test.explaining != "" && !strings.Contains(err.Error(), test.explaining) {
			t.Errorf("%s: %v, want %q", test.name, err, test.explaining)
		}
	}
}
