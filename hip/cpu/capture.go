package cpu

import (
	"slices"

	"roclua/hip/driver"
)

// capture is a capture sequence: a graph that is being built from the work of its streams.
type capture struct {
	id      uint64
	mode    driver.CaptureMode
	begun   driver.Site
	origin  *stream
	streams []*stream // that take part, the origin first; a node refers to them by index
	nodes   []*graphNode
	invalid *driver.Site // the call that invalidated it; nil before
	ended   bool
}

// BeginCapture implements driver.Capturer.
func (d *device) BeginCapture(s driver.Stream, mode driver.CaptureMode) error {
	st, ok := s.(*stream)
	switch rt := d.runtime; {
	case !ok || st.destroyed:
		return driver.ErrorInvalidHandle
	case rt.closed:
		return driver.ErrorDeinitialized
	case st == st.device.null:
		return driver.Faultf(driver.ErrorCaptureUnsupported, "the null stream cannot be captured")
	case !mode.Valid():
		return driver.Faultf(driver.ErrorInvalidValue, "%d is not a mode of a capture", int(mode))
	case st.capture != nil:
		return driver.Faultf(driver.ErrorIllegalState, "stream %d is already captured, since %s", st.id,
			st.capture.begun)
	default:
		rt.captureID++
		c := &capture{id: rt.captureID, mode: mode, begun: rt.locate(), origin: st}
		c.join(st, nil)
		rt.captures = append(rt.captures, c)
		return nil
	}
}

// join makes a stream part of the capture. Its next node depends on the given ones.
func (c *capture) join(st *stream, after []int) {
	st.capture, st.branch, st.tail = c, len(c.streams), slices.Clone(after)
	c.streams = append(c.streams, st)
}

// EndCapture implements driver.Capturer.
func (d *device) EndCapture(s driver.Stream) (driver.Graph, error) {
	st, ok := s.(*stream)
	if !ok || st.destroyed {
		return nil, driver.ErrorInvalidHandle
	}
	c := st.capture
	switch {
	case c == nil:
		return nil, driver.ErrorIllegalState
	case st != c.origin:
		return nil, driver.Faultf(driver.ErrorCaptureUnmatched,
			"the capture began in stream %d by %s, not in stream %d", c.origin.id, c.begun, st.id)
	}
	c.end()
	if c.invalid != nil {
		c.discard()
		return nil, c.invalidated()
	}
	if left := c.unjoined(st.tail); left != nil {
		c.discard()
		return nil, driver.Faultf(driver.ErrorCaptureUnjoined,
			"%s in stream %d is not ordered before the end of the capture, which began by %s: record an event in the "+
				"stream and wait for it in stream %d", left.site, c.streams[left.branch].id, c.begun, st.id)
	}
	st.tail = nil
	return &graph{runtime: d.runtime, nodes: c.nodes, streams: len(c.streams), made: d.runtime.locate()}, nil
}

// end takes all streams out of the capture. The tail of the origin stays.
func (c *capture) end() {
	c.ended = true
	for _, st := range c.streams {
		if st.capture == c {
			st.capture = nil
		}
	}
	rt := c.origin.device.runtime
	rt.captures = slices.DeleteFunc(rt.captures, func(other *capture) bool { return other == c })
}

// discard frees what the nodes reserved.
func (c *capture) discard() {
	c.origin.tail = nil
	for _, n := range c.nodes {
		n.unreserve()
	}
}

// leave takes a stream that is destroyed out of its capture, which ends if it began in the stream.
func (s *stream) leave() {
	c := s.capture
	if c == nil {
		return
	}
	if s == c.origin {
		c.end()
		c.discard()
		return
	}
	s.capture, s.tail = nil, nil
}

// unjoined returns a node without successor that is not one of the last ones of the origin; nil for none.
func (c *capture) unjoined(tail []int) *graphNode {
	last := make([]bool, len(c.nodes))
	for i := range last {
		last[i] = true
	}
	for _, n := range c.nodes {
		for _, earlier := range n.after {
			last[earlier] = false
		}
	}
	for i, n := range c.nodes {
		if last[i] && !slices.Contains(tail, i) {
			return n
		}
	}
	return nil
}

// add adds a node to the capture of a stream.
func (s *stream) add(n *graphNode) error {
	c := s.capture
	if c.invalid != nil {
		return c.invalidated()
	}
	n.branch, n.after = s.branch, s.tail
	s.tail = []int{len(c.nodes)}
	c.nodes = append(c.nodes, n)
	return nil
}

// record captures an event: it marks the nodes that the stream's next node depends on.
func (s *stream) record(e *event) error {
	if s.capture.invalid != nil {
		return s.capture.invalidated()
	}
	e.mark, e.captured, e.after = nil, s.capture, slices.Clone(s.tail)
	return nil
}

// active returns the capture in which the event was last recorded, or nil if it has ended.
func (e *event) active() *capture {
	if e.captured == nil || e.captured.ended {
		return nil
	}
	return e.captured
}

// waitCaptured makes the stream wait for an event, where one of them is captured. A stream that waits for a captured
// event becomes part of the capture.
func (s *stream) waitCaptured(e *event) error {
	from := e.active()
	switch {
	case from != nil && from.invalid != nil:
		return from.invalidated()
	case s.capture != nil && s.capture.invalid != nil:
		return s.capture.invalidated()
	case from == nil && e.mark == nil:
		return nil
	case from == nil:
		return s.capture.invalidate(driver.ErrorCaptureIsolation,
			"an event that is not captured cannot be waited for in captured stream %d", s.id)
	case s == s.device.null:
		return from.invalidate(driver.ErrorCaptureImplicit, "the null stream cannot wait for a captured event")
	case s.capture == nil:
		from.join(s, e.after)
		return nil
	case s.capture != from:
		s.capture.invalidate(driver.ErrorCaptureMerge, "")
		return from.invalidate(driver.ErrorCaptureMerge, "the event belongs to another capture than stream %d", s.id)
	}
	for _, n := range e.after {
		if !slices.Contains(s.tail, n) {
			s.tail = append(slices.Clone(s.tail), n)
		}
	}
	return nil
}

// CaptureInfo implements driver.Capturer.
func (d *device) CaptureInfo(s driver.Stream) (driver.CaptureStatus, uint64, error) {
	st, ok := s.(*stream)
	switch {
	case !ok || st.destroyed:
		return 0, 0, driver.ErrorInvalidHandle
	case st == st.device.null:
		if c := d.runtime.blockingCapture(); c != nil {
			return 0, 0, driver.Faultf(driver.ErrorCaptureImplicit, "the null stream has no status while stream %d is "+
				"captured, since %s: it is not a non-blocking stream", c.origin.id, c.begun)
		}
		return driver.CaptureNone, 0, nil
	case st.capture == nil:
		return driver.CaptureNone, 0, nil
	case st.capture.invalid != nil:
		return driver.CaptureInvalidated, 0, nil
	}
	return driver.CaptureActive, st.capture.id, nil
}

// ExchangeCaptureMode implements driver.Capturer. The host is one thread.
func (d *device) ExchangeCaptureMode(mode driver.CaptureMode) (driver.CaptureMode, error) {
	if !mode.Valid() {
		return 0, driver.Faultf(driver.ErrorInvalidValue, "%d is not a mode of a capture", int(mode))
	}
	before := d.runtime.captureMode
	d.runtime.captureMode = mode
	return before, nil
}
