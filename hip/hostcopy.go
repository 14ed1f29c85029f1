package hip

import "roclua/hip/driver"

// HostCopy is a copy to host memory that was queued on a stream. Until the host has waited for it, a use of the memory
// by the host is a hazard.
type HostCopy struct {
	host   *host
	thread *Thread // that queued it, and uses the memory
	copy   driver.HostCopy
	use    driver.Use
	bytes  uint64
}

// LastHostCopy returns the copy of n bytes to host memory that the last call queued on a stream. If the stream is
// captured, that is the copy of the latest launch: see LaunchedOn. It returns nil if the platform does not detect
// hazards of host memory.
func (d copier) LastHostCopy(s *Stream, n uint64) *HostCopy {
	s, err := d.stream(s)
	if err != nil || n == 0 {
		return nil
	}
	copier, ok := s.device.driver.(driver.HostCopier)
	if !ok {
		return nil
	}
	last := copier.LastCopy(s.driver)
	if last == nil {
		return nil
	}
	site := d.host.site
	return &HostCopy{host: d.host, thread: d.host.Thread, copy: last, bytes: n,
		use: driver.Use{Call: site.Call, Stream: s.ID(), Write: true, Origin: site.Origin}}
}

// LaunchedOn returns a captured copy after its graph was launched on a stream. c may be nil; then the result is nil.
func (c *HostCopy) LaunchedOn(s *Stream) *HostCopy {
	if c == nil {
		return nil
	}
	launched := *c
	launched.use.Call, launched.use.Stream, launched.use.Origin = c.host.site.Call, s.ID(), c.host.site.Origin
	return &launched
}

// Bytes returns the size of the copy, from the begin of the memory.
func (c *HostCopy) Bytes() uint64 { return c.bytes }

// BeforeHostUse reports a hazard unless the host has waited for the copy. call names the use, which may begin when
// BeforeHostUse returns: the copy is done, or waits for the function of LaunchHostFunc that runs now. It reports
// whether the copy concerns no later use.
func (c *HostCopy) BeforeHostUse(call string) (settled bool) {
	c.thread.Enter()
	defer c.thread.Leave()
	conflict := c.copy.Conflicts(nil)
	if conflict {
		c.hazard(driver.Use{Call: call, Host: true, Origin: c.host.origin()})
	}
	return conflict || c.host.hostFunc == nil
}

// BeforeCopy reports a hazard unless another copy to the memory, to be queued on a stream, is ordered after the copy. A
// nil stream is the null stream.
func (c *HostCopy) BeforeCopy(call string, s *Stream) {
	stream, err := c.host.current.stream(s)
	if err == nil && c.copy.Conflicts(stream.driver) {
		c.hazard(driver.Use{Call: call, Stream: stream.ID(), Write: true, Origin: c.host.origin()})
	}
}

func (c *HostCopy) hazard(later driver.Use) {
	c.host.addHazard(driver.Hazard{Bytes: c.bytes, Earlier: c.use, Later: later})
}
