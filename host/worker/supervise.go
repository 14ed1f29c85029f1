package worker

import (
	"cmp"
	"sync"
	"sync/atomic"
	"time"

	"roclua/luabind/record"
)

const (
	// sampleInterval is how often the time and the memory of a worker are checked.
	sampleInterval = 10 * time.Millisecond

	// limitGrace is how long after its time limit a case may take to notice the limit. A case that does not, because
	// it is inside a call of a C library, is ended by killing its worker.
	limitGrace = 500 * time.Millisecond

	// killGrace is how long after its time limit a case may take to end, teardown included, before its worker is
	// killed.
	killGrace = 1500 * time.Millisecond
)

// Names of the limits that are enforced from outside. They are keys of the configuration below limits.
const (
	limitHeap   = "heap"
	limitMemory = "memory"
)

// heapBase is the memory of Go that a worker takes in addition to the values of its script.
const heapBase = 128 << 20

// verdict is why a worker was killed.
type verdict struct {
	number uint32           // request in progress
	limit  *record.LimitUse // of memory; nil for the time
	total  uint64           // memory of all workers, when the machine sets the limit
}

// supervisor kills its worker when a request takes too much time or memory.
type supervisor struct {
	worker *process
	pool   *Pool
	rss    resident
	ended  chan struct{}
	wake   chan struct{} // receives when a request is expected

	mu      sync.Mutex
	verdict *verdict // why the worker was killed; nil if it was not
	current uint32   // request in progress when it was last checked
	since   time.Time
	used    atomic.Uint64 // resident bytes when they were last sampled
}

// expect is called when a request is sent.
func (s *supervisor) expect() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// killed returns why the worker was killed, or nil.
func (s *supervisor) killed() *verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.verdict
}

// run checks the worker until it exits.
func (s *supervisor) run() {
	defer close(s.ended)
	defer s.rss.close()
	defer s.used.Store(0)
	for {
		select {
		case <-s.worker.exited:
			return
		case <-s.wake:
			s.sample()
		}
	}
}

// sample checks the worker until it exits or no request is expected.
func (s *supervisor) sample() {
	tick := time.NewTicker(sampleInterval)
	defer tick.Stop()
	for {
		select {
		case <-s.worker.exited:
			return
		case now := <-tick.C:
			if !s.check(now) {
				return
			}
		}
	}
}

// wait waits until the supervisor has ended, which it does when its worker has exited.
func (s *supervisor) wait() { <-s.ended }

// check kills the worker if its request is over a bound. It reports whether a request is expected.
func (s *supervisor) check(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	number, phase := s.worker.shared.state()
	if runs := phase == phaseRunning || phase == phaseCleanup; s.verdict != nil || !runs {
		s.used.Store(0)
		return s.verdict == nil && number != s.worker.number.Load()
	}
	if number != s.current {
		s.current, s.since = number, now
	}
	s.enforce(number, phase, now.Sub(s.since))
	return true
}

// enforce kills the worker if a request is over its limits.
func (s *supervisor) enforce(number uint32, p phase, elapsed time.Duration) {
	heap := s.worker.shared.heap().Load()
	s.used.Store(cmp.Or(s.rss.bytes(), heap))
	grace := killGrace
	if p == phaseRunning {
		grace = limitGrace
	}
	most, timeout := s.worker.shared.limits()
	switch limit, total := s.pool.exceeded(s); {
	case timeout > 0 && elapsed > timeout+grace:
		s.end(&verdict{number: number})
	case most > 0 && heap > most+most/8+heapBase:
		s.end(&verdict{number: number, limit: &record.LimitUse{Name: limitHeap, Max: most, Used: heap}})
	case limit > 0:
		s.end(&verdict{number, &record.LimitUse{Name: limitMemory, Max: limit, Used: s.used.Load()}, total})
	}
}

// end kills the worker, unless it has ended the request meanwhile.
func (s *supervisor) end(v *verdict) {
	if number, phase := s.worker.shared.state(); number == v.number && phase != phaseDone {
		s.verdict = v
		s.worker.kill()
	}
}
