package hip

import (
	"roclua/hip/driver"
	"roclua/hip/trace"
)

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
		s.capture = host.captures.begin(host.site)
		return nil
	})
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
	if !s.device.Capturing() || s.isNull() || s.destroyed != nil {
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

// ExchangeCaptureMode implements hipThreadExchangeStreamCaptureMode: it sets the mode of the thread and returns the
// mode before.
func (d *gpu) ExchangeCaptureMode(mode driver.CaptureMode) (before driver.CaptureMode, err error) {
	err = d.call(&trace.Call{Name: "hipThreadExchangeStreamCaptureMode"}, func() error {
		c, err := d.capturer()
		if err == nil {
			before, err = c.ExchangeCaptureMode(mode)
		}
		return err
	})
	return before, err
}
