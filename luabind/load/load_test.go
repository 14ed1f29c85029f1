package load

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"roclua/internal/randomtest"
	"roclua/luabind/record"
)

// fake is a client whose events are a function.
type fake struct {
	event  func(kind int) error
	cancel chan error
	closed *atomic.Int64
}

func (f *fake) Event(kind int) error { return f.event(kind) }
func (f *fake) Cancel(cause error)   { f.cancel <- cause }
func (f *fake) Close() error         { f.closed.Add(1); return nil }

// plan returns a workload of one kind of event.
func plan(clients int) *record.Workload {
	return &record.Workload{Clients: clients, Queue: 1000, Grace: time.Second, Events: []record.Event{{Weight: 1}}}
}

// run runs a workload and checks that all clients are closed.
func run(t testing.TB, w *record.Workload, event func(id, kind int, canceled <-chan error) error) *Outcome {
	t.Helper()
	var closed atomic.Int64
	out := Run(t.Context(), w, Options{
		Seed: 7,
		Open: func(id int) (Client, error) {
			f := &fake{cancel: make(chan error, 1), closed: &closed}
			f.event = func(kind int) error { return event(id, kind, f.cancel) }
			return f, nil
		},
		Began:   func() {},
		Sample:  func() Sample { return Sample{} },
		Second:  func(record.Interval, *Recorder) string { return "" },
		EndsAll: func(error) bool { return false },
	})
	if int(closed.Load()) != w.MostClients() {
		t.Errorf("%d clients are closed", closed.Load())
	}
	return out
}

// virtual runs a test with a clock that other programs do not delay. Sleeps end up to spin too late, at random.
func virtual(t *testing.T, test func(t *testing.T)) {
	defer func(sleep func(time.Duration), pass func()) { sleepFor, yield = sleep, pass }(sleepFor, yield)
	random, mu := randomtest.New(t), sync.Mutex{}
	sleepFor = func(d time.Duration) {
		mu.Lock()
		late := random.Int64N(int64(spin))
		mu.Unlock()
		time.Sleep(d + time.Duration(late))
	}
	yield = func() { time.Sleep(time.Microsecond) }
	synctest.Test(t, test)
}

func near(t *testing.T, what string, have, want, share float64) {
	t.Helper()
	if math.Abs(have-want) > share*want {
		t.Errorf("%s: %g, want %g within %g %%", what, have, want, 100*share)
	}
}

// TestEachClientRuns lets the clients of a closed load begin after its end: each has one event, if there are as many.
func TestEachClientRuns(t *testing.T) {
	for count, want := range map[int64]int64{0: 3, 2: 2, 5: 3} {
		w := plan(3)
		w.Duration, w.Count = time.Nanosecond, count
		var events atomic.Int64
		out := Run(t.Context(), w, Options{
			Open: func(int) (Client, error) {
				return &fake{event: func(int) error { events.Add(1); return nil }, closed: new(atomic.Int64)}, nil
			},
			Began:  func() { time.Sleep(time.Millisecond) },
			Sample: func() Sample { return Sample{} },
			Second: func(record.Interval, *Recorder) string { return "" },
		})
		if events.Load() != want || out.Events != want {
			t.Errorf("count %d: %d events, %d recorded, want %d", count, events.Load(), out.Events, want)
		}
	}
}

// TestCountFixesWhatIsDone runs a number of events, whose kinds depend on the seed alone.
func TestCountFixesWhatIsDone(t *testing.T) {
	for _, rate := range []float64{0, 1e6} {
		var counts [2][2]int64
		for round := range counts {
			w := plan(1 + 3*round)
			w.Count, w.Rate = 5000, rate
			w.Queue = 5000
			w.Events = []record.Event{{Name: "small", Weight: 8}, {Name: "large", Weight: 2}}
			var done [2]atomic.Int64
			out := run(t, w, func(_, kind int, _ <-chan error) error { done[kind].Add(1); return nil })
			counts[round] = [2]int64{done[0].Load(), done[1].Load()}
			if out.Events != 5000 || out.Arrivals != 5000 || out.Stopped != "count" || out.Dropped != 0 {
				t.Errorf("%d of %d events, %d dropped, stopped by %s", out.Events, out.Arrivals, out.Dropped,
					out.Stopped)
			}
			if out.Named[0].Events != counts[round][0] || out.Named[1].Name != "large" {
				t.Errorf("named: %+v", out.Named)
			}
		}
		if counts[0] != counts[1] {
			t.Errorf("rate %g: %v with one client, %v with four", rate, counts[0], counts[1])
		}
		near(t, "share of the small events", float64(counts[0][0])/5000, 0.8, 0.03)
	}
}

