package hip

import (
	"time"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

// Event marks a point of a stream.
type Event struct {
	object
	device *gpu
	driver driver.Event
}

// NewEvent implements hipEventCreate.
func (d *Device) NewEvent() (*Event, error) {
	c := &trace.Call{Name: "hipEventCreate"}
	e := &Event{device: d.gpu}
	err := d.call(c, func() (err error) {
		e.driver, err = d.driver.NewEvent()
		return err
	})
	if err != nil {
		return nil, err
	}
	d.host.created(eventKind, e)
	return e, nil
}

// NullEvent returns the null event.
func (d *Device) NullEvent() *Event {
	return &Event{object: object{null: driver.ErrorInvalidHandle}, device: d.gpu}
}

// Destroyed reports whether the event was destroyed.
func (e *Event) Destroyed() bool { return e.destroyed != nil }

// Record implements hipEventRecord: the event marks the work queued in the stream so far. Nil is the null stream of the
// event's device. Event and stream must belong to the same device, unless the stream is captured.
func (e *Event) Record(s *Stream) error {
	c := &trace.Call{Name: "hipEventRecord"}
	return e.call(c, func() error {
		s, err := e.device.stream(s)
		if err != nil {
			return err
		}
		s.named(c)
		err = e.driver.Record(s.driver)
		if driver.CodeOf(err) == driver.ErrorInvalidHandle && s.device.gpu != e.device {
			err = driver.Faultf(driver.ErrorInvalidHandle,
				"an event of device %d cannot be recorded in stream %d of device %d",
				e.device.index, s.ID(), s.device.index)
		}
		return err
	})
}

// WaitEvent implements hipStreamWaitEvent: work queued from now on waits for the event as it was last recorded. There
// is no wait for an event that was never recorded.
func (s *Stream) WaitEvent(e *Event) error {
	return s.call("hipStreamWaitEvent", false, func() error {
		if err := e.usable(); err != nil {
			return err
		}
		return s.driver.WaitEvent(e.driver)
	})
}

// Synchronize implements hipEventSynchronize: the host waits until the stream has reached the event.
func (e *Event) Synchronize() error {
	return e.call(&trace.Call{Name: "hipEventSynchronize", Synchronizing: true}, func() error {
		return e.driver.Synchronize()
	})
}

// Query implements hipEventQuery: it returns nil when the stream has reached the event, ErrorNotReady otherwise.
func (e *Event) Query() error {
	return e.call(&trace.Call{Name: "hipEventQuery"}, func() error { return e.driver.Query() })
}

// Destroy implements hipEventDestroy. Streams that wait for the event continue to wait.
func (e *Event) Destroy() error {
	return e.call(&trace.Call{Name: "hipEventDestroy"}, func() error {
		return e.device.host.destroy(eventKind, e, e.driver)
	})
}

// Elapsed implements hipEventElapsedTime: the milliseconds from one event to another. Both must have been recorded.
// ErrorNotReady means that a stream has not reached one of them.
func Elapsed(start, stop *Event) (milliseconds float64, err error) {
	err = start.call(&trace.Call{Name: "hipEventElapsedTime"}, func() error {
		if err := stop.usable(); err != nil {
			return err
		}
		elapsed, err := stop.driver.Since(start.driver)
		if start.device != stop.device {
			return driver.Faultf(driver.ErrorInvalidHandle, "the events belong to devices %d and %d",
				start.device.index, stop.device.index)
		}
		milliseconds = float64(elapsed) / float64(time.Millisecond)
		return err
	})
	return milliseconds, err
}

// usable returns an error when the event is null or was destroyed.
func (e *Event) usable() error {
	return e.object.usable(driver.ErrorInvalidHandle, "the event")
}

func (e *Event) call(c *trace.Call, do func() error) error {
	return e.device.call(c, func() error {
		if err := e.usable(); err != nil {
			return err
		}
		return do()
	})
}
