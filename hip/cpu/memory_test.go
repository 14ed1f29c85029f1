package cpu

import (
	"math"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"roclua/hip/cpu/memory"
	"roclua/hip/driver"
)

func TestCapacityCountsBytesAsAskedFor(t *testing.T) {
	b := open(t, driver.Config{MemoryBytes: 1000})
	p := b.malloc(999)
	_, err := b.dev.Malloc(2)
	b.code(err, driver.ErrorOutOfMemory)
	_, err = b.dev.Malloc(math.MaxUint64)
	b.code(err, driver.ErrorOutOfMemory)
	q := b.malloc(1)
	if free, total, _ := b.dev.MemInfo(); free != 0 || total != 1000 {
		t.Errorf("%d of %d bytes are free", free, total)
	}
	b.ok(b.dev.Free(p))
	b.ok(b.dev.Free(q))
	if free, _, _ := b.dev.MemInfo(); free != 1000 {
		t.Errorf("%d bytes are free", free)
	}
}

func TestAccountOfThePool(t *testing.T) {
	b := open(t, driver.Config{MemoryBytes: 1000})
	free := func(want uint64, when string) {
		t.Helper()
		if have, _, _ := b.dev.MemInfo(); have != want {
			t.Errorf("%s: %d bytes are free, want %d", when, have, want)
		}
	}
	alloc := func(n uint64) driver.Ptr {
		t.Helper()
		p, err := b.dev.MallocAsync(b.dev.null, n)
		b.ok(err)
		return p
	}
	p := alloc(600)
	free(400, "held")
	b.ok(b.dev.FreeAsync(b.dev.null, p))
	free(400, "idle in the pool")
	p = alloc(500)
	free(400, "taken from the pool")
	b.ok(b.dev.TrimPool(550))
	free(450, "trimmed to 550 bytes")
	b.ok(b.dev.FreeAsync(b.dev.null, p))
	p = alloc(1000)
	free(0, "idle bytes gave way")
	b.ok(b.dev.FreeAsync(b.dev.null, p))
	free(0, "idle again")
	b.ok(b.dev.Synchronize())
	free(1000, "after the host waited")

	b.ok(b.dev.SetPoolAttribute(driver.PoolReleaseThreshold, 600))
	b.ok(b.dev.FreeAsync(b.dev.null, alloc(700)))
	b.ok(b.dev.Synchronize())
	free(400, "waited with a release threshold")
	q := b.malloc(900)
	free(0, "the pool kept what another block left")
	b.ok(b.dev.Free(q))
	free(900, "freed that block")
}

func TestAddresses(t *testing.T) {
	b := open(t, driver.Config{Devices: 2})
	seen := map[driver.Ptr]bool{}
	for range 1000 {
		p := b.malloc(100)
		if p < 1<<47 || p >= 1<<53 || p%256 != 0 || seen[p] {
			t.Fatalf("address %#x, seen before: %v", p, seen[p])
		}
		seen[p] = true
		b.ok(b.dev.Free(p))
	}
	other, err := b.rt.devices[1].Malloc(100)
	b.ok(err)
	if b.rt.spaces.Of(uint64(other)) != b.rt.devices[1].space {
		t.Errorf("%#x is not an address of device 1", other)
	}
}

func TestAddressesComeBackWhenAllWereUsed(t *testing.T) {
	b := open(t, driver.Config{MemoryBytes: 1 << 20})
	first, second := b.malloc(1000), b.malloc(1000)
	b.ok(b.dev.Free(first))
	b.dev.space.Cursor = 1<<48 + 1<<46 - 4096
	p := b.malloc(100)
	if p != first {
		t.Errorf("the first free place is %#x, got %#x", first, p)
	}
	for range 10 {
		q := b.malloc(1000)
		if q < second+1000 {
			t.Errorf("%#x is inside or before the block at %#x", q, second)
		}
	}
}

func TestMemoryIsCommittedWhenTouched(t *testing.T) {
	const huge = 64 << 30
	if math.MaxInt == math.MaxInt32 {
		t.Skip("the host cannot address so much")
	}
	b, before := open(t, driver.Config{MemoryBytes: huge}), memory.Committed()
	p := b.malloc(huge)
	if memory.Committed()-before >= huge {
		t.Error("an untouched block has memory")
	}
	if goruntime.GOOS != "linux" && goruntime.GOOS != "darwin" {
		t.Skip("this system has no lazily committed mappings")
	}
	b.ok(b.dev.Fill(b.dev.null, p+huge-1, 5, 1))
	if have := b.read(p+huge-2, 2); have[0] != memory.Poison&0xff || have[1] != 5 {
		t.Errorf("have %v", have)
	}
}

