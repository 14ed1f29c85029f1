package workspace_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/internal/units"
	"roclua/workspace"
	"roclua/workspace/status"
)

// TestQuickReturns checks the results of calls that have nothing to compute: zeros for a reduction.
func TestQuickReturns(t *testing.T) {
	for _, test := range []struct {
		name     string
		ints     map[routine.Slot]int64
		onDevice bool
		results  int // bytes
		fills    int // HIP calls
	}{
		{"rocblas_dasum", map[routine.Slot]int64{routine.N: 0}, false, 8, 0},
		{"rocblas_sasum_batched", map[routine.Slot]int64{routine.N: 0, routine.BatchCount: 3}, false, 12, 0},
		{"rocblas_dasum_batched", map[routine.Slot]int64{routine.BatchCount: 0}, false, 0, 0},
		{"rocblas_dasum_batched", map[routine.Slot]int64{routine.BatchCount: -1}, false, 0, 0},
		{"rocblas_dtrsv", map[routine.Slot]int64{routine.N: 0}, false, 0, 0},
		{"rocblas_dasum", map[routine.Slot]int64{routine.N: 0}, true, 0, 1},
		{"rocblas_dasum_batched", map[routine.Slot]int64{routine.BatchCount: 0}, true, 0, 0},
		{"rocblas_dtrsv", map[routine.Slot]int64{routine.N: 0}, true, 0, 0},
	} {
		f, rt, h := openFailing(t, "rocm-7.2", nil)
		a := callOf(t, rt, test.name, test.ints)
		if test.onDevice {
			wantStatus(t, h.SetPointerMode(routine.PointerModeDevice), status.Success)
			a.SetPtr(routine.Result, a.Ptr(routine.X))
		}
		rt.Trace()
		out, err := h.Call(a)
		wantStatus(t, err, status.Success)
		if !bytes.Equal(out.Results, make([]byte, test.results)) || len(rt.Trace()) != test.fills ||
			len(f.launches) != 0 {
			t.Errorf("%s %v: results %v", test.name, test.ints, out.Results)
		}
		f.errs["Fill"] = driver.ErrorInvalidValue
		want := status.Success
		if test.fills > 0 {
			want = status.InternalError
		}
		_, err = h.Call(a)
		wantStatus(t, err, want)
		wantStatus(t, h.StartQuery(), status.Success)
		if out, err := h.Call(a); out.Results != nil || err != nil {
			t.Errorf("%s %v in a query: %v, %v", test.name, test.ints, out.Results, err)
		}
	}
}

// TestResults checks the number of results of a reduction, and that failures of HIP are returned.
func TestResults(t *testing.T) {
	for name, want := range map[string]int{
		"rocblas_dasum": 8, "rocblas_sasum_batched": 12, "rocblas_zdotu_strided_batched": 48,
	} {
		f, rt, h := openFailing(t, "rocm-7.2", nil)
		a := callOf(t, rt, name, map[routine.Slot]int64{routine.N: 100, routine.BatchCount: 3})
		if out, err := h.Call(a); len(out.Results) != want || err != nil {
			t.Errorf("%s: %d bytes, %v", name, len(out.Results), err)
		}
		if l := f.launches[0]; uint64(l.Result) != uint64(l.Work[0].Ptr)+l.Work[0].Bytes-uint64(want) {
			t.Errorf("%s: results at %#x of %+v", name, l.Result, l.Work)
		}
		for _, method := range []string{"Execute", "Synchronize"} {
			f.errs[method] = driver.ErrorInvalidValue
			_, err := h.Call(a)
			wantStatus(t, err, status.InternalError)
			f.errs[method] = nil
		}
	}
}

// TestScalarsOnTheDevice checks that a product reads alpha and beta, and returns a failure of either.
func TestScalarsOnTheDevice(t *testing.T) {
	f, rt, h := openFailing(t, "rocm-7.2", nil)
	a := callOf(t, rt, "rocblas_dgemm", nil)
	wantStatus(t, h.SetPointerMode(routine.PointerModeDevice), status.Success)
	valid := a.Ptr(routine.A)
	for _, test := range []struct {
		alpha, beta uint64
		want        status.Status
		reads       int
	}{
		{valid, valid, status.Success, 2},
		{64, valid, status.InternalError, 1},
		{valid, 64, status.InternalError, 2},
	} {
		a.SetPtr(routine.Alpha, test.alpha)
		a.SetPtr(routine.Beta, test.beta)
		rt.Trace()
		_, err := h.Call(a)
		wantStatus(t, err, test.want)
		reads := 0
		for _, c := range rt.Trace() {
			if c.Name == "hipMemcpyAsync" {
				reads++
			}
		}
		if reads != test.reads {
			t.Errorf("%+v: %d copies", test, reads)
		}
	}
	a.SetPtr(routine.Beta, valid)
	f.errs["Synchronize"] = driver.ErrorLaunchFailure
	_, err := h.Call(a)
	wantStatus(t, err, status.InternalError)
}

