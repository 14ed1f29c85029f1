package cpu

import (
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

// LaunchHostFunc implements driver.HostLauncher.
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

// queueHost queues a function of the host.
func (d *device) queueHost(s driver.Stream, run func(at driver.Site)) error {
	s.(*stream).EnqueueFunction(d.runtime.locate(), run)
	return nil
}
