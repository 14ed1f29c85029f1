//go:build unix

package worker

import (
	"fmt"
	"math"
	"os/exec"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"
)

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ended returns a worker whose process has exited, in a pool, with the shared memory of a worker that runs request 1.
func ended(t *testing.T, p *Pool) *process {
	t.Helper()
	w := &process{command: exec.Command("true"), exited: make(chan struct{}),
		shared: &shared{memory: make([]byte, sharedBytes)}}
	noError(t, w.command.Run())
	close(w.exited)
	w.watch = &supervisor{worker: w, pool: p}
	w.shared.begin(1, 0, 0)
	p.all[w] = true
	return w
}

// TestEnforcedBounds kills a worker that is over a bound, and no other.
func TestEnforcedBounds(t *testing.T) {
	const second = time.Second
	for _, test := range []struct {
		limit   uint64
		timeout time.Duration
		phase   phase
		elapsed time.Duration
		heap    uint64
		want    string
	}{
		{0, second, phaseRunning, second + limitGrace, 0, ""},
		{0, second, phaseRunning, second + limitGrace + 1, 0, "timeout"},
		{0, second, phaseCleanup, second + killGrace, 0, ""},
		{0, second, phaseCleanup, second + killGrace + 1, 0, "timeout"},
		{0, second, phaseDone, time.Hour, 0, ""},
		{0, 0, phaseRunning, time.Hour, 1 << 30, ""},
		{800, 0, phaseRunning, 0, 900 + heapBase, ""},
		{800, 0, phaseRunning, 0, 901 + heapBase, fmt.Sprintf("heap %d of 800", 901+heapBase)},
		{800, second, phaseRunning, 0, 2 * heapBase, fmt.Sprintf("heap %d of 800", 2*heapBase)},
		{64 << 20, 0, phaseRunning, 0, 72<<20 + heapBase, ""},
	} {
		w := ended(t, NewPool(nil))
		w.shared.begin(1, test.limit, test.timeout)
		w.shared.enter(test.phase)
		w.shared.heap().Store(test.heap)
		w.watch.enforce(1, test.phase, test.elapsed)
		have := ""
		if v := w.watch.killed(); v != nil && v.limit == nil {
			have = "timeout"
		} else if v != nil {
			have = fmt.Sprintf("%s %d of %d", v.limit.Name, v.limit.Used, v.limit.Max)
		}
		if have != test.want {
			t.Errorf("%+v: %q", test, have)
		}
	}
	w := ended(t, NewPool(nil))
	w.shared.begin(2, 0, 0) // meanwhile it has ended the request
	if w.watch.end(&verdict{number: 1}); w.watch.killed() != nil {
		t.Error("a worker was killed for an earlier request")
	}
}

// TestExpectedRequests checks until when a request is expected, and from when on its time counts.
func TestExpectedRequests(t *testing.T) {
	w := ended(t, NewPool(nil))
	s := w.watch
	now := time.Unix(1000, 0)
	w.shared.enter(phaseDone)
	w.number.Store(1)
	if s.check(now) {
		t.Error("a request is expected after the reply to the last one")
	}
	if w.number.Store(2); !s.check(now) {
		t.Error("no request is expected after one was sent")
	}
	w.shared.begin(1, 0, time.Second)
	s.check(now)
	now = now.Add(time.Second)
	w.shared.begin(2, 0, time.Second)
	s.check(now)
	if s.check(now.Add(time.Second+limitGrace)) && s.killed() != nil {
		t.Errorf("killed with %+v: the time of the request before it counted", s.killed())
	}
	if s.check(now.Add(time.Second + limitGrace + 1)); s.killed() == nil || s.killed().number != 2 {
		t.Errorf("killed with %+v", s.killed())
	}
	if s.check(now.Add(time.Hour)) {
		t.Error("a worker that was killed is checked again")
	}
}

