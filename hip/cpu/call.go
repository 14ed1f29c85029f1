package cpu

import (
	"fmt"
	"time"

	"roclua/hip/cpu/inspect"
	"roclua/hip/cpu/memory"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/region"
)

// call is a queued routine call. Calls are reused after they have run, so that queueing one allocates no memory.
type call struct {
	device     *device
	launch     driver.Launch
	args       routine.Args
	regions    []region.Region
	uses       []memory.Use
	inspection inspect.Inspection
	memory     memory.View
	run        func() error // computeOnce
}

// takeCall returns a call that is not queued. It becomes available again when it has run.
func (d *device) takeCall() *call {
	if c, ok := d.calls.Get().(*call); ok {
		return c
	}
	c := &call{device: d, memory: memory.NewView(d.runtime.host)}
	c.run = c.computeOnce
	return c
}

// copy copies a launch, because the caller may reuse it after it is queued.
func (c *call) copy(l *driver.Launch) {
	work := append(c.launch.Work[:0], l.Work...)
	c.launch = *l
	c.args.CopyFrom(l.Args)
	c.launch.Args, c.launch.Work = &c.args, work
}

// findMemory finds the memory that the call uses, and inspects its reads. All of it must be in live blocks of the
// device.
func (c *call) findMemory(site driver.Site) error {
	c.regions, c.uses = c.device.appendRegions(c.regions[:0], &c.launch), c.uses[:0]
	for i := range c.regions {
		r, before := &c.regions[i], len(c.uses)
		if err := c.addUses(site, r); err != nil {
			return err
		}
		element := elementOf(&c.args, r)
		for k := before; k < len(c.uses); k++ {
			u := &c.uses[k]
			u.Element = element
			if err := c.inspection.Read(u); err != nil {
				return err
			}
		}
	}
	return nil
}

// addUses adds the uses of a region.
func (c *call) addUses(site driver.Site, r *region.Region) (err error) {
	c.uses, err = c.device.appendUses(c.uses, site, r)
	if failed := c.launch.FailedBytes; err != nil && r.Param == nil && failed > 0 {
		return driver.Faultf(driver.ErrorIllegalAddress, "%s on device %d has no workspace: its stream-ordered "+
			"allocation of %d bytes failed, and the library uses the buffers all the same",
			site, c.device.index, failed)
	}
	return err
}

// computeOnce computes the call, unless the device was abandoned, and makes it available again. The stream runs it. A
// panic of a kernel is an error: a wrong kernel must not end the program.
func (c *call) computeOnce() (err error) {
	defer c.device.calls.Put(c)
	if c.device.runtime.host.Abandoned() {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the kernel panicked: %v", p)
		}
	}()
	return c.compute()
}

func (c *call) compute() error {
	if timer := c.launch.Timer; timer != nil && c.device.runtime.time == nil {
		defer func(start time.Duration) { timer.Ran(start, timer.Now()) }(timer.Now())
	}
	c.inspection.Finish(&c.memory)
	if c.launch.Repeated || c.device.runtime.kernels == driver.KernelsOff {
		return nil
	}
	if !inspect.Computed(&c.args) {
		return memory.Spoil(c.uses)
	}
	return c.device.runtime.execute(&c.launch, &c.memory)
}
