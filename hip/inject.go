package hip

import (
	"fmt"
	"slices"

	"roclua/hip/driver"
)

// SetFaults sets a function that is called before every allocation of at least one byte whose other arguments are
// valid. When it returns a reason, the allocation fails with ErrorOutOfMemory; with "" the allocation is made.
func (rt *Runtime) SetFaults(refuse func(*Call) string) { rt.refuse = refuse }

// faultsKept is the number of injected failures that a runtime keeps.
const faultsKept = 32

// Faults returns the first allocations that were made to fail, in order; Stats counts all.
func (rt *Runtime) Faults() []Call { return slices.Clone(rt.record.faults) }

// allocateOrInject makes an allocation, unless it is made to fail. A synchronizing call still waits, and returns the
// error of an earlier kernel first, as when the device is out of memory.
func (d *Device) allocateOrInject(c *Call, do func() (driver.Ptr, error)) (driver.Ptr, error) {
	if c.Bytes == 0 {
		return do()
	}
	d.rt.record.allocations++
	why := ""
	if d.rt.refuse != nil {
		why = d.rt.refuse(c)
	}
	if why == "" {
		return do()
	}
	if c.Synchronizing && !d.Capturing() {
		if err := d.driver.Synchronize(); err != nil {
			return 0, err
		}
	}
	c.Injected = fmt.Sprintf("allocation %d of the case (%s)", d.rt.record.allocations, why)
	return 0, driver.Faultf(driver.ErrorOutOfMemory, "%s of %d bytes was made to fail: %s", c.Name, c.Bytes, c.Injected)
}
