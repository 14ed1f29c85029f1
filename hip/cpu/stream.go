package cpu

import (
	"time"

	"roclua/hip/cpu/capture"
	"roclua/hip/cpu/memory"
	"roclua/hip/cpu/order"
	"roclua/hip/driver"
)

// stream is a stream of a device. While it is captured, its branch takes its work.
type stream struct {
	order.Stream
	branch capture.Branch
	device *device
}

func (d *device) newStream(id int, blocking bool) *stream {
	s := &stream{device: d}
	s.branch = d.runtime.captures.Branch(&s.Stream)
	d.streams.Add(&s.Stream, id, blocking)
	return s
}

// enqueueUse queues work that uses a whole block.
func (s *stream) enqueueUse(site driver.Site, b *memory.Block, run func() error) *order.Operation {
	o := s.prepare(site, []memory.Use{b.Whole()}, run)
	s.Push(o)
	return o
}

// prepare returns the next operation of the stream, which uses the given memory. The caller must push it.
func (s *stream) prepare(site driver.Site, uses []memory.Use, run func() error) *order.Operation {
	o := s.Prepare(site, run)
	for i := range uses {
		s.device.hazards.Order(o, &uses[i])
	}
	return o
}

// usable returns an error when no work can be queued: the runtime is closed, the device was abandoned, or a fault of
// the device was returned before.
func (d *device) usable() error {
	switch {
	case d.runtime.closed:
		return driver.ErrorDeinitialized
	case d.runtime.host.Abandoned():
		return order.ErrAbandoned
	}
	return d.streams.Faults.Known()
}

// stream checks a stream on which work is queued. It may belong to another device.
func (d *device) stream(s driver.Stream) (*stream, error) {
	st, err := d.open(s)
	if err == nil && st == st.device.null {
		err = d.runtime.captures.UseNull()
	}
	return st, err
}

// open checks a stream for an allocation, which HIP permits in the null stream also while others are captured.
func (d *device) open(s driver.Stream) (*stream, error) {
	st, ok := s.(*stream)
	if !ok || st.Closed() || st.device.runtime != d.runtime {
		return nil, driver.ErrorInvalidHandle
	}
	return st, st.device.usable()
}

// own checks a stream that must belong to the device.
func (d *device) own(s driver.Stream) (*stream, error) {
	st, err := d.stream(s)
	return st, d.checkOwn(st, err)
}

func (d *device) checkOwn(st *stream, err error) error {
	if err == nil && st.device != d {
		return driver.Faultf(driver.ErrorInvalidHandle, "stream %d belongs to device %d, not to device %d",
			st.ID(), st.device.index, d.index)
	}
	return err
}

// Synchronize waits for the work of the stream.
func (s *stream) Synchronize() error {
	if err := s.checkWait(); err != nil {
		return err
	}
	return s.device.wait(s.Pending()...)
}

// Query returns nil when the work of the stream is done; the host then counts as having waited for it.
func (s *stream) Query() error {
	if err := s.checkWait(); err != nil {
		return err
	}
	list := s.Pending()
	if !s.device.runtime.host.Reached(list...) {
		return driver.ErrorNotReady
	}
	return s.device.wait(list...)
}

func (s *stream) checkWait() error {
	if s.Closed() {
		return driver.ErrorInvalidHandle
	}
	return s.branch.CheckWait()
}

// WaitEvent queues a mark that waits for the event as it was last recorded.
func (s *stream) WaitEvent(e driver.Event) error {
	ev, ok := e.(*event)
	if !ok || s.Closed() {
		return driver.ErrorInvalidHandle
	}
	if s.branch.Captured() || ev.captured.Captured() {
		return s.branch.WaitEvent(&ev.captured, ev.mark)
	}
	if _, err := s.device.stream(s); err != nil {
		return err
	}
	if ev.mark != nil {
		s.Enqueue(s.device.runtime.locate(), nil, ev.mark)
	}
	return nil
}

// Destroy ends the stream. Its goroutine finishes the queued work.
func (s *stream) Destroy() error {
	if s.Closed() || s == s.device.null {
		return driver.ErrorInvalidHandle
	}
	s.branch.Leave()
	s.Close()
	return nil
}

func (d *device) LaunchHostFunc(s driver.Stream, run func(at driver.Site)) error {
	st, err := d.own(s)
	if err != nil {
		return err
	}
	if st.branch.Captured() {
		return st.branch.Add(&capture.Node{Kind: driver.NodeHost,
			Replay: func(s driver.Stream, _ func(driver.Site) driver.Timer) error { return d.queueHost(s, run) }})
	}
	return d.queueHost(st, run)
}

func (d *device) queueHost(s driver.Stream, run func(at driver.Site)) error {
	s.(*stream).EnqueueFunction(d.runtime.locate(), run)
	return nil
}

// event marks a point of a stream. mark is nil until the event is recorded in a stream that is not captured.
type event struct {
	device   *device
	mark     *order.Operation
	captured capture.Event
}

// NewEvent makes an event that is not recorded yet.
func (d *device) NewEvent() (driver.Event, error) { return &event{device: d}, nil }

// Record moves the event to the end of the work that is queued in the stream.
func (e *event) Record(s driver.Stream) error {
	st, err := e.device.own(s)
	if other, ok := s.(*stream); ok && err != nil && other.branch.Captured() {
		st, err = other, nil // HIP checks the device only for work that is not captured
	}
	if err != nil {
		return err
	}
	if !st.branch.Captured() {
		e.captured = capture.Event{}
		e.mark = st.Enqueue(e.device.runtime.locate(), nil)
		return nil
	}
	point, err := st.branch.Record()
	if err == nil {
		e.mark, e.captured = nil, point
	}
	return err
}

// Synchronize waits until the stream has reached the event. It does not wait for an event that was never recorded.
func (e *event) Synchronize() error {
	if err := e.device.runtime.captures.CheckWait(&e.captured); err != nil {
		return err
	}
	return e.wait()
}

func (e *event) wait() error {
	if e.mark == nil {
		return e.device.wait()
	}
	return e.device.wait(e.mark)
}

// Query returns nil when the stream has reached the event; the host then counts as having waited for it.
func (e *event) Query() error {
	if err := e.device.runtime.captures.CheckWait(&e.captured); err != nil {
		return err
	}
	if e.mark != nil && !e.device.runtime.host.Reached(e.mark) {
		return driver.ErrorNotReady
	}
	return e.wait()
}

// Since returns the time between two events that were both reached.
func (e *event) Since(earlier driver.Event) (time.Duration, error) {
	from, err := earlier.(*event).reached()
	if err != nil {
		return 0, err
	}
	to, err := e.reached()
	return to - from, err
}

// reached returns when the stream reached the event.
func (e *event) reached() (time.Duration, error) {
	switch {
	case e.mark == nil:
		return 0, driver.Faultf(driver.ErrorInvalidHandle, "the event was never recorded")
	case e.device.runtime.time == nil && e.mark.Done() || e.device.runtime.host.Reached(e.mark):
		return e.mark.Finished(), nil
	}
	return 0, driver.ErrorNotReady
}

// Destroy does nothing: streams that wait for the event refer to its mark.
func (e *event) Destroy() error { return nil }