// TestQuantiles compares the quantiles of random latencies with quantiles of the sorted latencies.
func TestQuantiles(t *testing.T) {
	r := newRecorder(plan(1), shortest)
	random := randomtest.New(t)
	var all []float64
	longest := time.Duration(0)
	for range 100_000 {
		x := time.Duration(math.Exp(random.NormFloat64()*2) * float64(time.Millisecond))
		all, longest = append(all, x.Seconds()), max(longest, x)
		r.add(0, x)
	}
	slices.Sort(all)
	l := r.load(time.Second).Latency
	for _, q := range []struct{ at, have float64 }{{0.5, l.P50}, {0.9, l.P90}, {0.99, l.P99}, {0.999, l.P999}} {
		near(t, "quantile", q.have, all[int(q.at*float64(len(all)))-1], 0.01)
	}
	if have := time.Duration(math.Round(l.Max * float64(time.Second))); have != longest {
		t.Errorf("the longest is %s, want %s", have, longest)
	}
	below, ratio := 0.0, math.Pow(10, 0.05)
	for i, b := range l.Histogram {
		below += float64(b.Events)
		least, most := sort.SearchFloat64s(all, 0.99*b.Most), sort.SearchFloat64s(all, 1.01*b.Most)
		if below < float64(least) || below > float64(most) {
			t.Errorf("%g events up to %g s, want %d to %d", below, b.Most, least, most)
		}
		if i > 0 {
			near(t, "ratio of buckets", b.Most/l.Histogram[i-1].Most, ratio, 0.05)
		}
	}
	if first, last := l.Histogram[0], l.Histogram[len(l.Histogram)-1]; below != 100_000 || first.Events == 0 ||
		last.Events == 0 || last.Most < l.Max {
		t.Errorf("the histogram has %g events from %+v to %+v", below, first, last)
	}
}

// TestOpenLoadCountsFromArrivals has a client whose events take 2 ms and arrive each millisecond: the latencies grow
// with
// the queue. In closed load they are the times of the event.
func TestOpenLoadCountsFromArrivals(t *testing.T) {
	virtual(t, func(t *testing.T) {
		event := func(int, int, <-chan error) error { time.Sleep(2 * time.Millisecond); return nil }
		w := plan(1)
		w.Count, w.Rate, w.Even = 100, 1000, true
		near(t, "the median of open load", run(t, w, event).Latency.P50, 0.051, 0.01)
		w.Rate = 0
		near(t, "the median of closed load", run(t, w, event).Latency.P50, 0.002, 0.01)
	})
}

// TestFullQueueDrops offers more than the clients can do.
func TestFullQueueDrops(t *testing.T) {
	w := plan(1)
	w.Duration, w.Rate, w.Queue, w.Grace = 200*time.Millisecond, 2000, 5, 100*time.Millisecond
	virtual(t, func(t *testing.T) {
		out := run(t, w, func(int, int, <-chan error) error { time.Sleep(5 * time.Millisecond); return nil })
		if out.Dropped == 0 || out.Events+out.Dropped != out.Arrivals {
			t.Errorf("%d events, %d dropped, %d arrivals", out.Events, out.Dropped, out.Arrivals)
		}
		near(t, "arrivals", float64(out.Arrivals), 400, 0.25)
		near(t, "events", float64(out.Events), 40, 0.25)
	})
}

