//go:build linux || darwin || freebsd

package nvidia

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
)

var update = flag.Bool("update", false, "rewrite the expected calls")

// call is a routine call with other values for some arguments.
type call struct {
	routine  string
	changes  slots
	onDevice bool
}

type slots = map[routine.Slot]int64

// calls are routine calls, most of them with one change that decides which function computes them.
var calls = slices.Concat([]call{
	{"rocblas_dasum", nil, false},
	{"rocblas_dasum", nil, true},
	{"rocblas_dasum_batched", nil, false},
	{"rocblas_dasum_strided_batched", nil, true},
	{"rocblas_dasum_strided_batched", slots{routine.StrideX: 0, routine.Result: int64(routine.Host)}, false},
	{"rocblas_dgemv", nil, false},
	{"rocblas_dgemm", nil, false},
	{"rocblas_dgemm", nil, true},
	{"rocblas_dgemm_64", nil, false},
	{"rocblas_dgemm_batched", nil, false},
	{"rocblas_dgemm_strided_batched", nil, false},
	{"rocblas_hgemm", nil, false},
	{"rocblas_dsyrk_strided_batched", nil, false},
	{"rocblas_dtrsm", nil, false},
	{"rocblas_hdot", nil, false},
	{"rocblas_bfdot_strided_batched", nil, false},
	{"rocblas_dot_ex", nil, false},
	{"rocblas_nrm2_ex", nil, true},
	{"rocblas_gemm_ex", nil, false},
	{"rocblas_gemm_ex", nil, true},
	{"rocblas_gemm_ex_64", slots{routine.C: 0}, false},
	{"rocblas_trsm_ex", slots{routine.ComputeType: routine.DatatypeF64C}, false},
	{"rocblas_trsm_ex", nil, true},
	{"rocsolver_dgetrf", nil, false},
	{"rocsolver_dgetrf", slots{routine.M: 90, routine.N: 90}, false},
	{"rocsolver_dgetrf", slots{routine.M: 91, routine.N: 91}, false},
	{"rocsolver_dgetrf_strided_batched", slots{routine.M: 8, routine.N: 8, routine.StrideP: 8}, false},
	{"rocsolver_dgetrf_strided_batched", slots{routine.M: 8, routine.N: 8, routine.StrideP: 9}, false},
	{"rocsolver_dgetrf_batched", slots{routine.M: 8, routine.N: 8, routine.StrideP: 8}, false},
	{"rocsolver_dgetrf_strided_batched", slots{routine.M: 1024, routine.N: 1024, routine.StrideP: 1024,
		routine.BatchCount: 12}, false},
	{"rocsolver_dgetrf_strided_batched", slots{routine.M: 1025, routine.N: 1025, routine.StrideP: 1025,
		routine.BatchCount: 12}, false},
	{"rocsolver_dgetrs", nil, false},
	{"rocsolver_dgetrs_strided_batched", slots{routine.N: 4, routine.StrideP: 4,
		routine.BatchCount: 6}, false},
	{"rocsolver_dgetrs_strided_batched", slots{routine.N: 1024, routine.StrideP: 1024,
		routine.BatchCount: 5}, false},
	{"rocsolver_dgetrs_strided_batched", slots{routine.N: 1024, routine.StrideP: 1024,
		routine.BatchCount: 6}, false},
	{"rocsolver_dgetrs_strided_batched", slots{routine.N: 1025, routine.StrideP: 1025,
		routine.BatchCount: 6}, false},
	{"rocsolver_dgetrs_batched", slots{routine.N: 4, routine.StrideP: 4,
		routine.BatchCount: 6}, false},
	{"rocsolver_dgesv", nil, false},
	{"rocsolver_dgetri", nil, false},
	{"rocsolver_dpotrf", nil, false},
	{"rocsolver_dpotrf_batched", slots{routine.N: 256}, false},
	{"rocsolver_dpotrf_batched", slots{routine.N: 257}, false},
	{"rocsolver_dpotrs", nil, false},
	{"rocsolver_dposv", nil, false},
	{"rocsolver_dgeqrf", nil, false},
	{"rocblas_dtrtri", nil, false},
	{"rocsolver_dtrtri", nil, false},
	{"rocsolver_dgetrf", slots{routine.N: 0}, false},
	{"rocsolver_dgetrf_64", slots{routine.N: 0}, false},
	{"rocsolver_dgels", slots{routine.N: 0}, false},
	{"rocsolver_dgels_batched", slots{routine.N: 0}, false},
	{"rocsolver_dgels_strided_batched", slots{routine.NRHS: 0}, false},
	{"rocsolver_dsyevdx_strided_batched", slots{routine.N: 0}, false},
	{"rocsolver_zheevj", slots{routine.N: 0}, false},
}, vectorCalls, solverCalls, bidiagonalProducts())

