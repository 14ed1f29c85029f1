package hipsolver

import (
	"fmt"
	"strings"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// Jacobi is a hipsolverSyevjInfo_t or a hipsolverGesvdjInfo_t: the options of Jacobi's method, and the device memory
// for its residuals and counts of sweeps.
type Jacobi struct {
	method    string // "Syevj" or "Gesvdj"
	MaxSweeps int64
	Unsorted  bool

	address  uintptr // of the library's object; 0 for a modelled one
	dev      *hip.Device
	memory   driver.Ptr
	problems int64 // that the memory is for
}

// The methods that have options.
const (
	Syevj  = "Syevj"
	Gesvdj = "Gesvdj"
)

// NewJacobi implements hipsolverCreateSyevjInfo and hipsolverCreateGesvdjInfo.
func NewJacobi(dev *hip.Device, method string) (*Jacobi, error) {
	j := &Jacobi{method: method, MaxSweeps: 100, dev: dev}
	address, err := j.call("hipsolverCreate" + method + "Info")
	j.address = uintptr(address)
	return j, err
}

// call calls a function of the library, if the platform has it.
func (j *Jacobi) call(name string, args ...uintptr) (uint64, error) {
	if !j.dev.HasLibrary() {
		return 0, nil
	}
	result, st, err := j.dev.LibraryFunction(name, args...)
	if err == nil && st != 0 {
		err = &workspace.LayerError{Status: status.HipSOLVER(st), Func: name}
	}
	return result, err
}

// setter returns the name of a function that sets an option.
func (j *Jacobi) setter(option string) string {
	return "hipsolverX" + strings.ToLower(j.method) + "Set" + option
}

// SetMaxSweeps implements hipsolverXsyevjSetMaxSweeps.
func (j *Jacobi) SetMaxSweeps(n int64) error {
	name := j.setter("MaxSweeps")
	if _, err := j.call(name, j.address, uintptr(n)); err != nil {
		return err
	}
	if n <= 0 {
		return &workspace.LayerError{Status: status.HipSOLVERInvalidValue, Func: name,
			Reason: fmt.Sprintf("max_sweeps is %d, must be at least 1", n)}
	}
	j.MaxSweeps = n
	return nil
}

// SetSorted implements hipsolverXsyevjSetSortEig.
func (j *Jacobi) SetSorted(sorted int64) error {
	j.Unsorted = sorted == 0
	_, err := j.call(j.setter("SortEig"), j.address, uintptr(sorted))
	return err
}

// Bytes of one problem: a residual, of any precision, and a count.
const (
	residualBytes = 8
	sweepBytes    = 4
)

// reserve allocates the memory for a number of problems, unless there is as much. It returns the status of a failure.
func (j *Jacobi) reserve(dev *hip.Device, problems int64) (status.HipSOLVER, error) {
	if problems <= j.problems {
		return status.HipSOLVERSuccess, nil
	}
	defer dev.SetCause("jacobi_info", 0)()
	if err := j.free(); err != nil {
		return status.HipSOLVERInternalError, err
	}
	p, err := dev.Malloc(uint64(problems) * (residualBytes + sweepBytes))
	if err == nil {
		j.dev, j.memory, j.problems = dev, p, problems
	}
	return status.HipSOLVERAllocFailed, err
}

// Destroy implements hipsolverDestroySyevjInfo and hipsolverDestroyGesvdjInfo.
func (j *Jacobi) Destroy() error {
	if _, err := j.call("hipsolverDestroy"+j.method+"Info", j.address); err != nil {
		return err
	}
	j.address = 0
	return j.free()
}

// free frees the memory. Memory that cannot be freed, as during a capture, stays.
func (j *Jacobi) free() error {
	if j.memory == 0 {
		return nil
	}
	if err := j.dev.Free(j.memory); err != nil {
		return err
	}
	j.memory, j.problems = 0, 0
	return nil
}

// set gives a call of rocSOLVER the options and the memory.
func (j *Jacobi) set(a *routine.Args) {
	order := int64(routine.EsortAscending)
	if j.Unsorted {
		order = routine.EsortNone
	}
	if _, ok := a.Routine.ParamAt(routine.Esort); ok {
		a.SetInt(routine.Esort, order)
	}
	a.SetInt(routine.MaxSweeps, j.MaxSweeps)
	a.SetPtr(routine.Residual, uint64(j.memory))
	a.SetPtr(routine.Sweeps, uint64(j.memory)+uint64(residualBytes*j.problems))
}
