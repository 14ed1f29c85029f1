package hip

import (
	"cmp"
	"fmt"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

// allocation is a way to allocate device memory, and to free it again.
type allocation struct {
	make func() (driver.Ptr, error)
	free func(driver.Ptr) error
}

// allocateOrInject makes an allocation, unless it is made to fail. A call that HIP does not permit while a stream is
// captured is not an allocation. Only the call itself shows that, so it is made before it fails.
func (d allocator) allocateOrInject(c *trace.Call, a allocation) (driver.Ptr, error) {
	switch {
	case c.Bytes == 0:
		return a.make()
	case !d.Capturing():
		if err := d.inject(c); err != nil {
			return 0, err
		}
		return a.make()
	}
	p, err := a.make()
	if err != nil && driver.CodeOf(err) != driver.ErrorOutOfMemory {
		return 0, err
	}
	fault := d.inject(c)
	if fault == nil {
		return p, err
	}
	if err == nil {
		fault = cmp.Or(a.free(p), fault)
	}
	return 0, fault
}

// inject counts an allocation, and returns an error if it is made to fail. A synchronizing call still waits, and
// returns the error of an earlier kernel first, as when the device is out of memory.
func (d allocator) inject(c *trace.Call) error {
	number := d.host.record.Request(d.index)
	if d.host.refuse == nil {
		return nil
	}
	why := d.host.refuse(c)
	if why == "" {
		return nil
	}
	if c.Synchronizing && !d.Capturing() {
		if err := d.driver.Synchronize(); err != nil {
			return err
		}
	}
	c.Injected = fmt.Sprintf("allocation %d of the case (%s)", number, why)
	return driver.Faultf(driver.ErrorOutOfMemory, "%s of %d bytes was made to fail: %s", c.Name, c.Bytes, c.Injected)
}