// TestArrivals compares times of arrivals with their rate: constant, even, and changing from 0 to 2000 and back.
func TestArrivals(t *testing.T) {
	ramps := plan(1)
	ramps.Stages = []record.Stage{{Start: 0, Duration: time.Second, Clients: -1, Rate: 2000},
		{Start: 2 * time.Second, Duration: time.Second, Clients: -1, Rate: 0}}
	for name, w := range map[string]*record.Workload{"even": {Rate: 500, Even: true}, "random": {Rate: 500},
		"ramps": ramps} {
		a, again := newArrivals(w, 3), newArrivals(w, 3)
		var perSecond [4]float64
		for at, ok := a.next(); ok && at < 4*time.Second; at, ok = a.next() {
			if same, _ := again.next(); same != at {
				t.Fatalf("%s: the same seed gives %v and %v", name, at, same)
			}
			perSecond[at/time.Second]++
		}
		want := [4]float64{500, 500, 500, 500}
		if name == "ramps" {
			want = [4]float64{1000, 2000, 1000, 0}
		}
		for i := range want {
			near(t, name, perSecond[i], want[i], 0.15)
		}
	}
}

// TestStagesOfClients changes the number of clients from 1 to 8 and to none.
func TestStagesOfClients(t *testing.T) {
	w := plan(1)
	w.Stages = []record.Stage{{Duration: 100 * time.Millisecond, Clients: 8, Rate: -1},
		{Start: 100 * time.Millisecond, Duration: 100 * time.Millisecond, Clients: 0, Rate: -1}}
	virtual(t, func(t *testing.T) {
		var seen [8]atomic.Bool
		out := run(t, w, func(id, _ int, _ <-chan error) error {
			seen[id].Store(true)
			time.Sleep(time.Millisecond)
			return nil
		})
		ran, most := 0, 0
		for id := range seen {
			if seen[id].Load() {
				ran++
			}
		}
		for _, i := range out.Intervals {
			most = max(most, i.Clients)
		}
		if ran < 7 || most < 7 || out.Stopped != "duration" || out.Seconds > 0.25 {
			t.Errorf("%d clients ran, at most %d, %g s, stopped by %s", ran, most, out.Seconds, out.Stopped)
		}
	})
}

// TestClientsThatFail has a client that does not return, one that fails, and events that fail with a status.
func TestClientsThatFail(t *testing.T) {
	w := plan(3)
	w.Duration, w.Grace = 50*time.Millisecond, 20*time.Millisecond
	broken := errors.New("x.lua:3: a nil value")
	var n atomic.Int64
	virtual(t, func(t *testing.T) {
		out := run(t, w, func(id, _ int, canceled <-chan error) error {
			switch id {
			case 0:
				return <-canceled
			case 1:
				return broken
			}
			time.Sleep(time.Millisecond)
			if n.Add(1)%2 == 0 {
				return &Failed{"memory_error", errors.New("needs 5 bytes")}
			}
			return nil
		})
		if out.Events != 25 || out.Errors["memory_error"] != 25 || out.First == nil {
			t.Errorf("%d events, errors %v, first %v", out.Events, out.Errors, out.First)
		}
		near(t, "time", out.Seconds, (w.Duration + w.Grace).Seconds(), 0.1)
		if len(out.Clients) != 2 || out.Clients[0] != (ClientError{2, broken}) ||
			!errors.Is(out.Clients[1].Err, ErrLeft) {
			t.Errorf("clients: %v", out.Clients)
		}
	})
}

// TestClientsThatDoNotOpen has many clients; the first ones fail before the others begin.
func TestClientsThatDoNotOpen(t *testing.T) {
	w := plan(200)
	w.Count = 500
	out := Run(t.Context(), w, Options{
		Open: func(id int) (Client, error) {
			if id < 199 {
				return nil, errors.New("no handle")
			}
			return &fake{event: func(int) error { return nil }, closed: new(atomic.Int64)}, nil
		},
		Began: func() {}, Sample: func() Sample { return Sample{} },
		Second: func(record.Interval, *Recorder) string { return "" }, EndsAll: func(error) bool { return false },
	})
	if out.Events != 500 || out.Failing != 199 || len(out.Clients) != errorsKept || out.Stopped != "count" {
		t.Errorf("%d events, %d clients failed, stopped by %s", out.Events, out.Failing, out.Stopped)
	}
}

