package hip

import (
	"fmt"
	"slices"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

// Stream is an ordered queue of work on one device.
type Stream struct {
	object
	device *Device
	driver driver.Stream
	number int // of Device.NamedStream; 0 for others

	holders []*Holder

	capture *captureRecord // the latest capture that began in the stream; nil before
}

// NullStream returns the stream that hipStream_t 0 names. It waits for all blocking streams, and they wait for it.
func (d *Device) NullStream() *Stream { return d.null }

// NewStream implements hipStreamCreate, or hipStreamCreateWithFlags for a non-blocking stream, which does not
// synchronize with the null stream.
func (d *Device) NewStream(nonBlocking bool) (*Stream, error) {
	c := &trace.Call{Name: "hipStreamCreate"}
	if nonBlocking {
		c.Name = "hipStreamCreateWithFlags"
	}
	s := &Stream{device: d}
	err := d.call(c, func() (err error) {
		if s.driver, err = d.driver.NewStream(nonBlocking); err != nil {
			return err
		}
		c.Stream, c.HasStream = s.driver.ID(), true
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.host.created(streamKind, s)
	return s, nil
}

// NamedStream returns the stream that hipStreamLegacy or hipStreamPerThread names by its number.
func (d *Device) NamedStream(number int) (*Stream, error) {
	place := &d.legacy
	if number == driver.StreamPerThread {
		place = d.host.perThread(d)
	}
	if *place != nil {
		return *place, nil
	}
	named, err := d.driver.NamedStream(number)
	if err == nil {
		*place = &Stream{device: d, driver: named, number: number}
	}
	return *place, err
}

// For returns the stream that the same name means while a device is the current one: its own null stream for the null
// stream. The names of other streams do not depend on the device.
func (s *Stream) For(d *Device) *Stream {
	switch {
	case s == s.device.null:
		return d.null
	case s.number != 0:
		if named, err := d.NamedStream(s.number); err == nil {
			return named
		}
	}
	return s
}

// Number returns the number of a stream of NamedStream, and 0 for others.
func (s *Stream) Number() int { return s.number }

// ID returns the stream's number in traces: 0 for the null stream, then 1, 2, ...
func (s *Stream) ID() int { return s.driver.ID() }

// Device returns the device that the stream belongs to.
func (s *Stream) Device() *Device { return s.device }

// Synchronize implements hipStreamSynchronize: it waits for the stream's work and returns the fault of a kernel.
func (s *Stream) Synchronize() error {
	return s.call("hipStreamSynchronize", true, s.driver.Synchronize)
}

// Query implements hipStreamQuery: it returns nil when the stream has no work left, ErrorNotReady otherwise.
func (s *Stream) Query() error { return s.call("hipStreamQuery", false, s.driver.Query) }

// misuseLimit is the number of misuses that are kept.
const misuseLimit = 4096

// Holder is the use of a stream by a handle of a library. The stream should not be destroyed before.
type Holder struct {
	Handle int // its number
	stream *Stream
	since  string // the line of the script that set the stream
}

// Hold sets the stream that the handle uses; nil for none.
func (h *Holder) Hold(s *Stream) {
	if h.stream != nil {
		h.stream.holders = slices.DeleteFunc(h.stream.holders, func(other *Holder) bool { return other == h })
	}
	if s != nil && s.permanent() {
		s = nil
	}
	if h.stream = s; s != nil {
		h.since = s.device.host.origin()
		s.holders = append(s.holders, h)
	}
}

// permanent reports whether the stream cannot be destroyed.
func (s *Stream) permanent() bool { return s == s.device.null || s.number != 0 }

// Destroy implements hipStreamDestroy. Queued work is still done. The null stream cannot be destroyed. The destruction
// of a stream that handles use is recorded: see Runtime.Misuses.
func (s *Stream) Destroy() error {
	return s.call("hipStreamDestroy", false, func() error {
		if s.permanent() {
			return driver.Faultf(driver.ErrorInvalidHandle,
				"the null stream and the stream of a thread cannot be destroyed")
		}
		host := s.device.host
		if err := host.destroy(streamKind, s, s.driver); err != nil {
			return err
		}
		for _, h := range s.holders {
			if len(host.misuses) < misuseLimit {
				host.misuses = append(host.misuses, fmt.Sprintf("%s destroyed stream %d of %s, which handle %d has "+
					"used since %s; set another stream of the handle first", s.destroyed, s.ID(), s.createdBy,
					h.Handle, h.since))
			}
		}
		s.holders = nil
		if s.Captures() {
			s.endCapture(nil)
		}
		return nil
	})
}

// Captures reports whether a capture began in the stream and has not ended. It does not ask HIP, and does not know of
// streams that joined a capture.
func (s *Stream) Captures() bool { return s.capture != nil && s.capture.ended == nil }

// isNull reports whether the stream is the null stream, by either of its names.
func (s *Stream) isNull() bool { return s == s.device.null || s.number == driver.StreamLegacy }

// Destroyed reports whether the stream was destroyed.
func (s *Stream) Destroyed() bool { return s.destroyed != nil }

// usable returns an error when the stream was destroyed.
func (s *Stream) usable() error {
	if s.destroyed == nil {
		return nil
	}
	return driver.Faultf(driver.ErrorInvalidHandle, "stream %d of %s was destroyed by %s", s.ID(), s.createdBy,
		s.destroyed)
}

// call makes a call that names the stream.
func (s *Stream) call(name string, synchronizing bool, do func() error) error {
	c := &trace.Call{Name: name, Stream: s.ID(), HasStream: true, Synchronizing: synchronizing}
	return s.device.call(c, func() error {
		if err := s.usable(); err != nil {
			return err
		}
		return do()
	})
}

// Driver returns the platform's stream, to be passed to the vendor's library.
func (s *Stream) Driver() driver.Stream { return s.driver }

// stream resolves the stream of a call: nil is the null stream, and a destroyed stream is an error. Passing a destroyed
// stream to a vendor's runtime would be undefined behavior.
func (d *Device) stream(s *Stream) (*Stream, error) {
	if s == nil {
		return d.null, nil
	}
	return s, s.usable()
}

// onStream queues work of a call in a stream. Its device does it, no matter which device is current, as in HIP.
func (d *Device) onStream(c *trace.Call, s *Stream, queue func(driver.Device, driver.Stream) error) error {
	s, err := d.stream(s)
	if err != nil {
		return err
	}
	s.named(c)
	return queue(s.device.driver, s.driver)
}

// endCapture records the end of the stream's capture, and adds details to an error.
func (s *Stream) endCapture(err error) error {
	return s.device.host.captures.end(s.capture, s.ID(), s.device.host.site, err)
}

func (s *Stream) named(c *trace.Call) { c.Device, c.Stream, c.HasStream = s.device.index, s.ID(), true }

// newKernel begins the record of a kernel in the stream, which the platform completes with its times.
func (s *Stream) newKernel(at driver.Site) *trace.Timed {
	return s.device.host.record.Kernel(at.Call, s.device.index, s.ID(), at.Origin)
}

// LaunchHostFunc implements hipLaunchHostFunc: work that is queued in the stream from now on waits until f has
// returned. f runs on the goroutine of the caller, during a later call that waits for the stream; when that is a wait
// for other work, it may run, too. HIP calls in f fail with ErrorNotPermitted. A captured function runs in each
// launch of the graph. Nil is the null stream.
func (d *Device) LaunchHostFunc(s *Stream, f func(HostRun)) error {
	c := &trace.Call{Name: "hipLaunchHostFunc"}
	return d.call(c, func() error {
		queued := d.host.site
		return d.onStream(c, s, func(on driver.Device, s driver.Stream) error {
			return on.LaunchHostFunc(s, func(at driver.Site) {
				if at.Call == "" {
					at = queued
				}
				d.host.runHostFunc(HostRun{at, d.host.site}, f)
			})
		})
	})
}
