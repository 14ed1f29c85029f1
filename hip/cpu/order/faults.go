package order

import (
	"errors"
	"slices"
	"sync"

	"roclua/hip/driver"
)

// Faults are the errors of a device's kernels. The first one that is reported stays: from then on the device returns it
// for everything except freeing memory, as HIP does.
type Faults struct {
	host     *Host
	mu       sync.Mutex // streams add while the host reads
	all      []fault
	reported error
}

type fault struct {
	by  *Operation
	err error
}

// add records the error of an operation. An error without a HIP code becomes a launch failure.
func (f *Faults) add(o *Operation, err error) {
	var code driver.Error
	if !errors.As(err, &code) {
		err = driver.Faultf(driver.ErrorLaunchFailure, "%s: %v", o.Site, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, fault{o, err})
}

// Report returns the fault of the device: the earliest one among the operations that the host has waited for. Other
// faults are not reported yet, so that the result does not depend on timing.
func (f *Faults) Report() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.reported != nil {
		return f.reported
	}
	var first *Operation
	for _, m := range f.all {
		if m.by.before(f.host.clock) && (first == nil || m.by.serial < first.serial) {
			first, f.reported = m.by, m.err
		}
	}
	return f.reported
}

// any reports whether an operation before a point has a fault.
func (f *Faults) any(before clock) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.all, func(m fault) bool { return m.by.before(before) })
}

// Known returns the fault that was reported before, if any.
func (f *Faults) Known() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reported
}
