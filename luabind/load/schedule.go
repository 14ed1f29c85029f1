package load

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"roclua/luabind/record"
)

// arrival is an event that is due: its kind, and when it arrived, or began in closed load.
type arrival struct {
	at   time.Duration
	kind int
}

// schedule decides which client runs which event, and when.
//
// Open load has one queue. An idle client, the leader, waits for the next arrival, and other idle clients wait for the
// leader's place, which it gives up when it takes an arrival. So the arrivals need no further goroutine, and the
// next leader is awake before the next arrival.
type schedule struct {
	clock    Clock
	started  time.Duration
	duration time.Duration // 0 for none
	count    int64         // 0 for no limit
	open     bool
	mix      mix
	clients  []ramp // how many are active
	first    int    // clients at the start

	issued  atomic.Int64
	stopped atomic.Bool

	mu       sync.Mutex
	reason   string // why it stopped; "" before
	leading  bool
	wait     func() // until the place of the leader is free
	signal   func() // that it is
	wakeAll  func()
	arrivals arrivals
	queue    []arrival
	bound    int     // of the queue
	pending  arrival // the next one
	some     bool    // there is a next one
	dropped  int64
	late     int64
}

func newSchedule(w *record.Workload, seed uint64, clock Clock) *schedule {
	s := &schedule{clock: clock, duration: w.Length(), count: w.Count, open: w.Open(), mix: newMix(w.Events, seed),
		first: w.Clients}
	s.wait, s.signal, s.wakeAll = clock.NewPlace(&s.mu)
	from := float64(w.Clients)
	for _, stage := range w.Stages {
		if stage.Clients >= 0 {
			s.clients = append(s.clients, ramp{stage.Start, stage.Duration, from, float64(stage.Clients)})
			from = float64(stage.Clients)
		}
	}
	if s.open {
		s.bound = max(1, w.Queue)
		s.arrivals = newArrivals(w, seed)
		s.pending, s.some = s.draw()
	}
	return s
}

func (s *schedule) start() { s.started = s.clock.Now() }

// now returns the time since the start of the load.
func (s *schedule) now() time.Duration { return s.clock.Now() - s.started }

// stop ends the load. Events that run are not ended.
func (s *schedule) stop(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reason == "" {
		s.reason = reason
	}
	s.stopped.Store(true)
	if s.isReal() {
		s.wakeAll()
	}
}

// isReal reports whether the time is the machine's. Otherwise only the goroutine that runs may wake others.
func (s *schedule) isReal() bool {
	_, real := s.clock.(machine)
	return real
}

// why returns why the load stopped.
func (s *schedule) why() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reason
}

// finished reports whether no further event begins.
func (s *schedule) finished() bool { return s.stopped.Load() }

// counts returns how many events arrived, how many of them were dropped, by the full queue or because they waited when
// the load stopped, and how many began late.
func (s *schedule) counts() (arrived, dropped, late int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	arrived = s.issued.Load()
	if s.open && s.some {
		arrived-- // the next one has been drawn
	}
	if s.count > 0 {
		arrived = min(arrived, s.count)
	}
	dropped = s.dropped
	if s.stopped.Load() {
		dropped += int64(len(s.queue))
	}
	return arrived, dropped, s.late
}

// active returns how many clients are active at a moment.
func (s *schedule) active(at time.Duration) int {
	n := float64(s.first)
	for _, r := range s.clients {
		if at >= r.start {
			n = r.value(at)
		}
	}
	return int(math.Round(n))
}

// inactivePause is how long a client sleeps that is not active.
const inactivePause = 5 * time.Millisecond

// issue returns the next event of a closed load, which begins at a time. It returns false after the last one.
func (s *schedule) issue(at time.Duration) (arrival, bool) {
	n := s.issued.Add(1)
	if s.count > 0 && n > s.count {
		return arrival{}, false
	}
	return arrival{at, s.mix.kind(n - 1)}, true
}

// next returns the next event for a client. It returns false when the load has ended.
func (s *schedule) next(id int) (arrival, bool) {
	for !s.stopped.Load() {
		now := s.now()
		switch {
		case s.duration > 0 && now >= s.duration && !s.open:
			s.stop("duration")
		case s.clients != nil && id >= s.active(now):
			if s.duration > 0 && now >= s.duration {
				return arrival{}, false // the queue is left to active clients
			}
			s.clock.WaitUntil(s.clock.Now() + inactivePause)
		case s.open:
			return s.lead()
		default:
			if a, ok := s.issue(now); ok {
				return a, true
			}
			s.stop("count")
		}
	}
	return arrival{}, false
}