// TestCallsWithoutWorkspace checks a trsm with an alpha of 0, which clears B.
func TestCallsWithoutWorkspace(t *testing.T) {
	f, rt, h := openFailing(t, "rocm-7.2", nil)
	a := callOf(t, rt, "rocblas_dtrsm", map[routine.Slot]int64{routine.M: 300, routine.N: 300})
	a.SetScalar(routine.Alpha, 0)
	_, err := h.Call(a)
	if wantStatus(t, err, status.Success); len(f.launches) != 1 || len(f.launches[0].Work) != 0 {
		t.Errorf("launches %+v", f.launches)
	}
	f.errs["Execute"] = driver.ErrorInvalidValue
	_, err = h.Call(a)
	wantStatus(t, err, status.InternalError)
	wantStatus(t, h.StartQuery(), status.Success)
	_, err = h.Call(a)
	wantStatus(t, err, status.InternalError)
	a.SetPtr(routine.B, 0)
	_, err = h.Call(a)
	wantStatus(t, err, status.Success)
}

// TestFailedRelease makes the release of a call's workspace fail, and the library ends the process, whether or not
// the call itself failed.
func TestFailedRelease(t *testing.T) {
	f, rt, h := openFailing(t, "rocm-7.2", map[string]string{workspace.EnvStreamOrderAlloc: "1"})
	a := callOf(t, rt, "rocblas_dtrmv", map[routine.Slot]int64{routine.N: 100})
	if _, err := h.Call(a); err != nil {
		t.Fatal(err)
	}
	f.errs["FreeAsync"] = driver.ErrorInvalidValue
	for range 2 {
		_, err := h.Call(a)
		var abort *workspace.Abort
		if !errors.As(err, &abort) || abort.Func != "rocblas_dtrmv" ||
			!strings.Contains(err.Error(), "could not be released") {
			t.Errorf("the release fails: %v", err)
		}
		f.errs["Execute"] = driver.ErrorLaunchFailure
	}
}

// TestFailedReleaseOnPlatform makes the release of a workspace fail on the platform of the profile cuda. The status
// is an error of the call, unless the call itself failed.
func TestFailedReleaseOnPlatform(t *testing.T) {
	f, rt, h := openFailing(t, "cuda", map[string]string{workspace.EnvStreamOrderAlloc: "1"})
	f.needs.Buffers = []driver.Buffer{{ID: buffer.VectorCopy, Bytes: 800}}
	f.errs["FreeAsync"] = driver.ErrorInvalidValue
	a := callOf(t, rt, "rocblas_dtrmv", map[routine.Slot]int64{routine.N: 100})
	out, err := h.Call(a)
	wantError(t, err, status.InternalError, "rocblas_dtrmv")
	if out.Status != status.InternalError {
		t.Errorf("the status is %s", out.Status)
	}
	f.errs["Execute"] = driver.ErrorOutOfMemory
	_, err = h.Call(a)
	wantError(t, err, status.MemoryError, "rocblas_dtrmv")
	allocated, err := h.DeviceMalloc(64)
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, allocated.Release(), status.InternalError, "device_malloc")
}

// wantError checks the status and the function of an error.
func wantError(t *testing.T, err error, want status.Status, function string) {
	t.Helper()
	wantStatus(t, err, want)
	var e *workspace.Error
	if errors.As(err, &e) && e.Func != function {
		t.Errorf("%v: the function is %s, want %s", err, e.Func, function)
	}
}

