package hipsolver_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"roclua/hip"
	_ "roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/hipsolver"
	"roclua/workspace/status"
)

// bench is a modelled handle on a device that does not compute, with memory for arguments.
type bench struct {
	t       *testing.T
	rt      *hip.Runtime
	handle  workspace.Handle
	memory  driver.Ptr
	profile *workspace.Profile
}

func newBench(t *testing.T, profile string) *bench {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Arch: "gfx90a", MemoryBytes: 64 << 30,
		Unchecked: true, Kernels: driver.KernelsIdle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	b := &bench{t: t, rt: rt}
	if b.profile, err = workspace.FindProfile(profile); err != nil {
		t.Fatal(err)
	}
	if b.memory, err = rt.Device().Malloc(1 << 30); err != nil {
		t.Fatal(err)
	}
	b.create()
	return b
}

func (b *bench) create() {
	var err error
	if b.handle, err = workspace.Create(b.rt.Device(), workspace.Config{Profile: b.profile}); err != nil {
		b.t.Fatal(err)
	}
	b.rt.Trace()
}

// call makes a call with all sizes n and arrays that are not null, changed by set, and describes the result: the
// status, the HIP calls for memory, and the memory that the handle holds.
func (b *bench) call(name string, n int64, set map[routine.Slot]int64) string {
	b.t.Helper()
	f, ok := routine.LayerNamed(name)
	if !ok {
		b.t.Fatalf("no function %s", name)
	}
	a := f.New()
	for i := range f.Params {
		p := &f.Params[i]
		switch {
		case p.Kind.IsEnum():
			a.SetInt(p.Slot, p.Legal()[0])
		case p.Kind.IsInteger():
			a.SetInt(p.Slot, n)
		case p.Slot == routine.RealWork || p.Slot == routine.LayerInfo || p.Kind == routine.Output:
		default:
			a.SetPtr(p.Slot, uint64(b.memory))
		}
	}
	for slot, v := range set {
		a.SetInt(slot, v)
	}
	out, err := hipsolver.Call(b.handle, a, hipsolver.Objects{Params: &hipsolver.Params{}})
	text := status.LayerName(out.Status.Number())
	var refused *workspace.LayerError
	var abort *workspace.Abort
	switch {
	case errors.As(err, &abort):
		return "aborts"
	case errors.As(err, &refused):
		text = strings.ToLower(strings.TrimPrefix(refused.Status.Name(), "HIPSOLVER_STATUS_"))
	case err != nil:
		b.t.Fatal(err)
	}
	for _, c := range b.rt.Trace() {
		if slices.Contains([]string{"hipMalloc", "hipFree"}, c.Name) {
			text += fmt.Sprintf(", %s %d", c.Name, c.Bytes)
		}
	}
	held, _ := b.handle.DeviceMemorySize()
	return text + fmt.Sprintf(", holds %d", held)
}

// The results below were recorded from the real hipSOLVER over a HIP runtime without a GPU.

const buffer = 1 << 20

var (
	unbuffered = map[routine.Slot]int64{routine.Work: 0, routine.Lwork: 0}
	bound      = map[routine.Slot]int64{routine.Lwork: buffer}
	vectors    = map[routine.Slot]int64{routine.Evect: routine.EigModeVector, routine.Uplo: routine.FillLower,
		routine.Work: 0, routine.Lwork: 0}
	wrongTriangle = map[routine.Slot]int64{routine.Uplo: 7, routine.Work: 0, routine.Lwork: 0}
)

