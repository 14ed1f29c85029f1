package workspace_test

import (
	"maps"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/sequence"
)

// TestGemvInPieces makes transposed products with and without memory for their workspace. In device pointer mode, one
// of more than 2^31-1 rows copies the factor 1 there, and fails as in the libraries if it has none.
func TestGemvInPieces(t *testing.T) {
	const none, enough = 64, sequence.WorkspaceBytes
	for _, c := range []struct {
		rows        int64
		bytes, mode uint64
		want        string
	}{
		{1 << 31, none, routine.PointerModeDevice, "internal_error"},
		{1 << 31, none, routine.PointerModeHost, "perf_degraded"},
		{1<<31 - 1, none, routine.PointerModeDevice, "perf_degraded"},
		{1 << 31, enough, routine.PointerModeDevice, "success"},
	} {
		call := squareCall("rocblas_sgemv_64", 1, map[routine.Slot]int64{routine.M: c.rows, routine.LDA: c.rows,
			routine.TransA: routine.OperationTranspose})
		have := lastResult(t, "rocm-7.2", sequence.CreateHandle(nil),
			&sequence.Operation{Name: "set_workspace", Size: c.bytes},
			&sequence.Operation{Name: "set_pointer_mode", Size: c.mode}, &sequence.Operation{Call: call})
		if have.Status != c.want {
			t.Errorf("%+v: %s", c, have)
		}
	}
}

// TestWideInInvalidCapture makes calls of huge problems while the capture of their stream is invalid: a call that
// launches a kernel, and checks whether that succeeded, returns internal_error. The libraries return the same.
func TestWideInInvalidCapture(t *testing.T) {
	const huge = 1 << 31
	for _, c := range []struct {
		call    string
		numbers map[routine.Slot]int64
		alpha   complex128
		want    map[string]string // by profile
	}{
		{"rocblas_dtbmv_batched_64", map[routine.Slot]int64{routine.K: huge, routine.LDA: huge + 1}, 1,
			both("internal_error")},
		{"rocblas_dtbmv_64", map[routine.Slot]int64{routine.K: huge, routine.LDA: huge + 1}, 1, both("invalid_size")},
		{"rocblas_dtrmm_64", map[routine.Slot]int64{routine.N: huge - 1}, 1, both("internal_error")},
		{"rocblas_dtrmm_64", map[routine.Slot]int64{routine.N: huge - 2}, 1,
			map[string]string{"rocm-6.4": "success", "rocm-7.2": "internal_error"}},
		{"rocblas_dtrmm_64", map[routine.Slot]int64{routine.N: 2 * huge}, 0, both("success")},
		{"rocblas_dsyr_64", map[routine.Slot]int64{routine.N: 2 * huge, routine.LDA: 2 * huge}, 1, both("success")},
		{"rocblas_dsyr_64", map[routine.Slot]int64{routine.N: huge, routine.LDA: huge}, 1, both("internal_error")},
		{"rocblas_dsymm_64", map[routine.Slot]int64{routine.M: huge, routine.LDA: huge, routine.LDB: huge,
			routine.LDC: huge}, 1, map[string]string{"rocm-6.4": "internal_error", "rocm-7.2": "invalid_size"}},
	} {
		for name, want := range c.want {
			if have := inInvalidCapture(t, name, c.call, c.numbers, c.alpha); have.Status != want {
				t.Errorf("%s: %s %v, alpha %v: %s, want %s", name, c.call, c.numbers, c.alpha, have, want)
			}
		}
	}
}

// TestIgnoredWaits makes 64-bit reductions of a captured stream, whose results cannot be waited for: the capture is
// invalidated. A dot product with an increment beyond 32 bits ignores that, as the libraries do.
func TestIgnoredWaits(t *testing.T) {
	const least = 1 << 31
	for _, c := range []struct {
		call    string
		numbers map[routine.Slot]int64
		want    string
	}{
		{"rocblas_ddot_64", map[routine.Slot]int64{routine.IncX: least}, "success"},
		{"rocblas_ddot_64", map[routine.Slot]int64{routine.IncX: -least}, "success"},
		{"rocblas_ddot_64", map[routine.Slot]int64{routine.IncX: least - 1, routine.IncY: 1 - least},
			"internal_error"},
		{"rocblas_zdotc_batched_64", map[routine.Slot]int64{routine.IncY: least}, "success"},
		{"rocblas_dot_strided_batched_ex_64", map[routine.Slot]int64{routine.IncY: -least}, "success"},
		{"rocblas_dasum_64", map[routine.Slot]int64{routine.IncX: least}, "internal_error"},
		{"rocblas_idamax_64", nil, "success"},
	} {
		for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
			have := lastResult(t, name, sequence.CreateHandle(nil), sequence.SetStream(2),
				sequence.BeginCapture(2, driver.CaptureGlobal),
				&sequence.Operation{Call: squareCall(c.call, 5, c.numbers)})
			if have.Status != c.want || have.States != "0 2 0" {
				t.Errorf("%s: %s %v: %s, want %s and an invalidated capture", name, c.call, c.numbers, have, c.want)
			}
		}
	}
}

func both(status string) map[string]string {
	return map[string]string{"rocm-6.4": status, "rocm-7.2": status}
}

// inInvalidCapture makes a call of order 3, except for the given numbers, in a stream whose capture is invalid.
func inInvalidCapture(t *testing.T, profile, name string, numbers map[routine.Slot]int64,
	alpha complex128) sequence.Result {
	t.Helper()
	call := squareCall(name, 3, numbers)
	call.Scalars[routine.Alpha] = alpha
	ops := []*sequence.Operation{sequence.CreateHandle(nil), sequence.SetStream(2),
		sequence.BeginCapture(2, driver.CaptureGlobal)}
	ops = append(append(ops, sequence.Order(3, 2, 0)...), &sequence.Operation{Call: call})
	return lastResult(t, profile, ops...)
}

// squareCall returns a routine call of order n, except for the given numbers.
func squareCall(name string, n int64, numbers map[routine.Slot]int64) *sequence.Call {
	r, _ := routine.Lookup(name)
	call := sequence.SquareCall(r, n)
	maps.Copy(call.Ints, numbers)
	return call
}

// lastResult runs operations on a device that computes nothing and returns the result of the last one.
func lastResult(t *testing.T, profileName string, ops ...*sequence.Operation) (result sequence.Result) {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Arch: "gfx90a", MemoryBytes: 64 << 30,
		Unchecked: true, Kernels: driver.KernelsIdle})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	side := &sequence.Side{Runtime: rt, Profile: profile(t, profileName)}
	if err := side.Prepare(); err != nil {
		t.Fatal(err)
	}
	for _, op := range ops {
		if result, err = side.Run(op); err != nil {
			t.Fatalf("%s: %v", op.CName(), err)
		}
	}
	return result
}