// TestNullWorkspace calls routines with a workspace at address 0, which a handle of fixed size has in stream order. As
// in the libraries, only copies of x notice it.
func TestNullWorkspace(t *testing.T) {
	fixed := map[string]string{workspace.EnvStreamOrderAlloc: "1", workspace.EnvDeviceMemorySize: "1000000"}
	for name, want := range map[string]status.Status{
		"rocblas_dtrmv": status.InvalidPointer, "rocblas_dtpmv_batched": status.InvalidPointer,
		"rocblas_dtbmv": status.InvalidPointer, "rocblas_dtbmv_batched": status.Success,
		"rocblas_dtrsv": status.Success, "rocsolver_dgetrf": status.Success,
	} {
		f, rt, h := openFailing(t, "rocm-7.2", fixed)
		out, err := h.Call(callOf(t, rt, name, map[routine.Slot]int64{routine.M: 200, routine.N: 200}))
		wantStatus(t, err, want)
		if ran := len(f.launches) == 1; out.Status != want || ran != (want == status.Success) {
			t.Errorf("%s: %s, ran %v", name, out.Status, ran)
		}
	}
}

// TestLongReductions checks how long a reduction is that is computed in chunks.
func TestLongReductions(t *testing.T) {
	_, rt, h := openFailing(t, "rocm-7.2", nil)
	for n, want := range map[int64]status.Status{1 << 28: status.Success, 1<<28 + 1: status.NotImplemented} {
		for _, name := range []string{"rocblas_dasum", "rocblas_dasum_64"} {
			_, err := h.Call(callOf(t, rt, name, map[routine.Slot]int64{routine.N: n}))
			wantStatus(t, err, want)
		}
	}
}

// TestEmptySolvers checks which calls of a solver without anything to compute run: those that set info.
func TestEmptySolvers(t *testing.T) {
	for _, test := range []struct {
		name     string
		n, batch int64
		want     int
	}{
		{"rocsolver_dgetrf_strided_batched", 10, 2, 1},
		{"rocsolver_dgetrf_strided_batched", 0, 2, 1},
		{"rocsolver_dgetrf_strided_batched", 10, 0, 0},
		{"rocsolver_dgeqrf_strided_batched", 0, 2, 0},
		{"rocsolver_dgeqrf_strided_batched", 10, 2, 1},
	} {
		f, rt, h := openFailing(t, "rocm-7.2", nil)
		a := callOf(t, rt, test.name,
			map[routine.Slot]int64{routine.M: 10, routine.N: test.n, routine.BatchCount: test.batch})
		_, err := h.Call(a)
		if wantStatus(t, err, status.Success); len(f.launches) != test.want {
			t.Errorf("%+v: %d launches", test, len(f.launches))
		}
	}
}

// TestUnreportedMemory checks that a batched gesdd fails with the memory that a size query reports, and runs with the
// memory that the library was seen to need.
func TestUnreportedMemory(t *testing.T) {
	sizes := map[routine.Slot]int64{routine.M: 20, routine.N: 20, routine.LDA: 20, routine.LDU: 20, routine.LDV: 20,
		routine.StrideS: 100, routine.BatchCount: 3, routine.LeftSvect: routine.SvectAll,
		routine.RightSvect: routine.SvectAll}
	for bytes, want := range map[string]status.Status{"50240": status.MemoryError, "74176": status.MemoryError,
		"74240": status.Success} {
		f, rt, h := openFailing(t, "rocm-7.2", map[string]string{workspace.EnvDeviceMemorySize: bytes})
		_, err := h.Call(callOf(t, rt, "rocsolver_sgesdd_batched", sizes))
		if want != status.Success && !strings.Contains(err.Error(), "does not report 24000 bytes") {
			t.Errorf("with %s bytes: %v", bytes, err)
		}
		if wantStatus(t, err, want); want == status.Success && len(f.launches) != 1 {
			t.Errorf("%d launches", len(f.launches))
		}
	}
}

