package workspace_test

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// computing opens a simulated device that computes, and a handle that checks numbers.
func computing(t *testing.T, env map[string]string) (*hip.Runtime, workspace.Handle) {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{MemoryBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	return rt, create(t, rt, "rocm-7.2", env)
}

// vector returns numbers in device memory.
func vector(t *testing.T, rt *hip.Runtime, x ...float64) driver.Ptr {
	t.Helper()
	var data []byte
	for _, v := range x {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	p, err := rt.Device().Malloc(uint64(len(data)))
	if err == nil {
		err = rt.Device().Write(p, data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCheckNumerics checks what each bit of the mode does with numbers of each kind, before and after a call.
func TestCheckNumerics(t *testing.T) {
	const huge, denormal = 1e308, 1e-310
	infinity := math.Inf(1)
	for _, test := range []struct {
		mode    string
		alpha   float64
		numbers [2]float64
		status  status.Status
		printed []string
	}{
		{"4", 2, [2]float64{1, 0}, status.Success, nil},
		{"4", 2, [2]float64{1, math.NaN()}, status.CheckNumericsFail, nil},
		{"4", 2, [2]float64{infinity, 1}, status.CheckNumericsFail, nil},
		{"4", 2, [2]float64{-denormal, 1}, status.CheckNumericsFail, nil},
		{"12", 2, [2]float64{denormal, 1}, status.Success, nil},
		{"12", 2, [2]float64{math.NaN(), 1}, status.CheckNumericsFail, nil},
		{"4", 10, [2]float64{huge, 1}, status.CheckNumericsFail, nil},
		{"2", 10, [2]float64{huge, 0}, status.Success, []string{"x after the call has zero, infinity"}},
		{"6", 10, [2]float64{huge, 1}, status.CheckNumericsFail, []string{"x after the call has infinity"}},
		{"1", 2, [2]float64{0, denormal}, status.Success, []string{
			"x before the call has zero, denormal number", "x after the call has zero, denormal number"}},
		{"1", 2, [2]float64{1, 1}, status.Success, []string{"x before the call has nothing",
			"x after the call has nothing"}},
		{"10", 2, [2]float64{denormal, 1}, status.Success, nil},
		{"16", 2, [2]float64{math.NaN(), 1}, status.Success, nil},
		{"0", 2, [2]float64{math.NaN(), 1}, status.Success, nil},
		{"x", 2, [2]float64{math.NaN(), 1}, status.Success, nil},
	} {
		rt, h := computing(t, map[string]string{workspace.EnvCheckNumerics: test.mode})
		a := callOf(t, rt, "rocblas_dscal", map[routine.Slot]int64{routine.N: 2})
		a.SetScalar(routine.Alpha, complex(test.alpha, 0))
		a.SetPtr(routine.X, uint64(vector(t, rt, test.numbers[:]...)))
		out, err := h.Call(a)
		wantStatus(t, err, test.status)
		if out.Status != test.status {
			t.Errorf("mode %s, %v: %s, want %s", test.mode, test.numbers, out.Status, test.status)
		}
		var printed []string
		for line := range strings.Lines(out.Printed) {
			printed = append(printed, strings.TrimSuffix(strings.TrimPrefix(line, "rocblas_dscal: check_numerics: "),
				"\n"))
		}
		if !slices.Equal(printed, test.printed) {
			t.Errorf("mode %s, %v: printed %q, want %q", test.mode, test.numbers, printed, test.printed)
		}
	}
}

// TestCheckNumericsOfATriangle checks that only the triangle of a matrix is checked, and of trtri's result too.
func TestCheckNumericsOfATriangle(t *testing.T) {
	nan := math.NaN()
	for at, want := range map[int]status.Status{0: status.CheckNumericsFail, 1: status.CheckNumericsFail,
		2: status.Success} {
		matrix := []float64{1, 2, 3, 4}
		matrix[at] = nan
		rt, h := computing(t, map[string]string{workspace.EnvCheckNumerics: "4"})
		a := callOf(t, rt, "rocblas_dtrtri", map[routine.Slot]int64{routine.N: 2, routine.LDA: 2, routine.LDInvA: 2})
		a.SetInt(routine.Uplo, routine.FillLower)
		a.SetPtr(routine.A, uint64(vector(t, rt, matrix...)))
		a.SetPtr(routine.InvA, uint64(vector(t, rt, 0, 0, nan, 0)))
		_, err := h.Call(a)
		wantStatus(t, err, want)
	}
}

// TestCheckNumericsTakesWorkspace has the results of the libraries of rocm-6.4 and rocm-7.2: each check takes 64 bytes.
func TestCheckNumericsTakesWorkspace(t *testing.T) {
	gemm := map[routine.Slot]int64{routine.M: 4, routine.N: 4, routine.K: 4, routine.LDA: 4, routine.LDB: 4,
		routine.LDC: 4}
	rt := open(t, "gfx90a", 1<<30)
	h := create(t, rt, "rocm-7.2", map[string]string{workspace.EnvCheckNumerics: "4"})
	call := callOf(t, rt, "rocblas_dgemm", gemm)
	p, err := rt.Device().Malloc(64)
	if err != nil {
		t.Fatal(err)
	}
	for bytes, want := range map[uint64]status.Status{8: status.MemoryError, 63: status.MemoryError,
		64: status.Success} {
		wantStatus(t, h.SetWorkspace(p, bytes), status.Success)
		_, err := h.Call(call)
		wantStatus(t, err, want)
		var e *workspace.Error
		if errors.As(err, &e) && (e.Required != 64 || e.Available != bytes ||
			!strings.Contains(e.Reason, "check of A")) {
			t.Errorf("with %d bytes: %v", bytes, err)
		}
	}
	wantStatus(t, h.SetWorkspace(0, 0), status.Success)
	_, err = h.Call(call)
	wantStatus(t, err, status.Success)
	if held, err := h.DeviceMemorySize(); held != 33554496 || err != nil {
		t.Errorf("holds %d bytes (%v), want 33554496", held, err)
	}
}

// TestCheckNumericsWithinWorkspace checks a call whose own workspace leaves no memory for a check: a fixed size is too
// small, and a managed one cannot grow while it is in use.
func TestCheckNumericsWithinWorkspace(t *testing.T) {
	rt := open(t, "gfx90a", 1<<30)
	check := map[string]string{workspace.EnvCheckNumerics: "4"}
	call := callOf(t, rt, "rocblas_dasum", map[routine.Slot]int64{routine.N: 100000})
	h := create(t, rt, "rocm-7.2", check)
	wantStatus(t, h.StartQuery(), status.Success)
	_, err := h.Call(call)
	wantStatus(t, err, status.Success)
	need, err := h.StopQuery(false)
	if err != nil {
		t.Fatal(err)
	}
	wantStatus(t, h.SetDeviceMemorySize(need), status.Success)
	_, err = h.Call(call)
	wantStatus(t, err, status.MemoryError)
	wantStatus(t, h.SetDeviceMemorySize(need+64), status.Success)
	_, err = h.Call(call)
	wantStatus(t, err, status.Success)

	size := uint64(need)
	managed, err := workspace.Create(rt.Device(), workspace.Config{Profile: profile(t, "rocm-7.2"),
		Environment: check, DefaultBytes: &size})
	if err != nil {
		t.Fatal(err)
	}
	var abort *workspace.Abort
	if _, err = managed.Call(call); !errors.As(err, &abort) || abort.Func != "rocblas_dasum" {
		t.Errorf("a managed handle of the size of the query: %v, want an abort", err)
	}
}

// TestCheckNumericsWithoutSearch checks that an error of a search ends the call.
func TestCheckNumericsWithoutSearch(t *testing.T) {
	_, rt, h := openFailing(t, "rocm-7.2", map[string]string{workspace.EnvCheckNumerics: "4"})
	_, err := h.Call(callOf(t, rt, "rocblas_dasum", map[routine.Slot]int64{routine.N: 2}))
	wantStatus(t, err, status.NotImplemented)
}
