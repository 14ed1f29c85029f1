package order

import (
	"container/heap"
	"iter"
	"sync"
	"time"

	"roclua/hip/driver"
)

// Time is the virtual time of a host and its devices. Each goroutine of the host has a turn with a time, and they run
// one at a time: at a call, the turn with the least time and number continues. So results do not depend on how the
// system schedules goroutines. The engines of the devices serve operations in the order of becoming ready, and only up
// to the least time of all turns that run, because a turn could still queue an operation that is ready earlier; beyond
// that time when all turns wait.
type Time struct {
	host     *Host
	current  *turn
	turns    int                // made so far
	runnable heapOf[*turn]      // that wait for their turn, without the current one
	ready    heapOf[*Operation] // that wait for their engine
	grouped  int                // nested launches of graphs, whose nodes cost the host nothing
	look     time.Duration
	spare    []*timing // of operations that have ended
}

// turn is the time of a goroutine of the host. All but the first one are coroutines, which the first one resumes: a
// switch between them involves neither the scheduler of Go nor a lock.
type turn struct {
	now     time.Duration
	number  int
	missing int                     // operations that it waits for
	errand  *turn                   // which waits for functions of this one; nil for none
	resume  func() (struct{}, bool) // lets the coroutine run; nil for the first turn
	wait    func()                  // lets the current turn run until it is this one
}

// NewTime gives a host virtual time. A look at it takes some time.
func (h *Host) NewTime(look time.Duration) *Time {
	first := &turn{}
	t := &Time{host: h, look: look, current: first}
	first.wait = func() {
		for t.current != first {
			t.current.resume()
		}
	}
	h.time = t
	return t
}

// Look makes the goroutine that runs spend the time of a look, so that a loop that waits for a time ends.
func (t *Time) Look() { t.current.now += t.look }

// Set sets the time of the goroutine that runs, which makes the calls of several threads. It can go back, but not to
// before a call that was made.
func (t *Time) Set(now time.Duration) { t.current.now = now }

// Now returns the time of the goroutine that runs.
func (t *Time) Now() time.Duration { return t.current.now }

// Spend makes the goroutine that runs take time.
func (t *Time) Spend(d time.Duration) {
	if t.grouped == 0 {
		t.current.now += d
	}
}

// Group begins calls that cost the host nothing, until it is called with -1.
func (t *Time) Group(n int) { t.grouped += n }

// Go runs a function in a new goroutine, which has the time of the current one.
func (t *Time) Go(run func()) {
	t.turns++
	u := &turn{now: t.current.now, number: t.turns}
	u.resume, _ = iter.Pull(func(yield func(struct{}) bool) {
		u.wait = func() { yield(struct{}{}) }
		run()
		t.current = t.next()
	})
	heap.Push(&t.runnable, u)
}

// WaitUntil lets other goroutines run until a time.
func (t *Time) WaitUntil(due time.Duration) {
	u := t.current
	u.now = max(u.now, due)
	t.Turn()
}

// NewPlace returns functions like those of a sync.Cond: goroutines wait without time passing for others.
func (t *Time) NewPlace(l sync.Locker) (wait, signal, broadcast func()) {
	var waiting []*turn
	wait = func() {
		waiting = append(waiting, t.current)
		l.Unlock()
		t.park()
		l.Lock()
	}
	signal = func() {
		if len(waiting) == 0 {
			return
		}
		u := waiting[0]
		waiting = waiting[1:]
		u.now = max(u.now, t.current.now)
		heap.Push(&t.runnable, u)
	}
	return wait, signal, func() {
		for len(waiting) > 0 {
			signal()
		}
	}
}

// Turn lets goroutines run whose time is less. A call starts with it.
func (t *Time) Turn() {
	t.serve()
	if u := t.current; len(t.runnable) > 0 && t.runnable[0].sooner(u) {
		next := t.runnable[0]
		t.runnable[0] = u
		heap.Fix(&t.runnable, 0)
		t.letRun(u, next)
	}
}

