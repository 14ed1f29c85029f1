package cpu

import (
	"fmt"

	"roclua/hip/driver"
)

// The errors of calls that HIP does not permit while a stream is captured, and which captures they invalidate. Each
// check costs a comparison while nothing is captured.

// String returns "the capture of stream 1 that hipStreamBeginCapture at x.lua:3 began".
func (c *capture) String() string {
	return fmt.Sprintf("the capture of stream %d that %s began", c.origin.id, c.begun)
}

// invalidate invalidates the capture and returns the error of the current call, which says so.
func (c *capture) invalidate(code driver.Error, format string, args ...any) error {
	rt := c.origin.device.runtime
	site := rt.locate()
	if c.invalid == nil {
		c.invalid = &site
	}
	f := driver.Faultf(code, format, args...)
	f.Detail += "; it invalidates " + c.String()
	return f
}

// invalidated returns the error of work for a capture that was invalidated.
func (c *capture) invalidated() error {
	return driver.Faultf(driver.ErrorCaptureInvalidated, "%s was invalidated by %s", c, c.invalid)
}

// forbidden invalidates captures and returns the error of the current call, or nil if there are none.
func (rt *runtime) forbidden(code driver.Error, affected func(*capture) bool) (err error) {
	for _, c := range rt.captures {
		if affected(c) {
			e := c.invalidate(code, "%s is not permitted while a stream is captured", rt.locate().Call)
			if err == nil {
				err = e
			}
		}
	}
	return err
}

// unsafeCall checks a potentially unsafe call, which only the relaxed mode permits.
func (rt *runtime) unsafeCall() error {
	if len(rt.captures) == 0 || rt.captureMode == driver.CaptureRelaxed {
		return nil
	}
	return rt.forbidden(driver.ErrorCaptureUnsupported, func(c *capture) bool {
		return c.mode != driver.CaptureRelaxed
	})
}

// waitForDevice checks a call that waits for the whole device, which no mode permits.
func (rt *runtime) waitForDevice() error {
	if len(rt.captures) == 0 {
		return nil
	}
	return rt.forbidden(driver.ErrorCaptureUnsupported, func(*capture) bool { return true })
}

// CheckHostCopy implements driver.Capturer.
func (d *device) CheckHostCopy() error {
	if len(d.runtime.captures) == 0 {
		return nil
	}
	return d.runtime.forbidden(driver.ErrorCaptureImplicit, func(*capture) bool { return true })
}

// useNull checks work of the null stream, which would wait for captured blocking streams.
func (rt *runtime) useNull() error {
	if rt.blockingCapture() == nil {
		return nil
	}
	return rt.forbidden(driver.ErrorCaptureImplicit, (*capture).blocks)
}

// blockingCapture returns an active capture of a blocking stream, or nil.
func (rt *runtime) blockingCapture() *capture {
	for _, c := range rt.captures {
		if c.blocks() {
			return c
		}
	}
	return nil
}

// blocks reports whether the null stream would wait for a stream of the capture.
func (c *capture) blocks() bool {
	if c.invalid != nil {
		return false
	}
	for _, s := range c.streams {
		if s.capture == c && s.blocking {
			return true
		}
	}
	return false
}

// waitForStream checks a wait for a stream, or a query of it.
func (s *stream) waitForStream() error {
	rt := s.device.runtime
	switch {
	case len(rt.captures) == 0:
		return nil
	case s.capture != nil:
		return s.capture.invalidate(driver.ErrorCaptureUnsupported, "%s of captured stream %d", rt.locate().Call, s.id)
	case s == s.device.null:
		return rt.useNull()
	}
	return rt.unsafeCall()
}

// waitForEvent checks a wait for an event, or a query of it.
func (e *event) waitForEvent() error {
	if c := e.active(); c != nil {
		return c.invalidate(driver.ErrorCapturedEvent, "%s of an event that is captured",
			e.device.runtime.locate().Call)
	}
	return e.device.runtime.unsafeCall()
}
