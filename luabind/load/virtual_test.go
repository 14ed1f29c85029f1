package load

import (
	"math"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/record"

	_ "roclua/hip/cpu"
)

// clockOf returns the virtual time of a new simulated device.
func clockOf(t testing.TB) driver.Clock {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{MemoryBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	return rt.Clock()
}

// runVirtual runs a workload whose events take time on a virtual clock. event may be called by many clients.
func runVirtual(t testing.TB, w *record.Workload, clock driver.Clock, event func(id int)) *Outcome {
	t.Helper()
	var closed atomic.Int64
	return Run(t.Context(), w, Options{
		Seed: 7, Clock: clock,
		Open: func(id int) (Client, error) {
			return &fake{event: func(int) error { event(id); return nil }, closed: &closed}, nil
		},
		Began:   func() {},
		Sample:  func() Sample { return Sample{} },
		Second:  func(record.Interval, *Recorder) string { return "" },
		EndsAll: func(error) bool { return false },
	})
}

// TestLindley compares each latency of an open load with one client and a constant time of service with Lindley's
// recursion over the same arrivals, and the mean with that of an M/D/1 queue.
func TestLindley(t *testing.T) {
	const service = 1 * time.Millisecond
	events := int64(1_000_000)
	if testing.Short() {
		events /= 10
	}
	for _, test := range []struct{ load, share float64 }{{0.5, 0.01}, {0.8, 0.025}, {0.95, 0.07}} {
		w := plan(1)
		w.Count, w.Rate, w.Queue = events, test.load/service.Seconds(), int(events)
		clock := clockOf(t)
		var ends []time.Duration
		out := runVirtual(t, w, clock, func(int) {
			clock.WaitUntil(clock.Now() + service)
			ends = append(ends, clock.Now())
		})
		if int64(len(ends)) != events || out.Events != events || out.Late != 0 || out.Load.Dropped != 0 {
			t.Fatalf("%d events, %d recorded, %d late, %d dropped", len(ends), out.Events, out.Late, out.Load.Dropped)
		}
		arrivals := newArrivals(w, 7)
		begin := ends[0] - service
		first, _ := arrivals.next()
		begin -= first
		arrivals = newArrivals(w, 7)
		free, sum := time.Duration(0), time.Duration(0)
		for i, end := range ends {
			at, _ := arrivals.next()
			free = max(at, free) + service
			if end-begin != free {
				t.Fatalf("load %g: event %d ends at %v, want %v", test.load, i, end-begin, free)
			}
			sum += free - at
		}
		if mean := sum.Seconds() / float64(events); math.Abs(out.Latency.Mean-mean) > 1e-15 {
			t.Errorf("load %g: the mean is %v, want %v", test.load, out.Latency.Mean, mean)
		}
		if !testing.Short() {
			want := service.Seconds() * (1 + test.load/(2*(1-test.load)))
			near(t, "the mean of M/D/1", out.Latency.Mean, want, test.share)
		}
	}
}

// TestVirtualLoadRepeats runs loads twice: all of their results are the same, with many clients and stages, too.
func TestVirtualLoadRepeats(t *testing.T) {
	for _, rate := range []float64{0, 5000} {
		var outs [2]*Outcome
		for i := range outs {
			w := plan(8)
			w.Rate, w.Queue, w.Warmup = rate, 20, time.Second
			w.Stages = []record.Stage{{Duration: 2 * time.Second, Clients: 16, Rate: rate},
				{Start: 3 * time.Second, Duration: time.Second, Clients: 2, Rate: 2 * rate}}
			if rate == 0 {
				w.Stages[0].Rate, w.Stages[1].Rate = -1, -1
			}
			clock := clockOf(t)
			n := time.Duration(0)
			outs[i] = runVirtual(t, w, clock, func(id int) {
				n = (n*31 + time.Duration(id) + 7) % 1009
				clock.WaitUntil(clock.Now() + (n+1)*3*time.Microsecond)
			})
		}
		if !reflect.DeepEqual(outs[0], outs[1]) {
			t.Errorf("rate %g: %+v\n%+v", rate, outs[0].Load, outs[1].Load)
		}
		if o := outs[0]; o.Events < 1000 || o.Seconds < 4 || len(o.Intervals) < 100 {
			t.Errorf("rate %g: %d events, %g s, %d intervals", rate, o.Events, o.Seconds, len(o.Intervals))
		}
	}
}

// TestVirtualOverload has arrivals at twice the rate that the client serves: the queue fills, and the others are
// dropped.
func TestVirtualOverload(t *testing.T) {
	w := plan(1)
	w.Rate, w.Even, w.Duration, w.Queue = 2000, true, 2*time.Second, 100
	clock := clockOf(t)
	out := runVirtual(t, w, clock, func(int) { clock.WaitUntil(clock.Now() + time.Millisecond) })
	if out.Arrivals != 4000 || out.Load.Dropped != out.Arrivals-out.Events || out.Load.Dropped < 1800 {
		t.Errorf("%d arrivals, %d events, %d dropped", out.Arrivals, out.Events, out.Load.Dropped)
	}
}

// TestVirtualPeak has one long event in a short load, whose interval is the only one with its latency.
func TestVirtualPeak(t *testing.T) {
	w := plan(1)
	w.Count = 100
	clock := clockOf(t)
	n := 0
	out := runVirtual(t, w, clock, func(int) {
		if n++; n == 50 {
			clock.WaitUntil(clock.Now() + 200*time.Microsecond)
		}
		clock.WaitUntil(clock.Now() + 10*time.Microsecond)
	})
	peaks := 0
	for _, i := range out.Intervals {
		if i.Max == 210e-6 {
			peaks++
		} else if i.Events > 0 && i.Max != 10e-6 {
			t.Errorf("%+v", i)
		}
	}
	if peaks != 1 || len(out.Intervals) < 20 {
		t.Errorf("%d peaks in %d intervals", peaks, len(out.Intervals))
	}
}

// TestEventsWithoutTime ends although its events take no time.
func TestEventsWithoutTime(t *testing.T) {
	w := plan(2)
	w.Duration = time.Millisecond
	if out := runVirtual(t, w, clockOf(t), func(int) {}); out.Events != 2000 && !slices.Contains([]int64{2002},
		out.Events) {
		t.Errorf("%d events", out.Events)
	}
}

// BenchmarkVirtualLoad measures the events of 64 clients that hand the turn on.
func BenchmarkVirtualLoad(b *testing.B) {
	w := plan(64)
	w.Count = int64(b.N)
	clock := clockOf(b)
	runVirtual(b, w, clock, func(int) { clock.WaitUntil(clock.Now() + 50*time.Microsecond) })
}