// park lets other goroutines run until this one is runnable and has the least time.
func (t *Time) park() {
	u := t.current
	t.letRun(u, t.next())
}

// letRun lets other goroutines run, beginning with one, until this one is chosen again. Meanwhile it runs functions
// that they wait for.
func (t *Time) letRun(u, next *turn) {
	for t.pass(u, next); u.errand != nil; t.pass(u, next) {
		t.host.runFunctions(func(f *function) bool { return f.wanted && f.thread.turn == u })
		next, u.errand = u.errand, nil
	}
}

// errandFor lets the goroutine of another thread run its functions that are wanted.
func (t *Time) errandFor(thread *Thread) {
	u, other := t.current, thread.turn
	if other == nil || other == u {
		return
	}
	other.errand = u
	t.pass(u, other)
}

// pass makes another turn the current one, which may use the host, and waits until it is this one again.
func (t *Time) pass(u, next *turn) {
	if t.current = next; next == u {
		return
	}
	if t.host.pause == nil {
		u.wait()
		return
	}
	t.host.pause(u.wait)
}

// next removes the runnable turn with the least time. If there is none, operations are served until one of them lets a
// turn continue.
func (t *Time) next() *turn {
	t.current = nil
	for t.serve(); len(t.runnable) == 0; t.serve() {
		if len(t.ready) == 0 {
			panic("order: every goroutine waits for another one")
		}
		t.serveFirst()
	}
	return heap.Pop(&t.runnable).(*turn)
}

// serve serves the operations that became ready before any turn that runs.
func (t *Time) serve() {
	for len(t.ready) > 0 && (t.current != nil || len(t.runnable) > 0) && t.ready[0].begin <= t.horizon() {
		t.serveFirst()
	}
}

func (t *Time) horizon() time.Duration {
	switch {
	case len(t.runnable) == 0:
		return t.current.now
	case t.current == nil:
		return t.runnable[0].now
	}
	return min(t.current.now, t.runnable[0].now)
}

func (t *Time) serveFirst() {
	o := heap.Pop(&t.ready).(*Operation)
	begin := o.engine.serve(o.begin, o.takes, o.whole)
	t.finish(o, begin, begin+o.takes)
}

// add adds an operation that is complete. It counts as ready when everything that it waits for has ended.
func (t *Time) add(o *Operation) {
	o.added = true
	if o.blocked == 0 {
		t.makeReady(o)
	}
	t.serve()
}

func (t *Time) makeReady(o *Operation) {
	if o.engine == nil {
		t.finish(o, o.begin, o.begin)
		return
	}
	heap.Push(&t.ready, o)
}

func (t *Time) finish(o *Operation, begin, end time.Duration) {
	o.end, o.known = end, true
	if o.timer != nil {
		o.timer.Ran(begin, end)
	}
	o.stream.unserved--
	o.stream.oldest = o.next
	if o.next != nil {
		t.passed(o.next, end)
	}
	for _, f := range o.followers {
		t.passed(f, end)
	}
	for _, u := range o.waiters {
		u.now = max(u.now, end)
		if u.missing--; u.missing == 0 {
			heap.Push(&t.runnable, u)
		}
	}
	clear(o.followers)
	clear(o.waiters)
	*o.timing = timing{followers: o.followers[:0], waiters: o.waiters[:0]}
	t.spare = append(t.spare, o.timing)
	o.timing = nil
}

// newTiming returns a timing that no operation has. They are reused, since operations outlive them.
func (t *Time) newTiming() *timing {
	if len(t.spare) == 0 {
		return &timing{}
	}
	last := len(t.spare) - 1
	spare := t.spare[last]
	t.spare = t.spare[:last]
	return spare
}

// passed notes the end of an operation that another one waits for.
func (t *Time) passed(o *Operation, end time.Duration) {
	o.begin = max(o.begin, end)
	if o.blocked--; o.blocked == 0 && o.added {
		t.makeReady(o)
	}
}

