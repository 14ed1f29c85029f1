package hip

import "roclua/hip/driver"

// checker checks the use of a device's memory, on platforms that can.
type checker struct{ *gpu }

// ReportsHazards reports whether the platform watches every use of memory. Runtime.Hazards then returns unordered uses
// of the same memory by two streams, and a wrong address is an error instead of a crash.
func (d checker) ReportsHazards() bool { return d.hazards != nil }

// SetElement declares the type of the elements that n bytes of device memory hold, on platforms that check it.
func (d checker) SetElement(p driver.Ptr, n uint64, e driver.Element) {
	d.SetElementRows(p, driver.Rows{Width: n, Count: 1}, e)
}

// CheckElement returns a *driver.MismatchError if n bytes of device memory hold elements of another type, on platforms
// that check it.
func (d checker) CheckElement(p driver.Ptr, n uint64, e driver.Element, call string) error {
	return d.CheckElementRows(p, driver.Rows{Width: n, Count: 1}, e, call)
}

// SetElementRows is SetElement for rows of bytes.
func (d checker) SetElementRows(p driver.Ptr, r driver.Rows, e driver.Element) {
	if c, ok := d.driver.(driver.MemoryChecker); ok && !d.host.closed {
		c.SetElement(p, r, e)
	}
}

// CheckElementRows is CheckElement for rows of bytes that a call is about to read.
func (d checker) CheckElementRows(p driver.Ptr, r driver.Rows, e driver.Element, call string) error {
	c, ok := d.driver.(driver.MemoryChecker)
	if !ok || d.host.closed {
		return nil
	}
	d.host.site = driver.Site{Call: call, Origin: d.host.origin()}
	return c.CheckElement(p, r, e)
}
