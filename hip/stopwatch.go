package hip

import (
	"errors"
	"time"

	"roclua/hip/driver"
)

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