// await makes the current goroutine wait until operations have ended in virtual time.
func (t *Time) await(list []*Operation) {
	t.serve()
	u := t.current
	for _, o := range list {
		if o.known {
			u.now = max(u.now, o.end)
		} else {
			o.waiters = append(o.waiters, u)
			u.missing++
		}
	}
	if u.missing > 0 {
		t.park()
	} else {
		t.Turn()
	}
}

// reached reports whether operations have ended at the time of the current goroutine.
func (t *Time) reached(list []*Operation) bool {
	t.Turn()
	for _, o := range list {
		if !o.known || o.end > t.current.now {
			t.Look()
			return false
		}
	}
	return true
}

// timing is the state of an operation in virtual time until its end is known.
type timing struct {
	begin     time.Duration // when it is ready
	added     bool          // it is complete
	blocked   int           // earlier operations whose times are not known
	next      *Operation    // of the stream
	followers []*Operation
	waiters   []*turn
	engine    Engine // nil for an operation that takes no time
	takes     time.Duration
	whole     bool // it needs all servers of the engine
	timer     driver.Timer
}

// Engine is a part of a device that performs operations. It has several servers, and a large operation needs them all.
type Engine []time.Duration // until when each server is busy

// NewEngine returns an engine that performs a number of small operations at once.
func NewEngine(servers int) Engine { return make(Engine, max(1, servers)) }

// serve returns when an operation begins that is ready at a time.
func (e Engine) serve(ready, takes time.Duration, whole bool) (begin time.Duration) {
	at := 0
	begin = ready
	for i, busy := range e {
		if whole {
			begin = max(begin, busy)
		} else if busy < e[at] {
			at = i
		}
	}
	if !whole {
		begin = max(begin, e[at])
		e[at] = begin + takes
		return begin
	}
	for i := range e {
		e[i] = begin + takes
	}
	return begin
}

// Takes sets the engine of an operation, and how long it is busy with it. timer gets the times; it may be nil. It is
// called before the operation is pushed, and does nothing without virtual time.
func (o *Operation) Takes(e Engine, d time.Duration, whole bool, timer driver.Timer) {
	if o.timing != nil {
		o.engine, o.takes, o.whole, o.timer = e, d, whole, timer
	}
}

// prepare sets when an operation of a stream is ready at the earliest. The host waits while the queue of the stream is
// full.
func (t *Time) prepare(o *Operation) {
	o.timing = t.newTiming()
	s := o.stream
	if s.unserved >= QueueLength {
		t.await([]*Operation{s.oldest})
	}
	t.Spend(s.group.Launch)
	o.begin = t.current.now
	s.unserved++
	switch {
	case s.oldest == nil:
		s.oldest = o
		if s.last != nil {
			o.begin = max(o.begin, s.last.end)
		}
	default:
		s.last.next = o
		o.blocked++
	}
}

// followInTime makes an operation wait for an earlier one in virtual time.
func (o *Operation) followInTime(earlier *Operation) {
	if earlier.known {
		o.begin = max(o.begin, earlier.end)
		return
	}
	earlier.followers = append(earlier.followers, o)
	o.blocked++
}

func (u *turn) sooner(v *turn) bool {
	return u.now < v.now || u.now == v.now && u.number < v.number
}

// sooner reports whether the operation became ready, or else was queued, before another one.
func (o *Operation) sooner(other *Operation) bool {
	return o.begin < other.begin || o.begin == other.begin && o.serial < other.serial
}

type ordered[T any] interface{ sooner(T) bool }

var _ ordered[*Operation] = (*Operation)(nil)

// heapOf is a heap whose first element is the soonest.
type heapOf[T ordered[T]] []T

func (h heapOf[T]) Len() int           { return len(h) }
func (h heapOf[T]) Less(i, j int) bool { return h[i].sooner(h[j]) }
func (h heapOf[T]) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *heapOf[T]) Push(x any)        { *h = append(*h, x.(T)) }

func (h *heapOf[T]) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	clear((*h)[last:])
	*h = (*h)[:last]
	return x
}
