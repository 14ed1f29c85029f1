package hip

import "roclua/hip/driver"

// SetElement declares the type of the elements that n bytes of device memory hold, on platforms that check it.
func (d *Device) SetElement(p driver.Ptr, n uint64, e driver.Element) {
	d.SetElementRows(p, driver.Rows{Width: n, Count: 1}, e)
}

// CheckElement returns a *driver.MismatchError if n bytes of device memory hold elements of another type, on platforms
// that check it.
func (d *Device) CheckElement(p driver.Ptr, n uint64, e driver.Element, call string) error {
	return d.CheckElementRows(p, driver.Rows{Width: n, Count: 1}, e, call)
}

// SetElementRows is SetElement for rows of bytes.
func (d *Device) SetElementRows(p driver.Ptr, r driver.Rows, e driver.Element) {
	if c, ok := d.driver.(driver.MemoryChecker); ok && !d.rt.closed {
		c.SetElement(p, r, e)
	}
}

// CheckElementRows is CheckElement for rows of bytes that a call is about to read.
func (d *Device) CheckElementRows(p driver.Ptr, r driver.Rows, e driver.Element, call string) error {
	c, ok := d.driver.(driver.MemoryChecker)
	if !ok || d.rt.closed {
		return nil
	}
	d.rt.site = driver.Site{Call: call, Origin: d.rt.origin()}
	return c.CheckElement(p, r, e)
}
