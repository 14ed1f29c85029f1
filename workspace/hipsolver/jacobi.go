package hipsolver

import (
	"encoding/binary"
	"fmt"
	"math"
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
	Tolerance float64

	object
	batched  bool         // of the last call
	kind     routine.Type // of the last call
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
	j := &Jacobi{method: method, MaxSweeps: 100, object: object{dev: dev}}
	address, err := j.call("hipsolverCreate" + method + "Info")
	j.address = uintptr(address)
	return j, err
}

// NullJacobi returns the null object.
func NullJacobi(method string) *Jacobi { return &Jacobi{method: method, object: object{null: true}} }

// setter returns the name of a function that sets an option.
func (j *Jacobi) setter(option string) string {
	return "hipsolverX" + strings.ToLower(j.method) + "Set" + option
}

// getter returns the name of a function that returns a result of the last call.
func (j *Jacobi) getter(result string) string {
	return "hipsolverX" + strings.ToLower(j.method) + "Get" + result
}

// SetTolerance implements hipsolverXsyevjSetTolerance and hipsolverXgesvdjSetTolerance.
func (j *Jacobi) SetTolerance(tolerance float64) error {
	j.Tolerance = tolerance
	_, err := j.call(j.setter("Tolerance"), j.address, uintptr(math.Float64bits(tolerance)))
	return err
}

// GetResidual implements hipsolverXsyevjGetResidual and hipsolverXgesvdjGetResidual.
func (j *Jacobi) GetResidual(h workspace.Handle) (float64, error) {
	single := !j.null && !j.dev.HasLibrary() && j.kind.RealSize() == singleBytes
	bytes := residualBytes
	if single {
		bytes = singleBytes
	}
	raw, err := j.stored(h, j.getter("Residual"), j.memory, bytes)
	switch {
	case err != nil:
		return 0, err
	case single:
		return float64(math.Float32frombits(uint32(raw))), nil
	}
	return math.Float64frombits(raw), nil
}

// GetSweeps implements hipsolverXsyevjGetSweeps and hipsolverXgesvdjGetSweeps.
func (j *Jacobi) GetSweeps(h workspace.Handle) (int64, error) {
	raw, err := j.stored(h, j.getter("Sweeps"), j.sweeps(), sweepBytes)
	return int64(int32(raw)), err
}

// sweeps returns where the counts of sweeps are.
func (j *Jacobi) sweeps() driver.Ptr { return j.memory + driver.Ptr(residualBytes*j.problems) }

