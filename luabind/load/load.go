// Package load runs the clients of a workload and measures their events. It knows neither Lua nor devices.
package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"roclua/luabind/record"
)

// Client is a client of a workload. One goroutine uses it, except Cancel.
type Client interface {
	// Event runs an event of a kind. After a *Failed the client continues; any other error ends it.
	Event(kind int) error
	// Cancel ends the event that runs, from another goroutine.
	Cancel(cause error)
	// Close ends the client.
	Close() error
}

// Failed is the error of an event that failed with a status.
type Failed struct {
	Status string
	Err    error
}

func (f *Failed) Error() string { return f.Err.Error() }
func (f *Failed) Unwrap() error { return f.Err }

// Options are the hooks of a load.
type Options struct {
	Seed  uint64
	Clock Clock // nil for the time of the machine
	// Open makes a client, on its goroutine. The load begins when all clients are open.
	Open func(id int) (Client, error)
	// Began is called when the load begins.
	Began func()
	// Sample returns the memory in use, and the growths and waits since the last sample.
	Sample func() Sample
	// Second is called after each second with its interval. The load ends if it returns a reason.
	Second func(i record.Interval, so *Recorder) (stop string)
	// EndsAll reports whether an error of a client ends the whole load.
	EndsAll func(err error) bool
}

// Sample is the state of the device at a moment.
type Sample struct {
	Held           uint64
	Growths, Waits int
}

// Outcome is how a load ended.
type Outcome struct {
	*record.Load
	Clients []ClientError // that failed, the first of each error
	Failing int           // clients that failed
	First   error         // of the events that failed; nil for none
	Fatal   error         // why the whole load ended: the end of the context, or an error for Options.EndsAll
}

// ClientError is the error of a client.
type ClientError struct {
	Client int // from 1
	Err    error
}

// interruptedGrace is how long events may take to end after the context of the load has ended.
const interruptedGrace = 200 * time.Millisecond

// ErrLeft is the cause with which clients are canceled whose event does not end.
var ErrLeft = errors.New("the load has ended")

// runner is a load in progress.
type runner struct {
	*schedule
	Options
	plan    *record.Workload
	record  *Recorder
	clients []*client
	opened  sync.WaitGroup
	begin   chan struct{} // closed when all clients are open
	left    atomic.Int64  // clients that have not ended
	done    chan struct{} // closed when all have
	last    time.Duration // in virtual time, when the latest event ended

	mu      sync.Mutex
	idle    int    // clients that have not run an event yet
	waitRan func() // until there is none
	allRan  func() // wakes those that wait
	errors  []ClientError
	failing int
	first   error
	fatal   error
}

type client struct {
	Client
	id    int
	first *arrival     // its first event in a closed load; nil for none
	busy  atomic.Int64 // the kind of the event that runs, plus 1; 0 for none
}

// Run runs a workload. It returns when all clients are closed.
func Run(ctx context.Context, w *record.Workload, o Options) *Outcome {
	clock := o.Clock
	if clock == nil {
		clock = machine{time.Now()}
	}
	r := &runner{schedule: newSchedule(w, o.Seed, clock), Options: o, plan: w, begin: make(chan struct{}),
		done: make(chan struct{})}
	least := shortest
	if !r.isReal() {
		least = shortestVirtual
	}
	r.record = newRecorder(w, least)
	for id := range w.MostClients() {
		r.clients = append(r.clients, &client{id: id})
	}
	r.idle = len(r.clients)
	r.waitRan, _, r.allRan = clock.NewPlace(&r.mu)
	r.left.Store(int64(len(r.clients)))
	r.opened.Add(len(r.clients))
	if r.isReal() {
		for _, c := range r.clients {
			clock.Go(func() { r.openClient(c); r.client(c) })
		}
		r.opened.Wait()
	} else {
		for _, c := range r.clients {
			r.openClient(c)
		}
	}
	for _, c := range r.clients[:r.active(0)] {
		if r.open || c.Client == nil {
			continue
		}
		if a, ok := r.issue(0); ok {
			c.first = &a
		}
	}
	r.start()
	o.Began()
	r.record.now = r.now
	close(r.begin)
	if !r.isReal() {
		for _, c := range r.clients {
			clock.Go(func() { r.client(c) })
		}
	}
	r.observe(ctx)
	return r.outcome()
}

