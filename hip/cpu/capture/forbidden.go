package capture

import "roclua/hip/driver"

// The errors of calls that HIP does not permit while a stream is captured, and the captures that they invalidate. Each
// check costs a comparison while nothing is captured.

// invalidate invalidates the capture and returns the error of the current call, which says so.
func (c *Capture) invalidate(code driver.Error, format string, args ...any) error {
	site := c.captures.Locate()
	if c.invalid == nil {
		c.invalid = &site
	}
	f := driver.Faultf(code, format, args...)
	f.Detail += "; it invalidates " + c.String()
	return f
}

func (c *Capture) invalidated() error {
	return driver.Faultf(driver.ErrorCaptureInvalidated, "%s was invalidated by %s", c, c.invalid)
}

// forbid invalidates captures and returns the error of the current call, or nil if there are none.
func (s *Captures) forbid(code driver.Error, affected func(*Capture) bool) (err error) {
	for _, c := range s.active {
		if affected(c) {
			e := c.invalidate(code, "%s is not permitted while a stream is captured", s.Locate().Call)
			if err == nil {
				err = e
			}
		}
	}
	return err
}

func all(*Capture) bool { return true }

func global(c *Capture) bool { return c.mode == driver.CaptureGlobal }

// own reports whether the thread began the capture, in a mode that does not permit all calls.
func own(c *Capture) bool { return c.mode != driver.CaptureRelaxed && c.thread == c.captures.Thread }

// UnsafeCall checks a potentially unsafe call. The captures of the thread forbid it. If there are none, the global ones
// of others do, to which only a thread in global mode pays attention. The relaxed mode permits it.
func (s *Captures) UnsafeCall() error {
	mode := s.Thread.mode
	if len(s.active) == 0 || mode == driver.CaptureRelaxed {
		return nil
	}
	err := s.forbid(driver.ErrorCaptureUnsupported, own)
	if err == nil && mode == driver.CaptureGlobal {
		err = s.forbid(driver.ErrorCaptureUnsupported, global)
	}
	return err
}

// outsideWait checks a wait for work that is not captured, or a query of it. HIP looks for global captures first: those
// of the thread, in thread-local mode, forbid the call only if there are none.
func (s *Captures) outsideWait() error {
	mode := s.Thread.mode
	if len(s.active) == 0 || mode == driver.CaptureRelaxed {
		return nil
	}
	if mode == driver.CaptureGlobal || s.WaitsFindGlobal {
		if err := s.forbid(driver.ErrorCaptureUnsupported, global); err != nil {
			return err
		}
	}
	return s.forbid(driver.ErrorCaptureUnsupported, own)
}

// WaitForDevice checks a call that waits for the whole device, which no mode permits.
func (s *Captures) WaitForDevice() error { return s.forbid(driver.ErrorCaptureUnsupported, all) }

// HostCopy checks a copy that waits for the null stream.
func (s *Captures) HostCopy() error { return s.forbid(driver.ErrorCaptureImplicit, all) }

// UseNull checks work of the null stream, which would wait for captured blocking streams.
func (s *Captures) UseNull() error {
	return s.forbid(driver.ErrorCaptureImplicit, (*Capture).blocks)
}

// SetMode sets the mode of the thread and returns the previous one.
func (s *Captures) SetMode(mode driver.CaptureMode) (driver.CaptureMode, error) {
	if !mode.Valid() {
		return 0, invalidMode(mode)
	}
	before := s.Thread.mode
	s.Thread.mode = mode
	return before, nil
}

// blocking returns an active capture of a blocking stream, or nil.
func (s *Captures) blocking() *Capture {
	for _, c := range s.active {
		if c.blocks() {
			return c
		}
	}
	return nil
}

// blocks reports whether the null stream would wait for a stream of the capture.
func (c *Capture) blocks() bool {
	if c.invalid != nil {
		return false
	}
	for _, b := range c.branches {
		if b.capture == c && b.stream.Blocking() {
			return true
		}
	}
	return false
}

// CheckWait checks a wait for the stream, or a query of it.
func (b *Branch) CheckWait() error {
	s := b.captures
	switch {
	case len(s.active) == 0:
		return nil
	case b.capture != nil:
		return b.capture.invalidate(driver.ErrorCaptureUnsupported, "%s of captured stream %d", s.Locate().Call,
			b.stream.ID())
	case b.stream.IsNull():
		return s.UseNull()
	}
	return s.outsideWait()
}

// CheckWait checks a wait for the event, or a query of it.
func (s *Captures) CheckWait(e *Event) error {
	if c := e.active(); c != nil {
		return c.invalidate(driver.ErrorCapturedEvent, "%s of an event that is captured", s.Locate().Call)
	}
	return s.outsideWait()
}
