package workspace

import (
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
)

// roundScalars rounds scalars in host memory to their datatypes, as the library reads them. 1e-50 is zero in float, and
// with a factor of zero the library needs no arrays.
func roundScalars(a *routine.Args) {
	for _, s := range [...]routine.Slot{routine.Alpha, routine.Beta} {
		if param, ok := a.Routine.ParamAt(s); ok && a.Int(s) == routine.Host {
			a.SetFetched(s, number.Round(a.Datatype(param), a.Scalar(s)))
		}
	}
}

// copyScalars copies scalars to the host, and waits for the stream after each copy.
func (c *call) copyScalars(a *routine.Args, list []routine.Slot) error {
	c.fetched = true
	defer c.setCause("scalars")()
	for _, s := range list {
		param, _ := a.Routine.ParamAt(s)
		value := make([]byte, a.ElementBytes(param))
		if err := c.dev.ReadAsync(value, driver.Ptr(a.Ptr(s)), c.stream); err != nil {
			return err
		}
		if err := c.stream.Synchronize(); err != nil {
			return err
		}
		a.SetFetched(s, number.Load(a.Datatype(param), value))
	}
	return nil
}
