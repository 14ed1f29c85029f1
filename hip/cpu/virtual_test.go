package cpu

import (
	"sync"
	"testing"
	"time"

	"roclua/hip/driver"
)

// virtual opens a device whose model of time is easy to add up: a launch takes 1 us, a kernel or a copy 10 us, a wait
// 2 us, hipMalloc and hipFree 50 us, and a byte takes no time.
func virtual(t *testing.T, more map[string]float64) *bench {
	t.Helper()
	row := map[string]float64{"launch": 1e-6, "kernel": 10e-6, "step": 1e-12, "row": 1e-12, "wait": 2e-6, "query": 1e-6,
		"malloc": 50e-6, "free": 50e-6, "bandwidth": 1e30, "upload": 1e30, "download": 1e30, "f64": 1e30, "f32": 1e30}
	for key, value := range more {
		row[key] = value
	}
	rt, err := Driver{}.Open(driver.Config{Time: row})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, rt: rt.(*runtime)}
	b.dev = b.rt.devices[0]
	t.Cleanup(func() { b.ok(rt.Close()) })
	return b
}

func (b *bench) reaches(what string, want time.Duration) {
	b.Helper()
	if have := b.rt.Clock().Now(); have != want {
		b.Errorf("%s ends at %v, want %v", what, have, want)
	}
}

const us = time.Microsecond

// TestTimesByHand adds up the times of two streams that share a device, of a chain of events and of a growth.
func TestTimesByHand(t *testing.T) {
	b := virtual(t, nil)
	p := b.malloc(512) // until 52
	q := b.malloc(512) // until 104
	b.reaches("two allocations", 104*us)
	s, other := b.stream(true), b.stream(true)
	start, end := b.event(), b.event()
	b.ok(start.Record(s))                                          // queued at 105
	b.ok(b.dev.Fill(s, p, 0, 512))                                 // at 106, runs until 116
	b.ok(end.Record(s))                                            // at 107
	b.ok(b.dev.Fill(other, q, 0, 512))                             // at 108, waits for the device, runs until 126
	b.ok(other.WaitEvent(end))                                     // at 109
	b.ok(b.dev.Read(other, make([]byte, 512), q, driver.Row(512))) // at 110, runs until 136
	b.ok(b.dev.Write(s, p, make([]byte, 512), driver.Row(512)))    // at 111, another engine: runs from 116 until 126
	b.code(other.Query(), driver.ErrorNotReady)                    // at 112
	b.ok(s.Synchronize())                                          // 126 and the wait
	b.reaches("the first stream", 128*us)
	if d, err := end.Since(start); err != nil || d != 11*us {
		t.Errorf("the events are %v apart, %v, want 11us", d, err)
	}
	b.ok(other.Synchronize())
	b.reaches("the second stream", 138*us)
	b.ok(b.dev.Fill(s, p, 0, 512)) // at 139, until 149
	b.ok(b.dev.Free(p))            // waits until 149, and 2 and 50
	b.malloc(1024)                 // waits, and 2 and 50
	b.reaches("a growth", 253*us)
}

// TestSmallKernelsAtOnce lets two small kernels run at the same time where a row says so.
func TestSmallKernelsAtOnce(t *testing.T) {
	for atOnce, want := range map[float64]time.Duration{1: 23 * us, 2: 14 * us} {
		b := virtual(t, map[string]float64{"at_once": atOnce})
		streams, launches := []driver.Stream{b.stream(true), b.stream(true)}, []*driver.Launch{}
		for range 2 {
			launches = append(launches, b.trsv(b.malloc(512), b.malloc(64), 8))
		}
		begin := b.rt.Clock().Now()
		for i := range 2 {
			b.ok(b.dev.Execute(streams[i], launches[i]))
		}
		b.ok(b.dev.Synchronize())
		if d := b.rt.Clock().Now() - begin; d != want {
			t.Errorf("%g at once: %v, want %v", atOnce, d, want)
		}
	}
}

// TestPollingEnds polls an event until it is ready.
func TestPollingEnds(t *testing.T) {
	b := virtual(t, nil)
	e, polls := b.event(), 0
	b.ok(b.dev.Fill(b.dev.null, b.malloc(64), 0, 64))
	b.ok(e.Record(b.dev.null))
	for e.Query() != nil {
		polls++
	}
	if polls < 5 || polls > 10 {
		t.Errorf("%d polls of 1us for work of 10us", polls)
	}
}

// TestFullQueue queues more than a stream holds: the host waits for the device and does not run ahead of it.
func TestFullQueue(t *testing.T) {
	b := virtual(t, nil)
	p := b.malloc(64)
	begin := b.rt.Clock().Now()
	for range 3000 {
		b.ok(b.dev.Fill(b.dev.null, p, 0, 64))
	}
	if ahead := 3000*10*us - (b.rt.Clock().Now() - begin); ahead > 1030*10*us || ahead < 1000*10*us {
		t.Errorf("the host is %v ahead of the device", ahead)
	}
}

// TestTimesAreReused counts the allocations of fills in virtual time. Operations are allocated many at once, and their
// times are reused.
func TestTimesAreReused(t *testing.T) {
	b := virtual(t, nil)
	p := b.malloc(64)
	fill := func() { b.ok(b.dev.Fill(b.dev.null, p, 0, 64)) }
	for range 2000 {
		fill()
	}
	if have := testing.AllocsPerRun(1000, fill); have > 5 {
		t.Errorf("a fill makes %v allocations, want 5", have)
	}
}

// TestTurns lets goroutines wait until times, and for one another. They run in the order of their times, and of their
// numbers at the same time.
func TestTurns(t *testing.T) {
	clock := virtual(t, nil).rt.Clock()
	var mu sync.Mutex
	wait, _, wakeAll := clock.NewPlace(&mu)
	var order []int
	left := 3
	for i := range left {
		clock.Go(func() {
			clock.WaitUntil(time.Duration(10-5*(i%2)) * us)
			order = append(order, i)
			mu.Lock()
			wait()
			mu.Unlock()
			order = append(order, 10+i)
			left--
		})
	}
	clock.WaitUntil(20 * us)
	wakeAll()
	clock.WaitUntil(30 * us)
	want := []int{1, 0, 2, 10, 11, 12}
	for i, n := range want {
		if left != 0 || len(order) != len(want) || order[i] != n {
			t.Fatalf("order %v, want %v", order, want)
		}
	}
}
