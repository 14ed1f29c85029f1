package cpu

import (
	"context"

	"roclua/hip/driver"
)

// errGivenUp is the error of a device after the host abandoned a wait for it.
var errGivenUp = driver.Faultf(driver.ErrorLaunchTimeOut,
	"the device was abandoned: the time limit of the case ended while a kernel was running")

// SetContext bounds the waits of the host.
func (rt *runtime) SetContext(ctx context.Context) { rt.ctx = ctx }

// StagedBytes returns the host memory that queued copies hold.
func (rt *runtime) StagedBytes() uint64 { return rt.staged.Load() }

// await makes the host wait until done is closed, or gives up when its context ends.
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
		rt.giveUp()
		return errGivenUp
	}
}

// awaitOperation makes the host wait for an operation, or gives up when its context ends. A running kernel cannot be
// stopped, so it continues with its memory, which no later case uses. Work that is queued after it does not start.
func (rt *runtime) awaitOperation(o *operation) error {
	switch {
	case o.ready():
		return nil
	case rt.givenUp.Load():
		return errGivenUp
	case o.wait(rt.wake, rt.ctx.Done()):
		return nil
	}
	rt.giveUp()
	return errGivenUp
}

// unlessGivenUp returns work that is skipped after the device was abandoned.
func (rt *runtime) unlessGivenUp(run func() error) func() error {
	return func() error {
		if rt.givenUp.Load() {
			return nil
		}
		return run()
	}
}
