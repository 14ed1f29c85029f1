package hip

import (
	"slices"

	"roclua/hip/driver"
)

// captureRecord describes a capture for error messages: who began it, and which call invalidated it.
type captureRecord struct {
	begun       driver.Site
	invalidated *driver.Site
	ended       *driver.Site
}

// capturer returns the device as a platform that captures streams.
func (d *gpu) capturer() (driver.Capturer, error) {
	if c, ok := d.driver.(driver.Capturer); ok {
		return c, nil
	}
	return nil, driver.Faultf(driver.ErrorNotSupported, "platform %s does not capture streams", d.rt.platform)
}

// captureCall makes a call that names the stream, by the platform of its device that captures streams.
func (s *Stream) captureCall(name string, do func(driver.Capturer) error) error {
	return s.call(name, false, func() error {
		c, err := s.device.capturer()
		if err != nil {
			return err
		}
		return do(c)
	})
}

// BeginCapture implements hipStreamBeginCapture: work that is queued in the stream from now on becomes the nodes of a
// graph and does not run. The null stream cannot be captured.
func (s *Stream) BeginCapture(mode driver.CaptureMode) error {
	return s.captureCall("hipStreamBeginCapture", func(c driver.Capturer) error {
		rt := s.device.rt
		if err := c.BeginCapture(s.driver, mode); err != nil {
			if s.capture != nil && s.capture.ended == nil {
				return driver.WithDetail(err, "the capture that %s began has not ended", s.capture.begun)
			}
			return err
		}
		s.capture = &captureRecord{begun: rt.site}
		rt.captures = append(rt.captures, s.capture)
		return nil
	})
}

// EndCapture implements hipStreamEndCapture. After an error there is no graph.
func (s *Stream) EndCapture() (*Graph, error) {
	g := &Graph{device: s.device}
	err := s.captureCall("hipStreamEndCapture", func(c driver.Capturer) (err error) {
		g.driver, err = c.EndCapture(s.driver)
		if err == nil {
			g.nodes, err = g.driver.Nodes()
		}
		return s.explainEnd(err)
	})
	if err != nil {
		return nil, err
	}
	rt := s.device.rt
	g.createdBy, g.cause = rt.site, rt.cause
	g.capture = s.capture
	rt.open.addGraph(g)
	return g, nil
}

// explainEnd records the end of the stream's capture, and adds to an error what is known about it.
func (s *Stream) explainEnd(err error) error {
	c, rt := s.capture, s.device.rt
	switch code := driver.CodeOf(err); {
	case code == driver.ErrorCaptureUnmatched || code == driver.ErrorCaptureWrongThread:
		return err
	case c == nil && code == driver.ErrorIllegalState:
		return driver.WithDetail(err, "stream %d is not captured", s.ID())
	case c == nil || c.ended != nil && code != driver.ErrorIllegalState:
		return err
	case c.ended != nil:
		return driver.WithDetail(err, "stream %d is not captured: the capture that %s began was ended by %s", s.ID(),
			c.begun, c.ended)
	default:
		site := rt.site
		c.ended = &site
		rt.captures = slices.DeleteFunc(rt.captures, func(other *captureRecord) bool { return other == c })
		if code == driver.ErrorCaptureInvalidated && c.invalidated != nil {
			return driver.WithDetail(err, "the capture that %s began was invalidated by %s", c.begun, c.invalidated)
		}
		return err
	}
}

// noteCaptures records the current call as the one that invalidated captures, if its error says so.
func (rt *Runtime) noteCaptures(code driver.Error) {
	if code < driver.ErrorCaptureUnsupported || code > driver.ErrorCaptureWrongThread ||
		code == driver.ErrorCaptureInvalidated || code == driver.ErrorCaptureUnmatched {
		return
	}
	for _, c := range rt.captures {
		if c.invalidated == nil {
			site := rt.site
			c.invalidated = &site
		}
	}
}

// IsCapturing implements hipStreamIsCapturing.
func (s *Stream) IsCapturing() (status driver.CaptureStatus, err error) {
	status, _, err = s.captureInfo("hipStreamIsCapturing")
	return status, err
}

// CaptureInfo implements hipStreamGetCaptureInfo: the status, and a number that identifies an active capture.
func (s *Stream) CaptureInfo() (status driver.CaptureStatus, id uint64, err error) {
	return s.captureInfo("hipStreamGetCaptureInfo")
}

func (s *Stream) captureInfo(name string) (status driver.CaptureStatus, id uint64, err error) {
	err = s.captureCall(name, func(c driver.Capturer) (err error) {
		status, id, err = c.CaptureInfo(s.driver)
		return err
	})
	return status, id, err
}

// Captured returns the number of the active capture of the stream, or 0. It makes no call of HIP that is recorded.
func (s *Stream) Captured() uint64 {
	_, id := s.captureState()
	return id
}

// captureState returns the status and the number of the capture of the stream, without a call that is recorded.
func (s *Stream) captureState() (driver.CaptureStatus, uint64) {
	if len(s.device.rt.captures) == 0 || s == s.device.null || s.destroyed != nil {
		return driver.CaptureNone, 0
	}
	c, err := s.device.capturer()
	if err != nil {
		return driver.CaptureNone, 0
	}
	status, id, err := c.CaptureInfo(s.driver)
	if err != nil {
		return driver.CaptureNone, 0
	}
	return status, id
}

// IsCaptured reports whether calls for the stream become nodes of a graph, or would if the capture were not
// invalidated; nil is the null stream. It makes no call of HIP that is recorded.
func (s *Stream) IsCaptured() bool {
	if s == nil {
		return false
	}
	status, _ := s.captureState()
	return status != driver.CaptureNone
}

// reserve records memory that a node of a graph allocates: launches allocate it, and a node can free it.
func (rt *Runtime) reserve(p driver.Ptr) {
	if rt.reserved == nil {
		rt.reserved = map[driver.Ptr]bool{}
	}
	if p != 0 {
		rt.reserved[p] = true
	}
}

// Capturing reports whether a capture has begun and not ended. While there is none, streams are not asked.
func (d *gpu) Capturing() bool { return len(d.rt.captures) > 0 }

// ExchangeCaptureMode implements hipThreadExchangeStreamCaptureMode: it sets the mode of the thread and returns the
// mode before.
func (d *gpu) ExchangeCaptureMode(mode driver.CaptureMode) (before driver.CaptureMode, err error) {
	err = d.rt.call(&Call{Name: "hipThreadExchangeStreamCaptureMode"}, func() error {
		c, err := d.capturer()
		if err == nil {
			before, err = c.ExchangeCaptureMode(mode)
		}
		return err
	})
	return before, err
}

// checkHostCopy returns the error of a copy for which the host waits, while a stream is captured.
func (d *gpu) checkHostCopy() error {
	if len(d.rt.captures) == 0 {
		return nil
	}
	c, err := d.capturer()
	if err != nil {
		return err
	}
	return c.CheckHostCopy()
}

// EndCaptures ends the captures that have not ended, without a call that is recorded, and returns the calls that began
// them. Their graphs are destroyed.
func (rt *Runtime) EndCaptures() []driver.Site {
	var open []driver.Site
	for _, s := range sortedByNumber(rt.open.streams) {
		if s.capture == nil || s.capture.ended != nil || rt.closed {
			continue
		}
		open = append(open, s.capture.begun)
		rt.site = driver.Site{Call: "the end of the case"}
		if c, err := s.device.capturer(); err == nil {
			if g, err := c.EndCapture(s.driver); err == nil {
				g.Destroy()
			}
		}
		s.explainEnd(nil)
	}
	return open
}
