package hip

import (
	"roclua/hip/driver"
	"roclua/hip/trace"
)

// LaunchHostFunc implements hipLaunchHostFunc: work that is queued in the stream from now on waits until f has
// returned. f runs on the goroutine of the caller, during a later call that waits for the stream; when that is a wait
// for other work, it may run, too. Calls of HIP in f fail with ErrorNotPermitted. A captured function runs in each
// launch of the graph. Nil is the null stream.
func (d *gpu) LaunchHostFunc(s *Stream, f func(HostRun)) error {
	c := &trace.Call{Name: "hipLaunchHostFunc"}
	return d.call(c, func() error {
		s, err := d.stream(s)
		if err != nil {
			return err
		}
		s.named(c)
		l, ok := s.device.driver.(driver.HostLauncher)
		if !ok {
			return driver.Faultf(driver.ErrorNotSupported, "streams of platform %s do not call functions of the host",
				d.host.platform)
		}
		queued := d.host.site
		return l.LaunchHostFunc(s.driver, func(at driver.Site) {
			if at.Call == "" {
				at = queued
			}
			d.host.runHostFunc(HostRun{at, d.host.site}, f)
		})
	})
}
