package native

import (
	"time"
	"unsafe"

	"roclua/hip/driver"
)

// Stream is a stream of the runtime; the null stream has the handle 0.
type Stream struct {
	device *Device
	handle uintptr
	id     int
}

func handleOf(s driver.Stream) uintptr { return s.(*Stream).handle }

// Handle returns the runtime's handle, to be passed to the vendor's libraries.
func (s *Stream) Handle() uintptr { return s.handle }

const nonBlockingFlag = 1

// NewStream makes a stream.
func (d *Device) NewStream(nonBlocking bool) (driver.Stream, error) {
	flags := uintptr(0)
	if nonBlocking {
		flags = nonBlockingFlag
	}
	handle := new(uintptr)
	err := d.call("StreamCreateWithFlags", uintptr(unsafe.Pointer(handle)), flags)
	if err != nil {
		return nil, err
	}
	d.rt.streams++
	s := &Stream{d, *handle, d.rt.streams}
	d.streams[s] = true
	return s, nil
}

// NamedStream implements driver.Device: the number is the runtime's handle.
func (d *Device) NamedStream(number int) (driver.Stream, error) {
	s := &Stream{device: d, handle: uintptr(number)}
	if number == driver.StreamPerThread {
		d.rt.streams++
		s.id = d.rt.streams
	}
	return s, nil
}

// ID returns the stream's number.
func (s *Stream) ID() int { return s.id }

// Synchronize waits for the stream.
func (s *Stream) Synchronize() error {
	return s.device.wait("StreamSynchronize", s.handle)
}

// Query returns nil when the stream has no work left.
func (s *Stream) Query() error {
	s.device.rt.poll()
	return s.device.ask("StreamQuery", s.handle)
}

// WaitEvent makes further work wait for an event.
func (s *Stream) WaitEvent(e driver.Event) error {
	return s.device.queued("StreamWaitEvent", s.handle, e.(*Event).handle, 0)
}

// Destroy destroys the stream. Queued work is still done.
func (s *Stream) Destroy() error {
	delete(s.device.streams, s)
	s.device.rt.forget(s)
	return s.device.call("StreamDestroy", s.handle)
}

// Event is an event of the runtime.
type Event struct {
	device *Device
	handle uintptr
}

// NewEvent makes an event with timing.
func (d *Device) NewEvent() (driver.Event, error) {
	handle := new(uintptr)
	err := d.call("EventCreate", uintptr(unsafe.Pointer(handle)))
	if err != nil {
		return nil, err
	}
	e := &Event{d, *handle}
	d.events[e] = true
	return e, nil
}

// Record marks the work that is queued in the stream so far. The null stream is the one of its device.
func (e *Event) Record(s driver.Stream) error {
	return s.(*Stream).device.queued("EventRecord", e.handle, handleOf(s))
}

// Synchronize waits for the event.
func (e *Event) Synchronize() error {
	return e.device.wait("EventSynchronize", e.handle)
}

// Query returns nil when the stream has reached the event.
func (e *Event) Query() error {
	e.device.rt.poll()
	return e.device.ask("EventQuery", e.handle)
}

// Destroy destroys the event.
func (e *Event) Destroy() error {
	delete(e.device.events, e)
	return e.device.call("EventDestroy", e.handle)
}

// Since returns the time between an earlier event and this one.
func (e *Event) Since(earlier driver.Event) (time.Duration, error) {
	milliseconds := new(float32)
	err := e.device.call("EventElapsedTime", uintptr(unsafe.Pointer(milliseconds)), earlier.(*Event).handle, e.handle)
	return time.Duration(float64(*milliseconds) * float64(time.Millisecond)), err
}
