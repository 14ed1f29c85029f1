package tests

import (
	"encoding/binary"
	"errors"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/workspace"
)

// TestNullArraysInDevicePointerMode calls the double complex form of every routine with a scalar, with the scalars 0, 1
// and 2 in device memory and every set of null arrays. The argument checks accept many of these calls, because the host
// does not know the scalars. Their kernels must then access exactly the arrays that remain in the formula: if alpha is
// 0 only the result, and if beta is also 1 no array at all.
func TestNullArraysInDevicePointerMode(t *testing.T) {
	for _, r := range routine.All() {
		if _, scaled := r.ParamAt(routine.Alpha); !scaled || r.Type != routine.TypeZ {
			continue
		}
		if _, reason := hip.Computes("cpu", r); reason != "" {
			continue
		}
		t.Run(r.CName(), func(t *testing.T) {
			t.Parallel()
			n := &nullArrays{t: t, r: r}
			defer n.close()
			for _, alpha := range []complex128{0, 1, 2} {
				for _, beta := range []complex128{0, 1, 2} {
					for nulls := range 1 << len(arraysOf(r)) {
						n.call(alpha, beta, nulls)
					}
				}
			}
			if n.ran == 0 {
				t.Error("the argument checks refused every call")
			}
		})
	}
}

func arraysOf(r *routine.Routine) []*routine.Param {
	var list []*routine.Param
	for i := range r.Params {
		if p := &r.Params[i]; p.Kind == routine.Array || p.Kind == routine.ArrayOfArrays {
			list = append(list, p)
		}
	}
	return list
}

// nullArrays calls a routine on a device. A call that faults needs a new device.
type nullArrays struct {
	t                *testing.T
	r                *routine.Routine
	rt               *hip.Runtime
	handle           workspace.Handle
	scalars          driver.Ptr // alpha and beta
	memory, pointers driver.Ptr // an array, and an array of pointers to it
	ran              int
}

const (
	nullArraysOrder     = 40
	nullArraysDiagonals = 4 // small enough for band matrices of the order, and the inner dimension of products
	nullArraysBytes     = 16 * nullArraysOrder * nullArraysOrder
)

func (n *nullArrays) open() {
	n.t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 64 << 20})
	if err != nil {
		n.t.Fatal(err)
	}
	n.rt = rt
	dev := rt.Device()
	allocate := func(bytes uint64) driver.Ptr {
		p, err := dev.Malloc(bytes)
		if err != nil {
			n.t.Fatal(err)
		}
		return p
	}
	n.scalars, n.memory, n.pointers = allocate(32), allocate(nullArraysBytes), allocate(8)
	n.write(n.memory, make([]byte, nullArraysBytes))
	n.write(n.pointers, binary.NativeEndian.AppendUint64(nil, uint64(n.memory)))
	profile, err := workspace.FindProfile("rocm-7.2")
	if err != nil {
		n.t.Fatal(err)
	}
	if n.handle, err = workspace.Create(dev, workspace.Config{Profile: profile}); err != nil {
		n.t.Fatal(err)
	}
	if err := n.handle.SetPointerMode(routine.PointerModeDevice); err != nil {
		n.t.Fatal(err)
	}
}

func (n *nullArrays) write(p driver.Ptr, data []byte) {
	n.t.Helper()
	if err := n.rt.Device().Write(p, data); err != nil {
		n.t.Fatal(err)
	}
}

func (n *nullArrays) close() {
	if n.rt != nil {
		n.rt.Close() // reports the fault again
		n.rt = nil
	}
}

func (n *nullArrays) call(alpha, beta complex128, nulls int) {
	n.t.Helper()
	if n.rt == nil {
		n.open()
	}
	_, err := n.handle.Call(n.args(alpha, beta, nulls))
	var refused *workspace.Error
	if errors.As(err, &refused) && refused.Cause == nil {
		return // by an argument check
	}
	n.ran++
	if err == nil {
		err = n.rt.Device().Synchronize()
	}
	missing := n.missing(alpha, beta, nulls)
	if faulted := err != nil; faulted != (missing != "") {
		n.t.Errorf("alpha %v, beta %v, null arrays %b: fault %v, needed null array %q",
			alpha, beta, nulls, err, missing)
	}
	if err != nil {
		n.close()
	}
}

// args returns a call with square arrays of order nullArraysOrder, all in the same memory.
func (n *nullArrays) args(alpha, beta complex128, nulls int) *routine.Args {
	a := n.r.New()
	for i := range n.r.Params {
		switch p := &n.r.Params[i]; {
		case p.Kind == routine.Datatype || p.Slot == routine.StrideA || p.Role == routine.Stride:
		case p.Kind.IsEnum():
			a.SetInt(p.Slot, p.Legal()[0])
		case p.Slot == routine.BatchCount || p.Role == routine.Increment:
			a.SetInt(p.Slot, 1)
		case p.Slot == routine.K || p.Slot == routine.KL || p.Slot == routine.KU:
			a.SetInt(p.Slot, nullArraysDiagonals)
		case p.Kind.IsInteger():
			a.SetInt(p.Slot, nullArraysOrder)
		}
	}
	for i, p := range arraysOf(n.r) {
		switch {
		case nulls>>i&1 == 1:
		case p.Kind == routine.ArrayOfArrays:
			a.SetPtr(p.Slot, uint64(n.pointers))
		default:
			a.SetPtr(p.Slot, uint64(n.memory))
		}
	}
	data := make([]byte, 32)
	number.Store(routine.DatatypeF64C, data, alpha)
	number.Store(routine.DatatypeF64C, data[16:], beta)
	n.write(n.scalars, data)
	a.SetPtr(routine.Alpha, uint64(n.scalars))
	if _, ok := n.r.ParamAt(routine.Beta); ok {
		a.SetPtr(routine.Beta, uint64(n.scalars)+16)
	}
	return a
}

// missing returns the name of a required null array; "" if there is none.
func (n *nullArrays) missing(alpha, beta complex128, nulls int) string {
	for i, p := range arraysOf(n.r) {
		if nulls>>i&1 == 1 && n.needs(p, alpha, beta) {
			return p.Name
		}
	}
	return ""
}

// needs reports whether the formula needs an array.
func (n *nullArrays) needs(p *routine.Param, alpha, beta complex128) bool {
	_, hasBeta := n.r.ParamAt(routine.Beta)
	switch family := n.r.Family; {
	case family.ID == routine.Geam: // C = alpha A + beta B
		return p.Slot == routine.C || p.Slot == routine.A && alpha != 0 || p.Slot == routine.B && beta != 0
	case family.ID == routine.Scal || family.ID == routine.RealScal:
		return alpha != 1
	case p.Access == routine.In || !hasBeta && family.Level < 3: // y = alpha x + y
		return alpha != 0
	}
	return alpha != 0 || !(hasBeta && beta == 1)
}