// TestShortages checks the explanation of a memory_error, also while another allocation is in use.
func TestShortages(t *testing.T) {
	_, rt, h := openFailing(t, "rocm-7.2", map[string]string{workspace.EnvDeviceMemorySize: "1024"})
	buffers, err := h.DeviceMalloc(192)
	if err != nil || buffers == nil {
		t.Fatal(buffers, err)
	}
	for _, test := range []struct {
		name     string
		n        int64
		required uint64
		reason   string
	}{
		{"rocblas_dtrmv", 1000, 8000, ""},
		{"rocblas_dtrsm", 300, 1027200, ""}, // its smaller set of buffers has the same size
		{"rocblas_dtrsm", 1024, 2097152, "its slower form needs 1049600 bytes (1.0 MiB)"},
	} {
		a := callOf(t, rt, test.name, map[routine.Slot]int64{routine.M: test.n, routine.N: test.n})
		_, err := h.Call(a)
		var e *workspace.Error
		if !errors.As(err, &e) || e.Status != status.MemoryError || e.Required != test.required || e.Available != 832 ||
			e.Reason != test.reason {
			t.Errorf("%s: %+v", test.name, e)
		}
	}
	var e *workspace.Error
	if err := h.Shortage(1000, 1); !errors.As(err, &e) || e.Required != 1024+64 || e.Available != 832 ||
		e.Reason != "2 buffers" {
		t.Errorf("%+v", e)
	}
	wantStatus(t, buffers.Release(), status.Success)
	managed := create(t, rt, "rocm-7.2", nil)
	err = second(managed.Call(callOf(t, rt, "rocblas_dtrmv", map[routine.Slot]int64{routine.N: 1 << 30})))
	want := "a managed workspace grows to need + " + units.FormatBytes(defaultSize)
	if !errors.As(err, &e) || e.Reason != want {
		t.Errorf("%v, want %s", err, want)
	}
	inOrder := create(t, rt, "rocm-7.2", map[string]string{workspace.EnvStreamOrderAlloc: "1"})
	err = second(inOrder.Call(callOf(t, rt, "rocblas_dtrmv", map[routine.Slot]int64{routine.N: 1 << 30})))
	if !errors.As(err, &e) || e.Status != status.MemoryError || e.Reason != "" {
		t.Errorf("in stream order: %v", err)
	}
}

// TestNeedsOfAPlatform checks a handle whose platform's libraries report sizes.
func TestNeedsOfAPlatform(t *testing.T) {
	f, rt, h := openFailing(t, "cuda", nil)
	f.needs.Buffers = []driver.Buffer{{ID: buffer.VectorCopy, Bytes: 100}, {ID: buffer.Pivots, Bytes: 65}}
	a := callOf(t, rt, "rocblas_dtrmv", map[routine.Slot]int64{routine.N: 100})
	wantStatus(t, h.StartQuery(), status.Success)
	out, err := h.Call(a)
	if err != nil || out.Status != status.SizeIncreased {
		t.Errorf("%s, %v", out.Status, err)
	}
	if bytes, err := h.StopQuery(false); bytes != 256 || err != nil {
		t.Errorf("%d bytes, %v", bytes, err)
	}
	if _, err := h.Call(a); err != nil || len(f.launches) != 1 || len(f.launches[0].Work) != 2 {
		t.Errorf("%v, %+v", err, f.launches)
	}
	f.errs["Needs"] = driver.ErrorNotSupported
	_, err = h.Call(a)
	wantStatus(t, err, status.NotImplemented)
}

// TestResultOfAPlatform checks that a result in half precision is at the start of the two bytes that a platform reports
// for it. rocBLAS's nrm2_ex copies four.
func TestResultOfAPlatform(t *testing.T) {
	f, rt, h := openFailing(t, "cuda", nil)
	f.needs.Buffers = []driver.Buffer{{ID: buffer.Results, Bytes: 2}}
	a := callOf(t, rt, "rocblas_nrm2_ex", map[routine.Slot]int64{routine.N: 100, routine.XType: routine.DatatypeF16,
		routine.ResultType: routine.DatatypeF16, routine.ExecutionType: routine.DatatypeF32})
	out, err := h.Call(a)
	if err != nil || len(out.Results) != 2 || len(f.launches) != 1 {
		t.Fatalf("%v, %d bytes, %d launches", err, len(out.Results), len(f.launches))
	}
	if l := f.launches[0]; l.Result != l.Work[0].Ptr {
		t.Errorf("the result is at %#x, its buffer at %#x", l.Result, l.Work[0].Ptr)
	}
}

// TestSolversWithoutBuffers calls routines of rocSOLVER in stream order: one whose buffers are empty allocates 0 bytes,
// and one that never needs memory allocates nothing.
func TestSolversWithoutBuffers(t *testing.T) {
	for name, want := range map[string]int{"rocsolver_dgetf2_npvt": 1, "rocsolver_dlaswp": 0, "rocsolver_dsytf2": 0} {
		_, rt, h := openFailing(t, "rocm-7.2", map[string]string{workspace.EnvStreamOrderAlloc: "1"})
		a := callOf(t, rt, name, map[routine.Slot]int64{routine.M: 20, routine.N: 20})
		rt.Trace()
		_, err := h.Call(a)
		wantStatus(t, err, status.Success)
		have := 0
		for _, c := range rt.Trace() {
			if c.Name == "hipMallocAsync" {
				have++
			}
		}
		if have != want {
			t.Errorf("%s: %d allocations, want %d", name, have, want)
		}
	}
}
