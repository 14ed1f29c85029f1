package cpu

import "roclua/hip/driver"

// hostCopy is a copy to host memory. Device memory has a history of its uses; host memory has none, because the device
// does not know when the host frees it.
type hostCopy struct{ *operation }

// LastCopy returns the work that was queued last on a stream. A captured copy is not queued.
func (d *device) LastCopy(s driver.Stream) driver.HostCopy {
	st := s.(*stream)
	if st.capture != nil || st.last == nil {
		return nil
	}
	return hostCopy{st.last}
}

// Conflicts reports whether a use of the memory is not ordered after the copy, and waits for the copy if so. The clock
// of the host does not change: the hazard is reported once, and other hazards are still found.
func (c hostCopy) Conflicts(s driver.Stream) bool {
	rt := c.stream.device.runtime
	point := rt.host
	if s != nil {
		point = s.(*stream).nextClock()
	}
	if c.before(point) {
		return false
	}
	rt.await(c.done) // an error means that the case has ended
	return true
}

// nextClock returns the clock of the next operation of the stream.
func (s *stream) nextClock() clock {
	next := s.clock.with(s.slot, s.number).join(s.device.runtime.host)
	for _, other := range s.legacyOrder() {
		if other.last != nil {
			next = next.join(other.last.clock)
		}
	}
	return next
}