// lead waits for an arrival.
func (s *schedule) lead() (arrival, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.leading && !s.stopped.Load() {
		s.wait()
	}
	s.leading = true
	defer func() {
		s.leading = false
		s.signal()
	}()
	waited := false
	for !s.stopped.Load() {
		now := s.now()
		s.receive(now)
		if len(s.queue) > 0 {
			a := s.queue[0]
			s.queue = s.queue[1:]
			if waited && now-a.at > lateAfter {
				s.late++
			}
			return a, true
		}
		if !s.some {
			s.mu.Unlock()
			s.stop(s.endOfArrivals())
			s.mu.Lock()
			break
		}
		due := s.pending.at
		s.mu.Unlock()
		s.clock.WaitUntil(s.started + due)
		s.mu.Lock()
		waited = true
	}
	return arrival{}, false
}

func (s *schedule) endOfArrivals() string {
	if s.count > 0 && s.issued.Load() > s.count {
		return "count"
	}
	return "duration"
}

// lateAfter is how much later than its arrival an event may begin if a client waits for it.
const lateAfter = 200 * time.Microsecond

// receive moves the arrivals up to now to the queue. A full queue drops them.
func (s *schedule) receive(now time.Duration) {
	for s.some && s.pending.at <= now {
		if len(s.queue) < s.bound {
			s.queue = append(s.queue, s.pending)
		} else {
			s.dropped++
		}
		s.pending, s.some = s.draw()
	}
}

// draw returns the next arrival; ok is false if there is none.
func (s *schedule) draw() (a arrival, ok bool) {
	n := s.issued.Add(1)
	if s.count > 0 && n > s.count {
		return arrival{}, false
	}
	at, ok := s.arrivals.next()
	if !ok || s.duration > 0 && at >= s.duration {
		s.issued.Add(-1)
		return arrival{}, false
	}
	return arrival{at, s.mix.kind(n - 1)}, true
}

// Clock is the time of a load and the way its goroutines run: as the machine lets them, or in the order of a virtual
// time, one after the other.
type Clock interface {
	Now() time.Duration
	// WaitUntil waits for a time, or for a part of the wait.
	WaitUntil(time.Duration)
	// NewPlace returns functions like the methods of a sync.Cond.
	NewPlace(l sync.Locker) (wait, signal, broadcast func())
	// Go runs a function in a new goroutine.
	Go(run func())
}

// machine is the time of the machine.
type machine struct{ started time.Time }

func (m machine) Now() time.Duration { return time.Since(m.started) }
func (m machine) Go(run func())      { go run() }

func (m machine) NewPlace(l sync.Locker) (wait, signal, broadcast func()) {
	c := sync.NewCond(l)
	return c.Wait, c.Signal, c.Broadcast
}

// longestWait is the longest wait after which the end of the load is noticed.
const longestWait = 20 * time.Millisecond

// Tests with another clock replace these functions.
var sleepFor, yield = sleep, runtime.Gosched

// WaitUntil implements Clock. A sleep can end too late, so the last part is spent by yielding the processor again and
// again.
func (m machine) WaitUntil(due time.Duration) {
	left := due - m.Now()
	if left > spin {
		sleepFor(min(left-spin, longestWait))
		return
	}
	for m.Now() < due {
		yield()
	}
}

// mix draws the kinds of events by their weights. The kind of an event depends on the seed and its number alone.
type mix struct {
	seed  uint64
	until []float64 // sums of the weights, the last one is 1
}

func newMix(events []record.Event, seed uint64) mix {
	total := 0.0
	for _, e := range events {
		total += e.Weight
	}
	m := mix{seed: seed}
	sum := 0.0
	for _, e := range events {
		sum += e.Weight
		m.until = append(m.until, sum/total)
	}
	return m
}

func (m *mix) kind(n int64) int {
	if len(m.until) == 1 {
		return 0
	}
	var source rand.PCG
	source.Seed(m.seed, uint64(n))
	x := float64(source.Uint64()>>11) / (1 << 53)
	for i, until := range m.until {
		if x < until {
			return i
		}
	}
	return len(m.until) - 1
}
