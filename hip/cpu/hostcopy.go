package cpu

import (
	"roclua/hip/cpu/capture"
	"roclua/hip/cpu/order"
	"roclua/hip/driver"
)

// hostCopy is a copy to host memory. Device memory has a history of its uses; host memory has none, because the device
// does not know when the host frees it.
type hostCopy struct {
	host *order.Host
	*order.Operation
}

// capturedCopy is the copy to host memory that the latest launch of a captured copy made.
type capturedCopy struct {
	host *order.Host
	*capture.Node
}

// LastCopy returns the work that was queued last on a stream, or the last node of a captured stream.
func (d *device) LastCopy(s driver.Stream) driver.HostCopy {
	st, host := s.(*stream), d.runtime.host
	if st.branch.Captured() {
		if n := st.branch.Last(); n != nil {
			return capturedCopy{host, n}
		}
	} else if o := st.Last(); o != nil {
		return hostCopy{host, o}
	}
	return nil
}

// Conflicts implements driver.HostCopy.
func (c capturedCopy) Conflicts(s driver.Stream) bool {
	return c.Last != nil && hostCopy{c.host, c.Last}.Conflicts(s)
}

// Conflicts reports whether a use of the memory is not ordered after the copy, and waits for the copy if so. The hazard
// is reported once.
func (c hostCopy) Conflicts(s driver.Stream) bool {
	if s == nil {
		return c.host.Conflicts(c.Operation, nil)
	}
	return c.host.Conflicts(c.Operation, &s.(*stream).Stream)
}
