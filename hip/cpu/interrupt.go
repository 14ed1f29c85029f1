package cpu

import (
	"context"

	"roclua/hip/driver"
)

// errGivenUp is what a device answers after the host left a wait for it.
var errGivenUp = driver.Faultf(driver.ErrorLaunchTimeOut, "the device was given up: the time of the case ended while a kernel was running")

// SetContext bounds the waits of the host.
func (rt *runtime) SetContext(ctx context.Context) { rt.ctx = ctx }

// StagedBytes returns the host memory that queued copies hold.
func (rt *runtime) StagedBytes() uint64 { return rt.staged.Load() }

// await is the host waiting for something of the device, for as long as its context lives. A kernel cannot be stopped in the
// middle. It is left to itself, with its memory, which no later case shares; what was queued behind it is not begun.
func (rt *runtime) await(done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	default:
	}
	if rt.givenUp.Load() {
		return errGivenUp
	}
	select {
	case <-done:
		return nil
	case <-rt.ctx.Done():
		rt.givenUp.Store(true)
		return errGivenUp
	}
}

// unlessGivenUp is work that is left out once the device was given up.
func (rt *runtime) unlessGivenUp(run func() error) func() error {
	return func() error {
		if rt.givenUp.Load() {
			return nil
		}
		return run()
	}
}