// TestExceededMemory finds the process that uses too much, alone or with all others.
func TestExceededMemory(t *testing.T) {
	for _, test := range []struct {
		memory, machine uint64
		used            []uint64
		limits, totals  []uint64 // by process
	}{
		{100, 0, []uint64{100, 101}, []uint64{0, 100}, []uint64{0, 0}},
		{0, 0, []uint64{1 << 40, 0}, []uint64{0, 0}, []uint64{0, 0}},
		{0, 110, []uint64{60, 50}, []uint64{0, 0}, []uint64{0, 0}},
		{0, 109, []uint64{60, 50}, []uint64{59, 0}, []uint64{110, 0}},
		{0, 100, []uint64{60, 60}, []uint64{40, 40}, []uint64{120, 120}},
		{0, 30, []uint64{60, 50, 40}, []uint64{1, 0, 0}, []uint64{150, 0, 0}},
		{55, 109, []uint64{60, 50}, []uint64{55, 0}, []uint64{0, 0}},
	} {
		p := NewPool(nil)
		p.memory, p.total = test.memory, func() uint64 { return test.machine }
		var all []*process
		for _, used := range test.used {
			w := ended(t, p)
			w.watch.used.Store(used)
			all = append(all, w)
		}
		for i, w := range all {
			if limit, total := p.exceeded(w.watch); limit != test.limits[i] || total != test.totals[i] {
				t.Errorf("%+v: process %d exceeds %d of all %d", test, i, limit, total)
			}
		}
	}
}

// TestLimitOfTheHeap makes Go collect garbage when a case uses much of its memory.
func TestLimitOfTheHeap(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	s := &server{}
	for _, test := range []struct {
		heap uint64
		want int64
	}{{0, math.MaxInt64}, {1, 1 + heapBase/2}, {1 << 30, 1<<30 + heapBase/2}, {math.MaxInt64 / 4, math.MaxInt64},
		{math.MaxInt64/4 - 1, math.MaxInt64/4 - 1 + heapBase/2}, {math.MaxUint64, math.MaxInt64}} {
		if s.limitHeap(test.heap); debug.SetMemoryLimit(-1) != test.want {
			t.Errorf("a heap of %d bytes: %d, want %d", test.heap, debug.SetMemoryLimit(-1), test.want)
		}
	}
}

// TestMemoryOfGo does not count memory that was returned to the system.
func TestMemoryOfGo(t *testing.T) {
	const size = 64 << 20
	b := touched(make([]byte, size))
	with := heapBytes()
	runtime.KeepAlive(b)
	debug.FreeOSMemory()
	if without := heapBytes(); with < size || without > with-size/2 {
		t.Errorf("%d bytes with an array of %d, then %d", with, size, without)
	}
}

// TestPublishedMemory publishes the memory of Go while a case runs and cleans up, and not after it.
func TestPublishedMemory(t *testing.T) { synctest.Test(t, publishedMemory) }

func publishedMemory(t *testing.T) {
	s := &server{shared: &shared{memory: make([]byte, sharedBytes)}, begun: make(chan struct{}, 1)}
	stopped := make(chan struct{})
	go func() { s.publishHeap(); close(stopped) }()
	expect := func(published bool) {
		t.Helper()
		time.Sleep(heapInterval) // a reading that has begun
		s.shared.heap().Store(0)
		time.Sleep(3 * heapInterval)
		if have := s.shared.heap().Load() > 0; have != published {
			t.Errorf("the memory is published: %v", have)
		}
	}
	for number := range uint32(2) {
		s.shared.begin(number+1, 0, 0)
		s.begun <- struct{}{}
		expect(true)
		s.shared.enter(phaseCleanup)
		expect(true)
		s.shared.enter(phaseDone)
		expect(false)
	}
	s.tidy()
	if s.shared.heap().Load() != 0 {
		t.Error("the memory of the case counts for the next one")
	}
	close(s.begun)
	<-stopped
}
