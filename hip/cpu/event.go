package cpu

import (
	"time"

	"roclua/hip/cpu/capture"
	"roclua/hip/cpu/order"
	"roclua/hip/driver"
)

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
	return to.Sub(from), err
}

// reached returns when the stream reached the event.
func (e *event) reached() (time.Time, error) {
	switch {
	case e.mark == nil:
		return time.Time{}, driver.Faultf(driver.ErrorInvalidHandle, "the event was never recorded")
	case e.mark.Done() || e.device.runtime.host.Reached(e.mark):
		return e.mark.Finished(), nil
	}
	return time.Time{}, driver.ErrorNotReady
}

// Destroy does nothing: streams that wait for the event refer to its mark.
func (e *event) Destroy() error { return nil }