// TestMemoryOfHandles makes calls with and without a buffer on one handle.
func TestMemoryOfHandles(t *testing.T) {
	type step struct {
		name string
		n    int64
		set  map[routine.Slot]int64
		want string
	}
	for profile, steps := range map[string][]step{
		"rocm-6.4": {
			{"hipsolverDgeqrf", 200, bound, "success, hipFree 0, holds 1048576"},
			{"hipsolverDgeqrf", 200, unbuffered, "success, hipMalloc 102976, holds 102976"},
			{"hipsolverDgetrf", 200, unbuffered, "success, hipFree 0, hipMalloc 525888, holds 525888"},
			{"hipsolverDgeqrf", 200, unbuffered, "success, holds 525888"},
			{"hipsolverDgeqrf", 200, map[routine.Slot]int64{routine.M: -1, routine.Lwork: buffer},
				"invalid_value, hipFree 0, holds 1048576"},
			{"hipsolverDgeqrf", 200, map[routine.Slot]int64{routine.Info: 0, routine.Lwork: buffer},
				"invalid_value, holds 1048576"},
			{"hipsolverDgetrf", 200, map[routine.Slot]int64{routine.Lwork: 4096}, "alloc_failed, holds 4096"},
			{"hipsolverDsyevd", 2000, vectors, "success, hipMalloc 104392896, holds 104392896"},
		},
		"rocm-7.2": {
			{"hipsolverDgeqrf", 200, bound, "success, hipFree 0, holds 1048576"},
			{"hipsolverDgeqrf", 200, unbuffered, "success, hipMalloc 33861696, holds 33861696"},
			{"hipsolverDgetrf", 200, unbuffered, "success, holds 33861696"},
			{"hipsolverDgeqrf", 200, bound, "success, hipFree 0, holds 1048576"},
			{"hipsolverDorgqr", 200, bound, "success, holds 8388608"},
			{"hipsolverDgesvd", 200, unbuffered, "success, hipMalloc 33556032, holds 33556032"},
			{"hipsolverDgetrf", 200, map[routine.Slot]int64{routine.Lwork: 4096},
				"alloc_failed, hipFree 0, holds 4096"},
			// The size query of a call with a wrong constant stays open: later calls compute nothing.
			{"hipsolverDpotrf", 200, wrongTriangle, "invalid_enum, holds 4096"},
			{"hipsolverDgetrf", 200, map[routine.Slot]int64{routine.Lwork: 64}, "success, holds 64"},
		},
	} {
		t.Run(profile, func(t *testing.T) {
			b := newBench(t, profile)
			for i, s := range steps {
				if have := b.call(s.name, s.n, s.set); have != s.want {
					t.Errorf("call %d, %s: %s, want %s", i+1, s.name, have, s.want)
				}
			}
		})
	}
}

// TestGrowthInsideCall calls syevd without a buffer: hipSOLVER of 7.2 takes E from the memory of the handle first,
// which then cannot grow.
func TestGrowthInsideCall(t *testing.T) {
	b := newBench(t, "rocm-7.2")
	if have, want := b.call("hipsolverDsyevd", 2000, unbuffered), "aborts"; have != want {
		t.Errorf("%s, want %s", have, want)
	}
}

// TestOneSingularValue calls gesvd without a buffer for a matrix of one row: hipSOLVER takes no memory for E, so that
// the handle grows for rocSOLVER.
func TestOneSingularValue(t *testing.T) {
	row := map[routine.Slot]int64{routine.M: 1, routine.LeftSvect: 'O', routine.RightSvect: 'S', routine.Work: 0}
	for profile, want := range map[string]string{
		"rocm-6.4": "success, hipMalloc 3520, holds 3520",
		"rocm-7.2": "success, hipMalloc 33557888, holds 33557888",
	} {
		b := newBench(t, profile)
		b.call("hipsolverDgeqrf", 200, bound) // frees the memory of the new handle
		if have := b.call("hipsolverZgesvd", 192, row); have != want {
			t.Errorf("%s: %s, want %s", profile, have, want)
		}
	}
}