func TestHistoriesStayShort(t *testing.T) {
	b := open(t, driver.Config{})
	p := b.malloc(4096)
	s, other := b.stream(true), b.stream(true)
	e, err := b.dev.NewEvent()
	b.ok(err)
	for i := range 5000 {
		b.ok(b.dev.Fill(s, p+driver.Ptr(i%4*1024), 1, 1024))
		b.ok(e.Record(s))
		b.ok(other.WaitEvent(e))
		b.ok(b.dev.Read(other, make([]byte, 16), p, driver.Row(uint64(len(make([]byte, 16))))))
		b.ok(e.Record(other))
		b.ok(s.WaitEvent(e))
	}
	if block, _ := b.rt.spaces.At(uint64(p)); len(block.Users()) > 10 {
		t.Errorf("the block keeps %d uses", len(block.Users()))
	}
	if h := b.dev.Hazards(); len(h) != 0 {
		t.Errorf("%d hazards, the first %+v", len(h), h[0])
	}
}

func TestSlotsOfDestroyedStreamsAreUsedAgain(t *testing.T) {
	b := open(t, driver.Config{})
	for range 500 {
		s := b.stream(true)
		b.ok(b.event().Record(s))
		b.ok(b.dev.Synchronize())
		b.ok(s.Destroy())
		if slot, streams := s.(*stream).Slot(), len(b.dev.streams.Last()); slot > 3 || streams > 3 {
			t.Fatalf("slot %d and %d streams", slot, streams)
		}
	}
}

// settled returns the number of goroutines after the goroutines of earlier tests have ended.
func settled() int {
	n := goruntime.NumGoroutine()
	for same := 0; same < 20; same++ {
		time.Sleep(time.Millisecond)
		if now := goruntime.NumGoroutine(); now != n {
			n, same = now, 0
		}
	}
	return n
}

func TestCloseEndsAllGoroutines(t *testing.T) {
	before := settled()
	b := open(t, driver.Config{Devices: 4})
	p := b.malloc(1 << 20)
	var streams []driver.Stream
	for i := range 50 {
		streams = append(streams, b.stream(i%2 == 0))
	}
	if now := goruntime.NumGoroutine(); now > before {
		t.Errorf("%d goroutines for streams without work", now-before)
	}
	for _, s := range streams {
		b.ok(b.dev.Fill(s, p, 1, 1<<20))
	}
	if now := goruntime.NumGoroutine(); now < before+50 {
		t.Errorf("%d goroutines for 50 streams", now-before)
	}
	b.ok(b.rt.Close())
	deadline := time.Now().Add(time.Minute)
	for goruntime.NumGoroutine() > before && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if now := goruntime.NumGoroutine(); now > before {
		t.Errorf("%d goroutines are left", now-before)
	}
}

func TestOpen(t *testing.T) {
	for _, cfg := range []driver.Config{{Arch: "sm_90"}, {Arch: "gfx"}, {Devices: driver.MaxDevices + 1}} {
		if rt, err := (Driver{}).Open(cfg); err == nil {
			rt.Close()
			t.Errorf("%+v opened", cfg)
		}
	}
	for arch, warp := range map[string]int{"": 64, "gfx90a": 64, "gfx942": 64, "gfx1030": 32, "gfx1100": 32,
		"gfx1201":                32,
		"gfx906:sramecc+:xnack-": 64, "gfx1199": 32} {
		b := open(t, driver.Config{Arch: arch})
		if have := b.dev.Properties().WarpSize; have != warp {
			t.Errorf("%s: warps of %d, want %d", arch, have, warp)
		}
		if have, err := b.dev.Attribute(driver.AttributeMemoryPoolsSupported); have != 1 || err != nil {
			t.Errorf("%s: memory pools %d, %v", arch, have, err)
		}
	}
}

func TestWrongAddressesAreExplained(t *testing.T) {
	b := open(t, driver.Config{})
	b.at = 1
	p := b.malloc(64)
	b.at = 2
	q := b.malloc(64)
	b.at = 3
	b.ok(b.dev.Free(q))
	for _, test := range []struct {
		p    driver.Ptr
		want string
	}{
		{0, "is null"},
		{5, "0x5 is not an address of device memory"},
		{p + 60, "is byte 60 of a block of 64 bytes allocated by call at 1 on device 0"},
		{p + 64, "is 0 bytes after a block of 64 bytes allocated by call at 1"},
		{q + 3, "is in a block of 64 bytes allocated by call at 2 and freed by call at 3"},
		{p - 1, "is not in a block"},
	} {
		err := b.dev.Fill(b.dev.null, test.p, 0, 8)
		b.code(err, driver.ErrorInvalidValue)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%#x: %v, want %q", test.p, err, test.want)
		}
	}
}
