package hip

import "roclua/hip/driver"

// HostRun says where a function was passed to LaunchHostFunc, and which call waited for the stream and ran it.
type HostRun struct{ Queued, Ran driver.Site }

// LaunchHostFunc implements hipLaunchHostFunc: work that is queued in the stream from now on waits until f has
// returned. f runs on the goroutine of the caller, during a later call that waits for the stream; when that is a wait
// for other work, it may run, too. Calls of HIP in f fail with ErrorNotPermitted. A captured function runs in each
// launch of the graph. Nil is the null stream.
func (d *gpu) LaunchHostFunc(s *Stream, f func(HostRun)) error {
	c := &Call{Name: "hipLaunchHostFunc"}
	return d.rt.call(c, func() error {
		s, err := d.stream(s)
		if err != nil {
			return err
		}
		c.Stream, c.HasStream = s.ID(), true
		l, ok := s.device.driver.(driver.HostLauncher)
		if !ok {
			return driver.Faultf(driver.ErrorNotSupported, "streams of platform %s do not call functions of the host",
				d.rt.platform)
		}
		queued := d.rt.site
		return l.LaunchHostFunc(s.driver, func(at driver.Site) {
			if at.Call == "" {
				at = queued
			}
			d.rt.runHostFunc(HostRun{at, d.rt.site}, f)
		})
	})
}

// runHostFunc runs a function in the middle of another call.
func (rt *Runtime) runHostFunc(run HostRun, f func(HostRun)) {
	rt.hostFunc = &run
	defer func() { rt.hostFunc, rt.site = nil, run.Ran }()
	f(run)
}
