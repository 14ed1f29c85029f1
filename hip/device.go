package hip

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Device is one GPU. For every parameter that is a stream, a nil *Stream means the device's null stream.
//
// Its methods are grouped by role in the types that it embeds.
type Device struct {
	*gpu
	allocator
	copier
	checker
	library
	journal
}

func newDevice(host *host, index int, driven driver.Device) *Device {
	g := &gpu{host: host, index: index, driver: driven}
	g.executor, _ = driven.(driver.Executor)
	if g.hazards, _ = driven.(driver.HazardReporter); g.hazards != nil {
		host.reporters = append(host.reporters, g.hazards)
	}
	d := &Device{g, allocator{g}, copier{g}, checker{g}, library{g}, journal{g}}
	g.null = &Stream{device: d, driver: driven.NullStream()}
	return d
}

// CanExecute reports whether the platform computes routines.
func (d *Device) CanExecute() bool { return d.executor != nil }

// Needs returns the workspace that a call needs, as the platform's libraries report it.
func (d *Device) Needs(a *routine.Args) (driver.Needs, error) {
	s, ok := d.driver.(driver.Sizer)
	if !ok {
		return driver.Needs{}, driver.Faultf(driver.ErrorNotSupported,
			"the libraries of platform %s do not report what a call needs", d.host.platform)
	}
	return s.Needs(a)
}

// SearchNumbers queues a search of one array of a call for unusual numbers: see driver.NumberSearcher. It counts
// neither as a kernel nor as a call of HIP.
func (d *Device) SearchNumbers(s *Stream, a *routine.Args, array *routine.Param, found driver.Ptr) error {
	searcher, ok := d.driver.(driver.NumberSearcher)
	if !ok {
		return driver.Faultf(driver.ErrorNotSupported, "platform %s does not search arrays", d.host.platform)
	}
	s, err := d.stream(s)
	if err != nil {
		return err
	}
	d.host.site = driver.Site{Call: a.Routine.CName(), Origin: d.host.origin()}
	err = searcher.SearchNumbers(s.driver, a, array, found)
	d.host.collectHazards()
	d.host.noteResult(driver.CodeOf(err))
	return err
}

// Execute queues one call of a routine in stream order and returns when it is queued. It counts as a kernel and not as
// a call of HIP.
func (d *Device) Execute(s *Stream, l *driver.Launch) error {
	e := d.executor
	if e == nil {
		return driver.Faultf(driver.ErrorNotSupported, "platform %s does not compute routines", d.host.platform)
	}
	if err := d.host.permitted(); err != nil {
		return err
	}
	s, err := d.stream(s)
	if err != nil {
		return err
	}
	if s.device != d {
		return driver.Faultf(driver.ErrorInvalidHandle, "%s on device %d was given stream %d of device %d",
			l.Args.Routine.CName(), d.index, s.ID(), s.device.index)
	}
	site := driver.Site{Call: l.Args.Routine.CName(), Origin: d.host.origin(), Handle: l.Handle}
	d.host.site = site
	if d.host.watch != nil {
		d.host.watch(site)
	}
	if s.CaptureStatus() != driver.CaptureNone {
		err = e.Execute(s.driver, l)
		d.host.noteResult(driver.CodeOf(err))
		return err
	}
	l.Timer = s.newKernel(site)
	err = e.Execute(s.driver, l)
	d.host.collectHazards()
	d.host.noteResult(driver.CodeOf(err))
	if err != nil {
		d.host.record.NotLaunched(d.index)
	}
	return err
}
