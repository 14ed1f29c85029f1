package workspace_test

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/sequence"
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

// TestCheckNumerics checks each bit of the mode with numbers of each kind, before and after a call.
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

// TestChecksOfProducts counts the waits of checks by products that triangular solves in panels of 128 make. The numbers
// are the libraries'.
func TestChecksOfProducts(t *testing.T) {
	type ints = map[routine.Slot]int64
	for _, test := range []struct {
		call      string
		n         int64
		other     ints
		workspace uint64 // 0 keeps the managed memory
		want      int
	}{
		{"rocblas_dtrsm", 256, ints{routine.N: 128}, 0, 3}, // by substitution
		{"rocblas_dtrsm", 256, nil, 0, 7},
		{"rocblas_dtrsm", 257, nil, 0, 3},
		{"rocblas_strsm", 384, ints{routine.N: 65}, 0, 11},
		{"rocblas_ztrsm_64", 640, ints{routine.M: 65, routine.Side: routine.SideRight}, 0, 19},
		{"rocblas_dtrsm", 256, nil, 524288 + 64, 7},
		{"rocblas_dtrsm", 256, nil, 524288, 3},               // no memory for the checks of the product
		{"rocblas_dtrsm", 256, nil, 524288 - 64, 2 + 4*256},  // a product for each column
		{"rocsolver_dgetri", 384, nil, 0, 8},                 // from the right
		{"rocsolver_dgetri_strided_batched", 384, nil, 0, 0}, // in panels of 32
		{"rocsolver_dgetrs", 512, nil, 0, 2 * 3 * 4},         // two solves
		{"rocsolver_dgetrs_strided_batched", 512, nil, 0, 0}, // by kernels of rocSOLVER
		{"rocsolver_sgetri_npvt", 256, nil, 0, 4},
	} {
		for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
			profile, err := workspace.FindProfile(name)
			if err != nil {
				t.Fatal(err)
			}
			r, _ := routine.Lookup(test.call)
			c := sequence.SquareCall(r, test.n)
			maps.Copy(c.Ints, test.other)
			ops := []*sequence.Operation{sequence.CreateHandle(map[string]string{workspace.EnvCheckNumerics: "4"})}
			if test.workspace != 0 {
				ops = append(ops, &sequence.Operation{Name: "set_workspace", Size: test.workspace})
			}
			have := run(t, waitingSide(t, profile), append(ops, &sequence.Operation{Call: c}))
			if n := waits(have.Calls); n != test.want {
				t.Errorf("%s, %s of order %d, %v, workspace %d: %s with %d waits, want %d", name, test.call, test.n,
					test.other, test.workspace, have.Status, n, test.want)
			}
		}
	}
}

// TestChecksInCapture counts how often checks query whether the stream is captured. In an invalidated capture syrk_ex
// of 16-bit matrices fails before it checks the arrays of its product, and the batched trtri before it checks A;
// products of a solve fail before they check their result, or the solve ends before they are made.
func TestChecksInCapture(t *testing.T) {
	for _, test := range []struct {
		profile, call string
		n             int64
		invalid       bool
		want          int
	}{
		{"rocm-7.2", "rocblas_syrk_ex", 64, false, 7},
		{"rocm-7.2", "rocblas_syrk_ex", 64, true, 2},
		{"rocm-7.2", "rocblas_dtrtri_batched", 64, true, 1},
		{"rocm-7.2", "rocblas_dtrtri_batched", 100, true, 0},
		{"rocm-6.4", "rocblas_dtrtri_batched", 100, true, 0},
		{"rocm-7.2", "rocsolver_dgetri", 384, false, 8},
		{"rocm-7.2", "rocsolver_dgetri", 384, true, 0},
		{"rocm-6.4", "rocsolver_dgetri", 384, true, 6},
		{"rocm-6.4", "rocsolver_dgetrs", 512, true, 2 * 3 * 3}, // the exchange of rows fails first
		{"rocm-6.4", "rocsolver_dpotrs", 512, true, 3 * 3},     // the first solve ends
		{"rocm-6.4", "rocblas_dtrsm_batched", 256, false, 6},   // its first wait invalidates the capture
	} {
		profile, err := workspace.FindProfile(test.profile)
		if err != nil {
			t.Fatal(err)
		}
		c := squareCall(test.call, test.n, nil)
		if _, ok := c.Ints[routine.AType]; ok {
			c.Ints[routine.AType] = routine.DatatypeF16
		}
		ops := []*sequence.Operation{sequence.CreateHandle(map[string]string{workspace.EnvCheckNumerics: "4"}),
			sequence.SetStream(2), sequence.BeginCapture(2, driver.CaptureRelaxed)}
		if test.invalid {
			ops = append(ops, sequence.Order(3, 2, 0)...)
		}
		have := run(t, waitingSide(t, profile), append(ops, &sequence.Operation{Call: c}, sequence.EndCapture(2)))
		asked := 0
		for _, call := range have.Calls {
			asked += strings.Count(call, "hipStreamIsCapturing")
		}
		if asked != test.want {
			t.Errorf("%s, %s of order %d, invalid capture %v: %s with %d queries, want %d", test.profile, test.call,
				test.n, test.invalid, have, asked, test.want)
		}
	}
}

// TestChecksOfDegradedSolves counts the waits of solves that ignore inverted blocks, because there are too few of them,
// with and without checks. The numbers come from the libraries.
func TestChecksOfDegradedSolves(t *testing.T) {
	ints := map[routine.Slot]int64{routine.Side: 141, routine.Uplo: 122, routine.TransA: 112, routine.Diag: 131,
		routine.M: 160, routine.N: 255, routine.LDA: 161, routine.LDB: 162, routine.InvASize: 16,
		routine.ComputeType: routine.DatatypeF64, routine.StrideA: 1 << 16, routine.StrideB: 1 << 16,
		routine.StrideInvA: 1 << 14, routine.BatchCount: 4}
	for _, test := range []struct {
		release, name   string
		waits, ofChecks int
	}{
		{"rocm-6.4", "trsm_ex", 0, 2}, {"rocm-6.4", "trsm_strided_batched_ex", 0, 2},
		{"rocm-6.4", "trsm_batched_ex", 3, 2},
		{"rocm-7.2", "trsm_ex", 0, 2}, {"rocm-7.2", "trsm_strided_batched_ex", 0, 2},
		{"rocm-7.2", "trsm_batched_ex", 3, 3},
	} {
		profile, err := workspace.FindProfile(test.release)
		if err != nil {
			t.Fatal(err)
		}
		r, _ := routine.Lookup("rocblas_" + test.name)
		for mode, want := range map[string]int{"0": test.waits, "1": test.waits + test.ofChecks} {
			side := waitingSide(t, profile)
			create := sequence.CreateHandle(map[string]string{workspace.EnvCheckNumerics: mode})
			if _, err := side.Run(create); err != nil {
				t.Fatal(err)
			}
			c := sequence.NewCall(r, ints)
			c.Scalars[routine.Alpha] = 1
			have, err := side.Run(sequence.Execute(c)[0])
			if err != nil || have.Status != "perf_degraded" || waits(have.Calls) != want {
				t.Errorf("%s, %s, mode %s: %s, %v; want perf_degraded with %d waits", test.release, test.name,
					mode, have, err, want)
			}
		}
	}
}
