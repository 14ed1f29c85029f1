package cpu

import (
	"errors"
	"fmt"
	"sync"

	"roclua/hip/driver"
)

// faults are the errors that kernels of a device met. The first that the host learns of stays: the device answers it
// to everything but the release of memory from then on, as HIP does.
type faults struct {
	mu       sync.Mutex // streams add while the host asks
	met      []fault
	reported error
}

type fault struct {
	by  *operation
	err error
}

// add enters the error of an operation. An error without a HIP code is a failure of the kernel.
func (f *faults) add(o *operation, err error) {
	var code driver.Error
	if !errors.As(err, &code) {
		err = driver.Faultf(driver.ErrorLaunchFailure, "%s: %v", o.site, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.met = append(f.met, fault{o, err})
}

// report returns the fault that the device stays in. Of the faults met, the host learns the earliest one that it has
// waited for; faults of streams that it has not waited for do not count, so that the answer does not hang on timing.
func (f *faults) report(host clock) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.reported != nil {
		return f.reported
	}
	var first *operation
	for _, m := range f.met {
		if m.by.before(host) && (first == nil || m.by.serial < first.serial) {
			first, f.reported = m.by, m.err
		}
	}
	return f.reported
}

// known returns the fault that was reported, if any was.
func (f *faults) known() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reported
}

// guarded turns a panic of a kernel into an error: one wrong kernel must not end the program.
func guarded(run func() error) func() error {
	return func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("the kernel panicked: %v", p)
			}
		}()
		return run()
	}
}
