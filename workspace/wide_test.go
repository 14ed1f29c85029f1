package workspace_test

import (
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/difftest"
)

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

func both(status string) map[string]string {
	return map[string]string{"rocm-6.4": status, "rocm-7.2": status}
}

// inInvalidCapture makes a call of order 3, except for the given numbers, in a stream whose capture is invalid.
func inInvalidCapture(t *testing.T, profileName, name string, numbers map[routine.Slot]int64,
	alpha complex128) difftest.Result {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Arch: "gfx90a", MemoryBytes: 64 << 30, Unchecked: true, NoKernels: true})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	side := &difftest.Side{Runtime: rt, Profile: profile(t, profileName)}
	if err := side.Prepare(); err != nil {
		t.Fatal(err)
	}
	r, _ := routine.Lookup(name)
	call := difftest.SquareCall(r, 3)
	for s, v := range numbers {
		call.Ints[s] = v
	}
	call.Scalars[routine.Alpha] = alpha
	ops := []*difftest.Operation{difftest.CreateHandle(nil), difftest.SetStream(2),
		difftest.BeginCapture(2, driver.CaptureGlobal)}
	ops = append(append(ops, difftest.Order(3, 2, 0)...), &difftest.Operation{Call: call})
	var result difftest.Result
	for _, op := range ops {
		if result, err = side.Run(op); err != nil {
			t.Fatalf("%s: %v", op.CName(), err)
		}
	}
	return result
}
