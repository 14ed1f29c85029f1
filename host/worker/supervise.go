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

// allowance bounds one request.
type allowance struct {
	number  uint32
	timeout time.Duration // 0 for none
	heap    uint64        // bytes of memory of Go; 0 for no bound
	limit   uint64        // limit of the heap, for the message
}

// heapBase is the memory of Go that a worker takes in addition to the values of its script.
const heapBase = 128 << 20

func allowanceOf(l record.Limits) allowance {
	b := allowance{timeout: l.Timeout, limit: l.Heap}
	if l.Heap > 0 {
		b.heap = l.Heap + l.Heap/8 + heapBase
	}
	return b
}

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

	mu       sync.Mutex
	expected []allowance // of the requests without a reply
	verdict  *verdict    // why the worker was killed; nil if it was not
	current  uint32      // request in progress when it was last checked
	since    time.Time
	used     atomic.Uint64 // resident bytes when they were last sampled
}

// expect adds the allowance of a request that is sent.
func (s *supervisor) expect(b allowance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expected = append(s.expected, b)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// done removes the allowance of the requests up to one that was replied to.
func (s *supervisor) done(number uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.expected) > 0 && s.expected[0].number <= number {
		s.expected = s.expected[1:]
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
	if len(s.expected) == 0 || s.verdict != nil {
		s.used.Store(0)
		return false
	}
	number, phase := s.worker.shared.state()
	if number != s.current {
		s.current, s.since = number, now
	}
	for _, b := range s.expected {
		if b.number == number && (phase == phaseRunning || phase == phaseCleanup) {
			s.enforce(b, phase, now.Sub(s.since))
		}
	}
	return true
}

// enforce kills the worker if a request is over its allowance.
func (s *supervisor) enforce(b allowance, p phase, elapsed time.Duration) {
	heap := s.worker.shared.heap().Load()
	s.used.Store(cmp.Or(s.rss.bytes(), heap))
	grace := killGrace
	if p == phaseRunning {
		grace = limitGrace
	}
	switch limit, total := s.pool.exceeded(s); {
	case b.timeout > 0 && elapsed > b.timeout+grace:
		s.end(&verdict{number: b.number})
	case b.heap > 0 && heap > b.heap:
		s.end(&verdict{number: b.number, limit: &record.LimitUse{Name: limitHeap, Max: b.limit, Used: heap}})
	case limit > 0:
		s.end(&verdict{b.number, &record.LimitUse{Name: limitMemory, Max: limit, Used: s.used.Load()}, total})
	}
}

// end kills the worker, unless it has ended the request meanwhile.
func (s *supervisor) end(v *verdict) {
	if number, phase := s.worker.shared.state(); number == v.number && phase != phaseDone {
		s.verdict = v
		s.worker.kill()
	}
}
