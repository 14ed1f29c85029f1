package workspace

import (
	"fmt"
	"math/bits"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/workspace/status"
)

// Transfer is a call to rocblas_set_vector, rocblas_get_vector, rocblas_set_matrix, rocblas_get_matrix or one of their
// asynchronous forms, which copy between the host and the device. They take no handle and use no workspace: memory
// with gaps is copied by hipMemcpy2D. A vector is a matrix of one row whose leading dimension is the increment.
type Transfer struct {
	Func             string // C name of the function
	Rows, Cols       int64
	ElemSize         int64 // bytes
	ToDevice         bool
	Host             []byte // may be empty if the call does not pass Check
	HostNull         bool
	Device           driver.Ptr
	HostLD, DeviceLD int64       // in elements
	Stream           *hip.Stream // nil for the forms that wait
}

// Check checks the arguments in the library's order. done means that the call ends, with success or an error.
func (t *Transfer) Check() (done bool, err error) {
	for _, rule := range []struct {
		bad    bool
		status status.Status
		reason string
	}{
		{t.Rows == 0 || t.Cols == 0, status.Success, ""},
		{t.Rows < 0 || t.Cols < 0, status.InvalidSize, "a number of elements is negative"},
		{t.ElemSize <= 0, status.InvalidSize, fmt.Sprintf("elem_size is %d, must be positive", t.ElemSize)},
		{t.HostLD < t.Rows || t.DeviceLD < t.Rows, status.InvalidSize,
			fmt.Sprintf("an increment or leading dimension is less than %d", t.Rows)},
		{t.HostNull || t.Device == 0, status.InvalidPointer, "a pointer is null"},
	} {
		switch {
		case rule.bad && rule.status == status.Success:
			return true, nil
		case rule.bad:
			return true, &Error{Status: rule.status, Func: t.Func, Reason: rule.reason}
		}
	}
	return false, nil
}

// HostBytes returns the bytes from the first element on the host to the last, for a call that passes Check. ok is false
// for more than 2^64.
func (t *Transfer) HostBytes() (bytes uint64, ok bool) {
	high, gaps := bits.Mul64(uint64(t.Cols-1), uint64(t.HostLD*t.ElemSize))
	bytes, carry := bits.Add64(gaps, uint64(t.Rows*t.ElemSize), 0)
	return bytes, high == 0 && carry == 0
}

// Contiguous reports whether both sides are without gaps, so that one hipMemcpy copies them.
func (t *Transfer) Contiguous() bool { return t.HostLD == t.Rows && t.DeviceLD == t.Rows }

// Copy makes the copy of a call that passes Check; Host has at least HostBytes. In releases that ignore errors of HIP,
// ignored is the message that the library prints.
func (t *Transfer) Copy(dev *hip.Device, p *Profile) (ignored string, err error) {
	err = t.copy(dev)
	if err == nil {
		return "", nil
	}
	if p.Release.CopyErrorsIgnored {
		return fmt.Sprintf("hip error code: %d; %s returns success: %v", int(driver.CodeOf(err)), t.Func, err), nil
	}
	return "", &Error{Status: statusOf(err), Func: t.Func, Cause: err}
}

func (t *Transfer) copy(dev *hip.Device) error {
	if !t.Contiguous() {
		rows := driver.Rows{Width: uint64(t.Rows * t.ElemSize), Count: uint64(t.Cols),
			HostPitch: uint64(t.HostLD * t.ElemSize), DevicePitch: uint64(t.DeviceLD * t.ElemSize)}
		if t.ToDevice {
			return dev.WriteRows(t.Device, t.Host, rows, t.Stream)
		}
		return dev.ReadRows(t.Host, t.Device, rows, t.Stream)
	}
	memory := t.Host[:t.Rows*t.Cols*t.ElemSize]
	switch {
	case t.ToDevice && t.Stream != nil:
		return dev.WriteAsync(t.Device, memory, t.Stream)
	case t.ToDevice:
		return dev.Write(t.Device, memory)
	case t.Stream != nil:
		return dev.ReadAsync(memory, t.Device, t.Stream)
	}
	return dev.Read(memory, t.Device)
}