// outcome returns how the load ended.
func (r *runner) outcome() *Outcome {
	now := r.last
	if r.isReal() {
		now = r.now()
	}
	if second, ok := r.record.rest(now, r.Sample()); ok {
		r.Second(second, r.record)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	out := &Outcome{Load: r.record.result(now), Clients: r.errors, Failing: r.failing, First: r.first,
		Fatal: r.fatal}
	out.Load.Stopped, out.Load.Open, out.Load.Warmup = r.why(), r.open, r.plan.Warmup.Seconds()
	out.Arrivals, out.Load.Dropped, out.Late = r.counts()
	return out
}

// observe samples the load until all clients have ended, and ends the load.
func (r *runner) observe(ctx context.Context) {
	defer context.AfterFunc(ctx, func() {
		r.mu.Lock()
		r.fatal = context.Cause(ctx)
		r.mu.Unlock()
		r.stop("interrupted")
		select {
		case <-r.done:
		case <-time.After(interruptedGrace):
			r.cancel()
		}
	})()
	over := time.Duration(0) // when events that run are canceled; 0 before the end of the load
	for r.left.Load() > 0 {
		r.waitFor(r.now() + r.record.length)
		if r.left.Load() == 0 {
			return
		}
		if stop := r.tick(); stop != "" {
			r.stop(stop)
		}
		switch {
		case !r.finished():
			continue
		case over == 0:
			over = r.now() + r.plan.Grace
		case r.now() >= over:
			r.cancel()
		}
		r.wakeAll()
	}
}

// waitFor waits for a time, in the time of the machine at most until all clients have ended.
func (r *runner) waitFor(at time.Duration) {
	if !r.isReal() {
		r.clock.WaitUntil(r.started + at)
		return
	}
	select {
	case <-r.done:
	case <-time.After(at - r.now()):
	}
}

// openClient makes a client.
func (r *runner) openClient(c *client) {
	defer r.opened.Done()
	made, err := r.Open(c.id)
	if err != nil {
		r.failed(c, err)
		return
	}
	c.Client = made
}

// ran counts a client that has run its first event, or will run none.
func (r *runner) ran() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.idle--; r.idle == 0 {
		r.allRan()
	}
}

// leastEvent is the virtual time of an event without calls that take time, so that a load with a duration ends.
const leastEvent = time.Microsecond

// client runs the events of a client and closes it.
func (r *runner) client(c *client) {
	defer func() {
		if r.left.Add(-1) == 0 {
			close(r.done)
		}
	}()
	ran := sync.OnceFunc(r.ran)
	if c.Client == nil {
		ran()
		return
	}
	<-r.begin
	for a, ok := r.firstOf(c); ok; a, ok = r.next(c.id) {
		c.busy.Store(int64(a.kind) + 1)
		err := c.Event(a.kind)
		end := r.now()
		if !r.isReal() {
			r.last = end
		}
		if !r.isReal() && end == a.at {
			r.clock.WaitUntil(r.started + end + leastEvent)
		}
		c.busy.Store(0)
		ran()
		if err == nil && a.at < r.plan.Warmup {
			continue
		}
		if err == nil {
			r.record.add(a.kind, end-a.at)
		} else if !r.failedEvent(c, err) {
			break
		}
	}
	ran()
	r.mu.Lock()
	for r.idle > 0 { // an object of the client can still conflict with the first event of another one
		r.waitRan()
	}
	r.mu.Unlock()
	if err := c.Close(); err != nil {
		r.failed(c, err)
	}
}

// firstOf returns the first event of a client. In a closed load each client that is active at the start has one,
// however late the system lets it run, unless the load failed meanwhile.
func (r *runner) firstOf(c *client) (arrival, bool) {
	if why := r.why(); c.first == nil || why != "" && why != "duration" && why != "count" {
		return r.next(c.id)
	}
	c.first.at = r.now()
	return *c.first, true
}

// failedEvent records an event that failed, and reports whether the client continues.
func (r *runner) failedEvent(c *client, err error) bool {
	var failed *Failed
	if !errors.As(err, &failed) {
		r.failed(c, err)
		return false
	}
	r.record.fail(failed.Status)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.first == nil {
		r.first = err
	}
	return true
}

// errorsKept is how many errors of clients are kept.
const errorsKept = 16

// failed records the error of a client.
func (r *runner) failed(c *client, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failing++; len(r.errors) < errorsKept {
		r.errors = append(r.errors, ClientError{c.id + 1, err})
	}
	switch {
	case r.EndsAll(err):
		if r.fatal == nil {
			r.fatal = err
		}
		r.stop("a limit")
	case r.failing == len(r.clients):
		r.stop("all clients failed")
	}
}

// tick ends an interval, and a second if it is over.
func (r *runner) tick() (stop string) {
	now := r.now()
	if r.duration > 0 && now >= r.duration && (!r.open || now >= r.duration+r.plan.Grace) {
		r.stop("duration")
	}
	_, dropped, _ := r.counts()
	second, ok := r.record.interval(now, r.Sample(), r.active(now), dropped)
	if !ok {
		return ""
	}
	return r.Second(second, r.record)
}

// cancel ends the events that still run.
func (r *runner) cancel() {
	for _, c := range r.clients {
		if kind := c.busy.Load(); kind > 0 {
			name := "event"
			if n := r.plan.Events[kind-1].Name; n != "" {
				name += " " + n
			}
			c.Cancel(fmt.Errorf("%w, and the %s that runs has not returned", ErrLeft, name))
		}
	}
}
