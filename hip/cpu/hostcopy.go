package cpu

import "roclua/hip/driver"

// hostCopy is a copy to host memory. Device memory has a history of its uses; host memory has none, because the device
// does not know when the host frees it.
type hostCopy struct{ *operation }

// capturedCopy is a captured copy to host memory: the one of the latest launch.
type capturedCopy struct{ *graphNode }

// LastCopy returns the work that was queued last on a stream, or the last node of a captured stream.
func (d *device) LastCopy(s driver.Stream) driver.HostCopy {
	switch st := s.(*stream); {
	case st.capture != nil && len(st.tail) == 1:
		return capturedCopy{st.capture.nodes[st.tail[0]]}
	case st.capture != nil || st.last == nil:
		return nil
	default:
		return hostCopy{st.last}
	}
}

// Conflicts implements driver.HostCopy.
func (c capturedCopy) Conflicts(s driver.Stream) bool {
	return c.last != nil && hostCopy{c.last}.Conflicts(s)
}

// Conflicts reports whether a use of the memory is not ordered after the copy, and waits for the copy if so. The clock
// of the host does not change: the hazard is reported once, and other hazards are still found.
func (c hostCopy) Conflicts(s driver.Stream) bool {
	rt := c.stream.device.runtime
	point := rt.host
	if s != nil {
		point = s.(*stream).nextClock()
	}
	if f := rt.runningFunction; c.before(point) || f != nil && f.before(c.clock) {
		return false // the copy is done, or waits for the function that uses the memory now
	}
	rt.awaitOperations(c.operation) // an error means that the case has ended
	return true
}

// nextClock returns the clock of the next operation of the stream.
func (s *stream) nextClock() clock {
	next := s.clock.with(s.slot, s.number, nil).join(s.device.runtime.host)
	for other := range s.legacyOrder {
		if other.last != nil {
			next = next.join(other.last.clock)
		}
	}
	return next
}
