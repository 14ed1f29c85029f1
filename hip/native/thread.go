package native

import (
	"runtime"

	"roclua/hip/driver"
)

// thread is a thread of the host. The vendor's runtime keeps a state for each thread of the operating system, so the
// goroutine that makes a thread stays on its own until Close.
type thread struct {
	rt          *Runtime
	current     int  // number of its current device
	modeChanged bool // it has another capture mode than at first
}

// Thread implements driver.Threader.
func (rt *Runtime) Thread() driver.Thread { return rt.thread }

// NewThread implements driver.Threader. The goroutine that calls it stays on its thread of the operating system.
func (rt *Runtime) NewThread(pause func(wait func())) driver.Thread {
	runtime.LockOSThread()
	rt.pause = pause
	return &thread{rt: rt}
}

// Enter implements driver.Thread.
func (t *thread) Enter() { t.rt.thread = t }

// RunHostFuncs implements driver.Thread. Only the first thread can queue functions.
func (t *thread) RunHostFuncs() error { return nil }

// Moment implements driver.Thread: waits for real devices are not followed.
func (t *thread) Moment() driver.Moment { return driver.Moment{} }

// Follows implements driver.Thread.
func (t *thread) Follows(driver.Moment) bool { return true }

// Close implements driver.Thread.
func (t *thread) Close() {
	if t.modeChanged {
		t.rt.devices[0].ExchangeCaptureMode(driver.CaptureGlobal)
	}
	runtime.UnlockOSThread()
}

// wait makes a call that only waits. Other threads make calls meanwhile.
func (d *Device) wait(do func() error) error {
	return d.withDevice(func() (err error) {
		d.rt.whileOthers(func() { err = do() })
		return err
	})
}

func (rt *Runtime) whileOthers(wait func()) {
	if rt.pause == nil {
		wait()
		return
	}
	rt.pause(wait)
}