// TestInterruptedLoad ends the context of a load that has no end.
func TestInterruptedLoad(t *testing.T) {
	virtual(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		w := plan(2)
		w.Count = math.MaxInt64
		out := Run(ctx, w, Options{
			Open: func(int) (Client, error) {
				return &fake{event: func(int) error { time.Sleep(time.Millisecond); return nil },
					closed: new(atomic.Int64)}, nil
			},
			Began: func() {}, Sample: func() Sample { return Sample{} },
			Second: func(record.Interval, *Recorder) string { return "" }, EndsAll: func(error) bool { return false },
		})
		near(t, "events", float64(out.Events), 100, 0.03)
		if out.Stopped != "interrupted" || out.Fatal != context.DeadlineExceeded {
			t.Errorf("%d events, stopped by %s, %v", out.Events, out.Stopped, out.Fatal)
		}
	})
}

// TestIntervals joins intervals when there are many.
func TestIntervals(t *testing.T) {
	r := newRecorder(plan(1), shortest)
	seconds := 0
	for i := range 5000 {
		r.add(0, time.Duration(i)*time.Microsecond)
		if _, ok := r.interval(time.Duration(i+1)*10*time.Millisecond, Sample{Growths: 1}, 1, 0); ok {
			seconds++
		}
	}
	l := r.result(50 * time.Second)
	total, growths, before := int64(0), 0, 0.0
	for _, i := range l.Intervals {
		total, growths = total+i.Events, growths+i.Growths
		if i.Start != before {
			t.Fatalf("an interval from %g after one until %g", i.Start, before)
		}
		before = i.End
	}
	if total != 5000 || growths != 5000 || len(l.Intervals) > mostIntervals || seconds < 40 {
		t.Errorf("%d events and %d growths in %d intervals, %d seconds", total, growths, len(l.Intervals), seconds)
	}
}

// TestMillionEvents counts the allocations of events that do nothing, of 256 clients. BenchmarkEvent measures their
// time.
func TestMillionEvents(t *testing.T) {
	w := plan(256)
	w.Count = 1_000_000
	if testing.Short() {
		w.Count = 200_000
	}
	for _, rate := range []float64{0, 1e9} {
		w.Rate, w.Queue = rate, int(w.Count)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out := run(t, w, func(int, int, <-chan error) error { return nil })
		runtime.ReadMemStats(&after)
		t.Logf("rate %g: %d allocations", rate, after.Mallocs-before.Mallocs)
		if out.Events != w.Count {
			t.Errorf("%d events", out.Events)
		}
		if n := after.Mallocs - before.Mallocs; n > 10_000 {
			t.Errorf("%d allocations for %d events", n, w.Count)
		}
	}
}

// BenchmarkEvent is an event that does nothing, in closed load.
func BenchmarkEvent(b *testing.B) {
	w := plan(2)
	w.Count = int64(b.N)
	b.ReportAllocs()
	run(b, w, func(int, int, <-chan error) error { return nil })
}

// BenchmarkArrivals reports the latencies that the driver adds to events that do nothing, at 2000 arrivals a second.
func BenchmarkArrivals(b *testing.B) {
	w := plan(8)
	w.Count, w.Rate = int64(b.N), 2000
	out := run(b, w, func(int, int, <-chan error) error { return nil })
	b.ReportMetric(out.Latency.P50*1e6, "p50-µs")
	b.ReportMetric(out.Latency.P99*1e6, "p99-µs")
	b.ReportMetric(float64(out.Late), "late")
}

// TestAddedLatency bounds what the driver adds to the latencies of events that do nothing: clients yield the processor
// for the last part of each wait, so that sleeps which end too late add nothing. BenchmarkArrivals measures real ones.
func TestAddedLatency(t *testing.T) {
	virtual(t, func(t *testing.T) {
		w := plan(2)
		w.Count, w.Rate, w.Even = 1000, 2000, true
		out := run(t, w, func(int, int, <-chan error) error { return nil })
		if out.Latency.Max > 2e-6 || out.Late > 0 {
			t.Errorf("latencies of up to %g s, %d events began late", out.Latency.Max, out.Late)
		}
	})
}