// stored reads a result of the last call.
func (j *Jacobi) stored(h workspace.Handle, name string, at driver.Ptr, bytes int) (uint64, error) {
	refuse := func(s status.HipSOLVER, reason string, cause error) error {
		return &workspace.LayerError{Status: s, Func: name, Reason: reason, Cause: cause}
	}
	if address, ok := workspace.HandleAddress(h); ok && !j.null {
		var raw uint64
		_, err := j.dev.Current().InLibrary(func() (_ int, err error) {
			raw, err = j.call(name, address, j.address)
			return 0, err
		})
		return raw, err
	}
	switch {
	case h.Profile() == nil:
		return 0, refuse(status.HipSOLVERHandleNull, "the handle is null", nil)
	case j.null:
		return 0, refuse(status.HipSOLVERInvalidValue, "the object is null", nil)
	case j.batched:
		return 0, refuse(status.HipSOLVERNotSupported, "the last call was for a batch", nil)
	case j.problems == 0:
		return 0, refuse(status.HipSOLVERInternalError, "no call was made with the object", nil)
	}
	raw := make([]byte, residualBytes)
	defer j.dev.SetCause(jacobiCause, 0)()
	if err := j.dev.Current().Read(raw[:bytes], at); err != nil {
		return 0, refuse(status.HipSOLVERInternalError, "", err)
	}
	return binary.NativeEndian.Uint64(raw), nil
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

// jacobiCause is the cause of the HIP calls for the memory of an object.
const jacobiCause = "jacobi_info"

// Bytes of one problem: a residual, of any precision, and a count.
const (
	residualBytes = 8
	sweepBytes    = 4
	singleBytes   = 4 // of a residual in single precision
)

// reserve allocates the memory for the problems of a call, unless there is as much. It returns the status of a failure.
func (j *Jacobi) reserve(dev *hip.Device, o *routine.Args) (status.HipSOLVER, error) {
	problems := batchOf(o)
	if problems > j.problems {
		if s, err := j.allocate(dev, problems); err != nil {
			return s, err
		}
	}
	_, j.batched = o.Routine.ParamAt(routine.BatchCount)
	j.kind = o.Routine.Type
	return status.HipSOLVERSuccess, nil
}

func (j *Jacobi) allocate(dev *hip.Device, problems int64) (status.HipSOLVER, error) {
	defer dev.SetCause(jacobiCause, 0)()
	if err := j.free(); err != nil {
		return status.HipSOLVERInternalError, err
	}
	p, err := dev.Malloc(uint64(problems) * (residualBytes + sweepBytes))
	if err == nil {
		j.dev, j.memory, j.problems = dev, p, problems
	}
	return status.HipSOLVERAllocFailed, err
}

// Destroy implements hipsolverDestroySyevjInfo and hipsolverDestroyGesvdjInfo. The library ignores that it cannot free
// the memory, which is then lost.
func (j *Jacobi) Destroy() error {
	if _, err := j.call("hipsolverDestroy"+j.method+"Info", j.address); err != nil {
		return err
	}
	j.destroyed = true
	defer j.dev.SetCause(jacobiCause, 0)()
	j.free()
	return nil
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

// set gives a rocSOLVER call the options and the memory.
func (j *Jacobi) set(a *routine.Args) {
	order := int64(routine.EsortAscending)
	if j.Unsorted {
		order = routine.EsortNone
	}
	if a.Routine.Has(routine.Esort) {
		a.SetInt(routine.Esort, order)
	}
	a.SetInt(routine.MaxSweeps, j.MaxSweeps)
	a.SetPtr(routine.Residual, uint64(j.memory))
	a.SetReal(routine.Abstol, j.Tolerance)
	a.SetPtr(routine.Sweeps, uint64(j.sweeps()))
}

// object is an object of the library.
type object struct {
	address   uintptr // 0 for a modelled one
	dev       *hip.Device
	null      bool
	destroyed bool
}

// Destroyed reports whether the object was destroyed.
func (j *object) Destroyed() bool { return j.destroyed }

// call calls a function of the library on the current device, if the platform has it.
func (j *object) call(name string, args ...uintptr) (uint64, error) {
	switch {
	case j.null:
		return 0, &workspace.LayerError{Status: status.HipSOLVERInvalidValue, Func: name, Reason: "the object is null"}
	case !j.dev.HasLibrary():
		return 0, nil
	}
	result, st, err := j.dev.Current().LibraryFunction(name, args...)
	if err == nil && st != 0 {
		err = &workspace.LayerError{Status: status.HipSOLVER(st), Func: name}
	}
	return result, err
}

const paramsType = "hipsolverDnParams_t"

// Params is a hipsolverDnParams_t. It has no options that the library uses.
type Params struct{ object }

// NewParams implements hipsolverDnCreateParams.
func NewParams(dev *hip.Device) (*Params, error) {
	p := &Params{object{dev: dev}}
	address, err := p.call("hipsolverDnCreateParams")
	p.address = uintptr(address)
	return p, err
}

// NullParams is the null object.
var NullParams = &Params{object{null: true}}

// Destroy implements hipsolverDnDestroyParams.
func (p *Params) Destroy() error {
	_, err := p.call("hipsolverDnDestroyParams", p.address)
	p.destroyed = err == nil
	return err
}

// SetAdvOptions implements hipsolverDnSetAdvOptions, which does not use the object.
func (p *Params) SetAdvOptions(function, mode int64) error {
	const name = "hipsolverDnSetAdvOptions"
	if !p.null {
		if _, err := p.call(name, p.address, uintptr(function), uintptr(mode)); err != nil || p.dev.HasLibrary() {
			return err
		}
	}
	return &workspace.LayerError{Status: status.HipSOLVERNotSupported, Func: name}
}
