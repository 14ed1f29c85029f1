package hip

import (
	"fmt"
	"slices"

	"roclua/hip/driver"
)

// SetFaults gives a function that is asked before every allocation of at least a byte, once its other arguments are known to
// be good. When it gives a reason, the allocation fails with ErrorOutOfMemory; "" lets it go on.
func (rt *Runtime) SetFaults(refuse func(*Call) string) { rt.refuse = refuse }

// faultsKept bounds the failed allocations that a runtime remembers one by one.
const faultsKept = 32

// Faults returns the first allocations that were made to fail, in order; Stats counts all.
func (rt *Runtime) Faults() []Call { return slices.Clone(rt.record.faults) }

// allocateOrInject makes an allocation, unless it is made to fail. A call for which the host waits does so all the same, and an
// error of an earlier kernel comes first, as it does when memory runs out by itself.
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
	if c.Synchronizing {
		if err := d.driver.Synchronize(); err != nil {
			return 0, err
		}
	}
	c.Injected = fmt.Sprintf("allocation %d of the case (%s)", d.rt.record.allocations, why)
	return 0, driver.Faultf(driver.ErrorOutOfMemory, "%s of %d bytes was made to fail: %s", c.Name, c.Bytes, c.Injected)
}
