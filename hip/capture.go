package hip

import (
	"slices"

	"roclua/hip/driver"
)

// capturer returns the device as a platform that captures streams.
func (d *gpu) capturer() (driver.Capturer, error) {
	if c, ok := d.driver.(driver.Capturer); ok {
		return c, nil
	}
	return nil, driver.Faultf(driver.ErrorNotSupported, "platform %s does not capture streams", d.host.platform)
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
		host := s.device.host
		if err := c.BeginCapture(s.driver, mode); err != nil {
			if s.capture != nil && s.capture.ended == nil {
				return driver.WithDetail(err, "the capture that %s began has not ended", s.capture.begun)
			}
			return err
		}
		s.capture = &captureRecord{begun: host.site}
		host.captures = append(host.captures, s.capture)
		return nil
	})
}

// EndCapture implements hipStreamEndCapture. After an error there is no graph.
func (s *Stream) EndCapture() (*Graph, error) {
	g := &Graph{device: s.device.gpu}
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
	host := s.device.host
	g.capture = s.capture
	host.add(graphKind, g)
	return g, nil
}

// explainEnd records the end of the stream's capture, and adds to an error what is known about it.
func (s *Stream) explainEnd(err error) error {
	c, host := s.capture, s.device.host
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
		site := host.site
		c.ended = &site
		host.captures = slices.DeleteFunc(host.captures, func(other *captureRecord) bool { return other == c })
		if code == driver.ErrorCaptureInvalidated && c.invalidated != nil {
			return driver.WithDetail(err, "the capture that %s began was invalidated by %s", c.begun, c.invalidated)
		}
		return err
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
	if len(s.device.host.captures) == 0 || s.isNull() || s.destroyed != nil {
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

// CaptureStatus returns whether calls for the stream become nodes of a graph, or would if the capture were not
// invalidated; nil is the null stream. It makes no call of HIP that is recorded.
func (s *Stream) CaptureStatus() driver.CaptureStatus {
	if s == nil {
		return driver.CaptureNone
	}
	status, _ := s.captureState()
	return status
}

// Capturing reports whether a capture has begun and not ended. While there is none, streams are not asked.
func (d *gpu) Capturing() bool { return len(d.host.captures) > 0 }

// ExchangeCaptureMode implements hipThreadExchangeStreamCaptureMode: it sets the mode of the thread and returns the
// mode before.
func (d *gpu) ExchangeCaptureMode(mode driver.CaptureMode) (before driver.CaptureMode, err error) {
	err = d.call(&Call{Name: "hipThreadExchangeStreamCaptureMode"}, func() error {
		c, err := d.capturer()
		if err == nil {
			before, err = c.ExchangeCaptureMode(mode)
		}
		return err
	})
	return before, err
}

// checkHostCopy returns the error of a synchronous copy while a stream is captured.
func (d *gpu) checkHostCopy() error {
	if len(d.host.captures) == 0 {
		return nil
	}
	c, err := d.capturer()
	if err != nil {
		return err
	}
	return c.CheckHostCopy()
}