// TestCalls compares the calls of the libraries, and the workspace, with testdata.
func TestCalls(t *testing.T) {
	var have bytes.Buffer
	f := newFake(t)
	for _, c := range calls {
		f.device = f.open(f.libs)
		a := f.arguments(c.routine, c.changes)
		n, err := f.execute(a, c.onDevice)
		by, _ := Driver{}.Computes(a.Routine)
		fmt.Fprintf(&have, "-- %s %v, on the device %t, by %s --\n", c.routine, c.changes, c.onDevice, by)
		for _, b := range n.Buffers {
			fmt.Fprintf(&have, "%q %d\n", b.ID, b.Bytes)
		}
		if fmt.Fprint(&have, f.trace()); err != nil {
			fmt.Fprintln(&have, err)
		}
	}
	const path = "testdata/calls.txt"
	if *update {
		if err := os.WriteFile(path, have.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || !bytes.Equal(have.Bytes(), want) {
		t.Errorf("differs from %s (%v):\n%s", path, err, &have)
	}
}

// TestNotComputed checks the error of a routine that the libraries do not have.
func TestNotComputed(t *testing.T) {
	f := newFake(t)
	for _, name := range []string{"rocblas_geam_ex", "rocsolver_dlarfg_64"} {
		a := f.arguments(name, nil)
		_, err := f.Needs(a)
		if err2 := f.Execute(f.NullStream(), &driver.Launch{Args: a}); driver.CodeOf(err) != driver.ErrorNotSupported ||
			driver.CodeOf(err2) != driver.ErrorNotSupported {
			t.Errorf("%s: %v, %v", name, err, err2)
		}
	}
}

// TestHandles checks which state of the handles is set again, and that the handles of a case are used by the next one.
func TestHandles(t *testing.T) {
	f := newFake(t)
	first, err := handlesOf(f.gpu)
	if err != nil {
		t.Fatal(err)
	}
	f.trace()
	for _, test := range []struct {
		do   func()
		want string
	}{
		{func() { f.setStream(5) }, "cublasSetStream_v2 1 5\n"},
		{func() { f.setStream(5) }, ""},
		{func() { f.setPointerMode(true) }, "cublasSetPointerMode_v2 1 1\n"},
		{func() { f.setPointerMode(true) }, ""},
		{func() { f.setPointerMode(false) }, "cublasSetPointerMode_v2 1 0\n"},
		{func() { f.setSolverStream(5) }, "cusolverDnSetStream 2 5\n"},
		{func() { f.setSolverStream(5) }, ""},
		{func() { f.setWorkspace(driver.Span{}) }, ""},
		{func() { f.setWorkspace(driver.Span{Ptr: 512, Bytes: 32<<20 - 1}) }, ""},
		{func() { f.setWorkspace(driver.Span{Ptr: 513, Bytes: 32 << 20}) }, ""},
		{func() { f.setWorkspace(driver.Span{Ptr: 512, Bytes: 32 << 20}) },
			"cublasSetWorkspace_v2 1 512 33554432\n"},
		{func() { f.setWorkspace(driver.Span{Ptr: 512, Bytes: 32 << 20}) }, ""},
		{func() { f.setWorkspace(driver.Span{}) }, "cublasSetStream_v2 1 5\n"},
	} {
		if err := f.attempt(test.do); err != nil {
			t.Error(err)
		}
		if have := f.trace(); have != test.want {
			t.Errorf("calls %q, want %q", have, test.want)
		}
	}
	for name, do := range map[string]func(){
		"setStream":       func() { f.setStream(6) },
		"setPointerMode":  func() { f.setPointerMode(true) },
		"setSolverStream": func() { f.setSolverStream(6) },
		"setWorkspace":    func() { f.setWorkspace(driver.Span{Ptr: 512, Bytes: 32 << 20}) },
	} {
		for _, status := range []uintptr{13, 0} { // a call that failed is made again
			f.trace()
			f.call("testFail", status)
			if err := f.attempt(do); (err != nil) != (status != 0) || f.trace() == "" {
				t.Errorf("%s: %v with status %d", name, err, status)
			}
		}
	}
	f.release(true)
	f.release(true) // without handles
	next := newDevice(f.device.Device, f.libs)
	idle.list = append([]*handles{{device: 7}}, idle.list...)
	if again, err := handlesOf(next.gpu); again != first || err != nil || len(idle.list) != 1 {
		t.Errorf("the handles of the next case are %v, %v; %d others", again, err, len(idle.list))
	}
	next.release(false)
	if len(idle.list) != 1 {
		t.Error("handles are kept after an error of the device")
	}
}

// TestHandlesBeforeCapture checks that a capture starts with handles, and not without them.
func TestHandlesBeforeCapture(t *testing.T) {
	f := newFake(t)
	f.call("testFail", 3)
	if err := f.BeginCapture(f.NullStream(), 0); driver.CodeOf(err) != driver.ErrorOutOfMemory {
		t.Errorf("a capture without handles: %v", err)
	}
	f.trace()
	if err := f.BeginCapture(f.NullStream(), 0); err != nil {
		t.Fatal(err)
	}
	if have := f.trace(); have != "cublasCreate_v2\ncusolverDnCreate\n" {
		t.Errorf("calls before a capture: %q", have)
	}
	f.endCapture(f.NullStream())
}

// TestErrorAfterCapture checks that a small call follows a capture during which a call failed, once.
func TestErrorAfterCapture(t *testing.T) {
	f := newFake(t)
	h, err := handlesOf(f.gpu)
	if err != nil {
		t.Fatal(err)
	}
	for _, failed := range []bool{true, false} {
		if err := f.BeginCapture(f.NullStream(), 0); err != nil {
			t.Fatal(err)
		}
		f.trace()
		h.failed = failed
		f.endCapture(f.NullStream())
		have := f.trace()
		if strings.Contains(have, "cusolverDnDgeqrf 2 1 1 @0 1 @8 @24 40 @16\n") != failed || h.failed {
			t.Errorf("calls after a capture, failed %v: %q", failed, have)
		}
	}
}

// TestFailedCallsInCaptures checks that only calls that fail during a capture are remembered.
func TestFailedCallsInCaptures(t *testing.T) {
	f := newFake(t)
	h, err := handlesOf(f.gpu)
	if err != nil {
		t.Fatal(err)
	}
	l := &driver.Launch{Args: f.arguments("rocblas_dscal", nil)}
	if err := f.Execute(f.NullStream(), l); err != nil {
		t.Fatal(err)
	}
	for _, captured := range []bool{false, true} {
		if captured {
			if err := f.BeginCapture(f.NullStream(), 0); err != nil {
				t.Fatal(err)
			}
		}
		f.call("testFail", 13)
		if err := f.Execute(f.NullStream(), l); err == nil {
			t.Error("the call does not fail")
		}
		if h.failed != captured {
			t.Errorf("captured %t, remembered %t", captured, h.failed)
		}
	}
	f.trace()
	f.endCapture(f.NullStream())
	trace := f.trace()
	for _, name := range []string{"cublasDtrsm_v2", "cusolverDnDgeqrf"} {
		if !strings.Contains(trace, name+" ") {
			t.Errorf("the end of the capture does not call %s:\n%s", name, trace)
		}
	}
	if err := f.Execute(f.NullStream(), l); err != nil {
		t.Errorf("the call after the capture: %v", err)
	}
}

// endCapture ends a capture.
func (f *fake) endCapture(s driver.Stream) {
	f.Helper()
	g, err := f.EndCapture(s)
	if err != nil {
		f.Fatal(err)
	}
	if err := g.Destroy(); err != nil {
		f.Fatal(err)
	}
}

// TestRecommendedWorkspace checks the size by the architecture of the device.
func TestRecommendedWorkspace(t *testing.T) {
	f := newFake(t)
	for major, want := range map[uintptr]uint64{7: 4 << 20, 8: 4 << 20, 9: 32 << 20, 10: 32 << 20} {
		f.call("testMajor", major)
		if d := f.open(f.libs); d.recommended() != want || d.Properties().Name != "fake" {
			t.Errorf("%+v: %d bytes, want %d", d.Properties(), d.recommended(), want)
		}
	}
}

// TestFailedCalls makes one call of the libraries after the other fail.
func TestFailedCalls(t *testing.T) {
	f := newFake(t)
	if text := fmt.Sprint(f.libs.parts()); !strings.Contains(text, " 12.4 ") || !strings.Contains(text, "12.13.14") ||
		!strings.Contains(text, "11.12.13") {
		t.Errorf("the libraries are %s", text)
	}
	f.call("testFail", 1)
	if text := fmt.Sprint(f.libs.cublas.part("cuBLAS", "cublasGetProperty")); !strings.Contains(text, "unknown") {
		t.Errorf("a library without a version is %s", text)
	}
	for status, want := range map[int32]driver.Error{0: driver.Success, 3: driver.ErrorOutOfMemory,
		99: driver.ErrorUnknown} {
		if err := f.libs.cublas.check(function{pattern: "f"}, uintptr(status)); driver.CodeOf(err) != want {
			t.Errorf("status %d is %v", status, err)
		}
	}
	if err := f.libs.cublas.call("cublasNone"); driver.CodeOf(err) != driver.ErrorNotSupported {
		t.Errorf("a function that does not exist: %v", err)
	}
	f.call("testFail", 3)
	if h, err := handlesOf(f.gpu); h != nil || driver.CodeOf(err) != driver.ErrorOutOfMemory {
		t.Errorf("handles that cannot be made: %v, %v", h, err)
	}
}

// TestRepeatedCalls makes calls in a row on one device. Each must pass the same arguments as on a new device, although
// a call that equals the last one passes the same words again.
func TestRepeatedCalls(t *testing.T) {
	f := newFake(t)
	kept := f.open(f.libs)
	dgemm, dasum := f.arguments("rocblas_dgemm", nil), f.arguments("rocblas_dasum", nil)
	batch := f.arguments("rocblas_dasum_strided_batched", slots{routine.StrideX: 0})
	change := func(a *routine.Args, change func(*routine.Args)) *routine.Args {
		b := *a
		change(&b)
		return &b
	}
	scaled := change(dgemm, func(a *routine.Args) { a.SetScalar(routine.Alpha, -3) })
	narrow := change(dgemm, func(a *routine.Args) { a.SetInt(routine.M, 2) })
	for i, c := range []struct {
		args     *routine.Args
		onDevice bool
		results  uint64 // the distance of the results from where other calls have them
	}{
		{dgemm, false, 0}, {dgemm, false, 0}, {scaled, false, 0}, {scaled, false, 0}, {dgemm, false, 0},
		{dasum, false, 0}, {dgemm, false, 0}, {narrow, false, 0}, {dgemm, false, 0}, {dgemm, true, 0},
		{dasum, false, 0}, {dasum, true, 0}, {dasum, false, 0}, {dasum, false, 256},
		{batch, false, 0}, {batch, false, 0}, {dasum, false, 0},
	} {
		f.results = 1024 + c.results
		var have, want string
		for trace, device := range map[*string]*device{&have: kept, &want: f.open(f.libs)} {
			f.device = device
			f.trace()
			a := *c.args
			if _, err := f.execute(&a, c.onDevice); err != nil {
				t.Fatal(err)
			}
			*trace = products(f.trace())
			if a.Routine.Has(routine.Alpha) && !c.onDevice {
				*trace += fmt.Sprint(*device.last.scalars)
			}
		}
		if have != want || want == "" {
			t.Errorf("call %d, %s: passed %q, want %q", i, c.args.Routine.CName(), have, want)
		}
	}
}

// products returns the lines of a trace that compute.
func products(trace string) string {
	var list strings.Builder
	for line := range strings.Lines(trace) {
		if !strings.HasPrefix(line, "cublasCreate") && !strings.HasPrefix(line, "cublasSet") &&
			!strings.HasPrefix(line, "cusolverDnCreate") {
			list.WriteString(line)
		}
	}
	return list.String()
}