// TestNullHandle calls with the null handle, which hipSOLVER looks at before it converts enumerations.
func TestNullHandle(t *testing.T) {
	b := newBench(t, "rocm-7.2")
	b.handle = workspace.Null
	noType := map[routine.Slot]int64{routine.AType: 77}
	for name, list := range map[string][]map[routine.Slot]int64{
		"hipsolverDgeqrf": {bound, unbuffered}, "hipsolverDpotrf": {wrongTriangle},
		"hipsolverDnDpotrf": {wrongTriangle}, "hipsolverDpotrf_bufferSize": {wrongTriangle},
		"hipsolverDnXpotrf":            {wrongTriangle, noType},
		"hipsolverDnXpotrf_bufferSize": {wrongTriangle, noType},
	} {
		for _, set := range list {
			if have := b.call(name, 200, set); have != "not_initialized, holds 0" {
				t.Errorf("%s %v: %s", name, set, have)
			}
		}
	}
}

// TestDestroyInCapture destroys an object in a capture, where its memory cannot be freed.
func TestDestroyInCapture(t *testing.T) {
	b := newBench(t, "rocm-7.2")
	info, err := hipsolver.NewJacobi(b.rt.Device(), hipsolver.Syevj)
	if err != nil {
		t.Fatal(err)
	}
	f, _ := routine.LayerNamed("hipsolverDsyevj")
	a := f.New()
	for slot, v := range map[routine.Slot]int64{routine.Evect: routine.EigModeNoVector, routine.LDA: 8,
		routine.Uplo: routine.FillLower, routine.N: 8, routine.Lwork: buffer} {
		a.SetInt(slot, v)
	}
	for _, slot := range []routine.Slot{routine.A, routine.VecW, routine.Work, routine.Info} {
		a.SetPtr(slot, uint64(b.memory))
	}
	if _, err := hipsolver.Call(b.handle, a, hipsolver.Objects{Jacobi: info}); err != nil {
		t.Fatal(err)
	}
	stream, err := b.rt.Device().NewStream(false)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.BeginCapture(driver.CaptureGlobal); err != nil {
		t.Fatal(err)
	}
	b.rt.Trace()
	if err := info.Destroy(); err != nil {
		t.Error(err)
	}
	for _, c := range b.rt.Trace() {
		if c.Name != "hipFree" || c.Result == 0 || c.Cause != "jacobi_info" {
			t.Errorf("%+v", c)
		}
	}
	stream.EndCapture()
}

// TestInfoInCapture makes two calls with the same object for Jacobi's method in a capture: the library cannot free its
// memory for the first problems, and keeps it.
func TestInfoInCapture(t *testing.T) {
	b := newBench(t, "rocm-7.2")
	info, err := hipsolver.NewJacobi(b.rt.Device(), hipsolver.Syevj)
	if err != nil {
		t.Fatal(err)
	}
	call := func(problems int64) status.HipSOLVER {
		f, _ := routine.LayerNamed("hipsolverDsyevjBatched")
		a := f.New()
		for slot, v := range map[routine.Slot]int64{routine.Evect: routine.EigModeNoVector, routine.LDA: 8,
			routine.Uplo: routine.FillLower, routine.N: 8, routine.BatchCount: problems, routine.Lwork: buffer} {
			a.SetInt(slot, v)
		}
		for _, slot := range []routine.Slot{routine.A, routine.VecW, routine.Work, routine.Info} {
			a.SetPtr(slot, uint64(b.memory))
		}
		_, err := hipsolver.Call(b.handle, a, hipsolver.Objects{Jacobi: info})
		var refused *workspace.LayerError
		if errors.As(err, &refused) {
			return refused.Status.(status.HipSOLVER)
		}
		if err != nil {
			t.Fatal(err)
		}
		return status.HipSOLVERSuccess
	}
	stream, err := b.rt.Device().NewStream(false)
	if err != nil {
		t.Fatal(err)
	}
	if s := call(1); s != status.HipSOLVERSuccess {
		t.Errorf("before the capture: %s", status.LayerName(s.Number()))
	}
	if err := stream.BeginCapture(driver.CaptureGlobal); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if s := call(2); s != status.HipSOLVERInternalError {
			t.Errorf("in the capture: %s", status.LayerName(s.Number()))
		}
	}
	stream.EndCapture()
	if s := call(2); s != status.HipSOLVERSuccess {
		t.Errorf("after the capture: %s", status.LayerName(s.Number()))
	}
}

