package hip

import (
	"errors"
	"time"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

// Event marks a point of a stream.
type Event struct {
	object
	device *Device
	driver driver.Event
}

// NewEvent implements hipEventCreate.
func (d *Device) NewEvent() (*Event, error) {
	driven, err := ask(d, "hipEventCreate", d.driver.NewEvent)
	if err != nil {
		return nil, err
	}
	e := &Event{device: d, driver: driven}
	d.host.created(eventKind, e)
	return e, nil
}

// NullEvent returns the null event.
func (d *Device) NullEvent() *Event {
	return &Event{object: object{null: driver.ErrorInvalidHandle}, device: d}
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
		if driver.CodeOf(err) == driver.ErrorInvalidHandle && s.device != e.device {
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

// Stopwatch measures how long a stream takes for work. Its calls are not recorded.
type Stopwatch struct {
	stream      *Stream
	start, stop driver.Event
	flush       driver.Ptr // memory that is written to flush caches; 0 before
	flushBytes  uint64
}

// flushBytes is more than the caches of any device hold: the largest one is the 256 MiB of a gfx942.
const flushBytes = 512 << 20

// FlushCaches queues writes to so much memory that the caches of the device hold nothing else afterwards.
func (w *Stopwatch) FlushCaches() (err error) {
	d := w.stream.device.driver
	if w.flush == 0 {
		bytes := min(flushBytes, w.stream.device.FreeBytes()/2)
		if w.flush, err = d.Malloc(bytes); err != nil {
			return err
		}
		w.flushBytes = bytes
	}
	return d.Fill(w.stream.driver, w.flush, 0, w.flushBytes)
}

// NewStopwatch returns a stopwatch for a stream of the device.
func (d *Device) NewStopwatch(s *Stream) (*Stopwatch, error) {
	s, err := d.stream(s)
	if err != nil {
		return nil, err
	}
	w := &Stopwatch{stream: s}
	if w.start, err = s.device.driver.NewEvent(); err != nil {
		return nil, err
	}
	if w.stop, err = s.device.driver.NewEvent(); err != nil {
		return nil, errors.Join(err, w.start.Destroy())
	}
	return w, nil
}

// Start marks the work that is queued so far: the time counts from its end.
func (w *Stopwatch) Start() error { return w.start.Record(w.stream.driver) }

// Stop waits until the stream has done the work that is queued, and returns the time that it took since Start.
func (w *Stopwatch) Stop() (time.Duration, error) {
	if err := w.stop.Record(w.stream.driver); err != nil {
		return 0, err
	}
	if err := w.stop.Synchronize(); err != nil {
		return 0, err
	}
	return w.stop.Since(w.start)
}

// Destroy frees the events of the stopwatch.
func (w *Stopwatch) Destroy() error {
	err := errors.Join(w.start.Destroy(), w.stop.Destroy())
	if w.flush != 0 {
		err = errors.Join(err, w.stream.device.driver.Free(w.flush))
	}
	return err
}
