package cpu

import "roclua/hip/driver"

// compute runs the kernel of a routine.
func compute(l *driver.Launch, _ *view) error {
	return driver.Faultf(driver.ErrorNotSupported, "%s has no kernel yet", l.Args.Routine.CName())
}
