package capture

import (
	"slices"

	"roclua/hip/cpu/order"
	"roclua/hip/driver"
)

// Branch is the part of a stream in a capture.
type Branch struct {
	captures *Captures
	stream   *order.Stream
	capture  *Capture // nil while the stream is not captured
	index    int      // in the capture
	tail     []int    // the nodes that the next node depends on
}

// Branch returns the branch of a stream, which is not captured.
func (s *Captures) Branch(stream *order.Stream) Branch { return Branch{captures: s, stream: stream} }

// Captured reports whether the stream is captured.
func (b *Branch) Captured() bool { return b.capture != nil }

// Begin begins a capture in the stream.
func (b *Branch) Begin(mode driver.CaptureMode) error {
	s := b.captures
	switch {
	case b.stream.IsNull():
		return driver.Faultf(driver.ErrorCaptureUnsupported, "the null stream cannot be captured")
	case !mode.Valid():
		return invalidMode(mode)
	case b.capture != nil:
		return driver.Faultf(driver.ErrorIllegalState, "stream %d is already captured, since %s", b.stream.ID(),
			b.capture.begun)
	}
	s.last++
	c := &Capture{captures: s, id: s.last, mode: mode, thread: s.Thread, begun: s.Locate()}
	c.join(b, nil)
	s.active = append(s.active, c)
	return nil
}

func invalidMode(mode driver.CaptureMode) error {
	return driver.Faultf(driver.ErrorInvalidValue, "%d is not a mode of a capture", int(mode))
}

// End ends the capture that began in the stream. It returns the captured nodes and the number of streams.
func (b *Branch) End() (nodes []*Node, streams int, err error) {
	c := b.capture
	switch {
	case c == nil:
		return nil, 0, driver.ErrorIllegalState
	case b != c.origin():
		return nil, 0, driver.Faultf(driver.ErrorCaptureUnmatched,
			"the capture began in stream %d by %s, not in stream %d", c.origin().stream.ID(), c.begun, b.stream.ID())
	case c.mode != driver.CaptureRelaxed && c.thread != b.captures.Thread && !c.thread.Ended:
		return nil, 0, driver.Faultf(driver.ErrorCaptureWrongThread,
			"another thread began the capture, by %s, and only relaxed captures can be ended by others", c.begun)
	}
	c.end()
	if c.invalid != nil {
		c.discard()
		return nil, 0, c.invalidated()
	}
	if left := c.unjoined(b.tail); left != nil {
		c.discard()
		return nil, 0, driver.Faultf(driver.ErrorCaptureUnjoined,
			"%s in stream %d is not ordered before the end of the capture, which began by %s: record an event in the "+
				"stream and wait for it in stream %d",
			left.Site, c.branches[left.Branch].stream.ID(), c.begun, b.stream.ID())
	}
	b.tail = nil
	return c.nodes, len(c.branches), nil
}

// Leave takes a stream that is destroyed out of its capture, which ends if it began in the stream.
func (b *Branch) Leave() {
	c := b.capture
	if c == nil {
		return
	}
	if b == c.origin() {
		c.end()
		c.discard()
		return
	}
	b.capture, b.tail = nil, nil
}

// Add adds a node to the capture of the stream. The site of the node is the current call.
func (b *Branch) Add(n *Node) error {
	if err := b.Err(); err != nil {
		return err
	}
	c := b.capture
	n.Site, n.Branch, n.After = b.captures.Locate(), b.index, b.tail
	b.tail = []int{len(c.nodes)}
	c.nodes = append(c.nodes, n)
	if n.Memory != nil {
		n.Memory.Keep()
	}
	return nil
}

// Err returns the error of work for a capture that was invalidated.
func (b *Branch) Err() error {
	if b.capture.invalid == nil {
		return nil
	}
	return b.capture.invalidated()
}

// Last returns the last node of the capture, if the next node depends on it alone.
func (b *Branch) Last() *Node {
	if len(b.tail) != 1 {
		return nil
	}
	return b.capture.nodes[b.tail[0]]
}

// Info returns the status and the identifier of the capture of the stream.
func (b *Branch) Info() (driver.CaptureStatus, uint64, error) {
	switch {
	case b.stream.IsNull():
		if c := b.captures.blocking(); c != nil {
			return 0, 0, driver.Faultf(driver.ErrorCaptureImplicit, "the null stream has no status while stream %d is "+
				"captured, since %s: it is not a non-blocking stream", c.origin().stream.ID(), c.begun)
		}
		return driver.CaptureNone, 0, nil
	case b.capture == nil:
		return driver.CaptureNone, 0, nil
	case b.capture.invalid != nil:
		return driver.CaptureInvalidated, 0, nil
	}
	return driver.CaptureActive, b.capture.id, nil
}

// Event is a captured point of a stream.
type Event struct {
	capture *Capture // of the latest recording; nil for a stream that was not captured
	after   []int    // nodes of the capture before the event
}

// Record returns an event after the work of the stream that was captured so far.
func (b *Branch) Record() (Event, error) {
	return Event{b.capture, slices.Clone(b.tail)}, b.Err()
}

// active returns the capture of the latest recording, or nil if it has ended.
func (e *Event) active() *Capture {
	if e.capture == nil || e.capture.ended {
		return nil
	}
	return e.capture
}

// Captured reports whether the event was last recorded in a capture that has not ended.
func (e *Event) Captured() bool { return e.active() != nil }

// WaitEvent makes the stream wait for an event; the stream or the event is captured. A stream that waits for a captured
// event becomes part of the capture. An event that is not captured has a mark if it was recorded.
func (b *Branch) WaitEvent(e *Event, mark *order.Operation) error {
	from := e.active()
	switch {
	case from != nil && from.invalid != nil:
		return from.invalidated()
	case b.capture != nil && b.capture.invalid != nil:
		return b.capture.invalidated()
	case from == nil && mark == nil:
		return nil
	case from == nil:
		return b.capture.invalidate(driver.ErrorCaptureIsolation,
			"an event that is not captured cannot be waited for in captured stream %d", b.stream.ID())
	case b.stream.IsNull():
		return from.invalidate(driver.ErrorCaptureImplicit, "the null stream cannot wait for a captured event")
	case b.capture == nil:
		from.join(b, e.after)
		return nil
	case b.capture != from:
		b.capture.invalidate(driver.ErrorCaptureMerge, "")
		return from.invalidate(driver.ErrorCaptureMerge, "the event belongs to another capture than stream %d",
			b.stream.ID())
	}
	for _, n := range e.after {
		if !slices.Contains(b.tail, n) {
			b.tail = append(slices.Clone(b.tail), n)
		}
	}
	return nil
}