// TestMaxSweeps sets the most sweeps of Jacobi's method. hipSOLVER refuses numbers below 1 and keeps the one before.
func TestMaxSweeps(t *testing.T) {
	info, err := hipsolver.NewJacobi(newBench(t, "rocm-7.2").rt.Device(), hipsolver.Syevj)
	if err != nil {
		t.Fatal(err)
	}
	for n, legal := range map[int64]bool{-3: false, 0: false, 1: true, 200: true} {
		before := info.MaxSweeps
		var refused *workspace.LayerError
		switch err := info.SetMaxSweeps(n); {
		case legal && (err != nil || info.MaxSweeps != n):
			t.Errorf("%d: %v, %d sweeps", n, err, info.MaxSweeps)
		case !legal && (!errors.As(err, &refused) || refused.Status != status.HipSOLVERInvalidValue ||
			info.MaxSweeps != before):
			t.Errorf("%d: %v, %d sweeps", n, err, info.MaxSweeps)
		}
	}
}

// TestWideFunctions makes calls with 64-bit sizes on handles with a workspace of 64 bytes.
func TestWideFunctions(t *testing.T) {
	types := map[routine.Slot]int64{routine.AType: routine.HipR64F, routine.BType: routine.HipR64F, routine.Work: 0,
		routine.ComputeType: routine.HipR64F, routine.Uplo: routine.FillLower, routine.TransA: routine.OperationNone}
	const kept = "alloc_failed, holds 64"
	for profile, want := range map[string]map[string]string{
		"rocm-6.4": {"hipsolverDnXgetrs": "success, hipMalloc 1824000, holds 1824000", "hipsolverDnXpotrs": kept},
		"rocm-7.2": {"hipsolverDnXgetrs": "success, hipMalloc 35378432, holds 35378432", "hipsolverDnXpotrs": kept},
	} {
		for name, want := range want {
			b := newBench(t, profile)
			if err := b.handle.SetWorkspace(b.memory, 64); err != nil {
				t.Fatal(err)
			}
			b.rt.Trace()
			set := maps.Clone(types)
			set[routine.NRHS] = 100
			if have := b.call(name, 1000, set); have != want {
				t.Errorf("%s %s: %s, want %s", profile, name, have, want)
			}
		}
	}
}

// TestLowerHalves passes sizes to a function that passes the lower halves on.
func TestLowerHalves(t *testing.T) {
	b := newBench(t, "rocm-7.2")
	set := map[routine.Slot]int64{routine.AType: routine.HipR64F, routine.BType: routine.HipR64F,
		routine.Uplo: routine.FillLower, routine.NRHS: 100}
	if have := b.call("hipsolverDnXpotrs", 1<<32+1000, set); have != "success, holds 33554432" {
		t.Error(have)
	}
}

// TestBufferInBytes requests a size from a handle that was created with and without the variable.
func TestBufferInBytes(t *testing.T) {
	for set, want := range map[bool]int64{false: 32096, true: 256768} {
		b := newBench(t, "rocm-7.2")
		env := map[string]string{}
		if set {
			env[workspace.EnvLayerBytes] = "0"
		}
		h, err := workspace.Create(b.rt.Device(), workspace.Config{Profile: b.profile, Environment: env})
		if err != nil {
			t.Fatal(err)
		}
		f, _ := routine.LayerNamed("hipsolverDsyevd_bufferSize")
		a := f.New()
		for slot, v := range map[routine.Slot]int64{routine.Evect: routine.EigModeNoVector, routine.N: 100,
			routine.Uplo: routine.FillLower, routine.LDA: 100} {
			a.SetInt(slot, v)
		}
		out, err := hipsolver.Call(h, a, hipsolver.Objects{})
		if err != nil || out.Number != want {
			t.Errorf("with the variable %v: %d, %v, want %d", set, out.Number, err, want)
		}
	}
}
