package workspace_test

import (
	"testing"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

func named(t *testing.T, name string, ints map[routine.Slot]int64) *routine.Args {
	t.Helper()
	r, ok := routine.Lookup(name)
	if !ok {
		t.Fatalf("no routine %s", name)
	}
	a := r.New()
	for slot, v := range ints {
		a.SetInt(slot, v)
	}
	return a
}

// TestMissingRoutines calls routines that a release does not export, or that do not exist for an architecture.
func TestMissingRoutines(t *testing.T) {
	for _, test := range []struct {
		profile, arch, name string
		want                status.Status
	}{
		{"rocm-7.2", "gfx90a", "rocblas_gemm_ex3", status.NotImplemented},
		{"rocm-6.4", "gfx90a", "rocblas_gemm_ex3", status.ArchMismatch},
		{"rocm-6.4", "gfx942:xnack-", "rocblas_gemm_ex3", status.NotImplemented}, // compute_type is 0
		{"rocm-6.4", "gfx90a", "rocblas_syrk_ex", status.NotImplemented},
		{"rocm-7.1", "gfx90a", "rocblas_syrk_ex", status.NotImplemented},
		{"rocm-7.2", "gfx90a", "rocblas_syrk_ex", status.NotImplemented}, // execution_type is 0
		{"rocm-6.4", "gfx90a", "rocblas_sgemm_kernel_name", status.NotImplemented},
	} {
		h := create(t, open(t, test.arch, 1<<30), test.profile, nil)
		_, err := h.Call(named(t, test.name, nil))
		wantStatus(t, err, test.want)
		wantStatus(t, h.Destroy(), status.Success)
	}
}

// TestExecutedNeedsLess executes syrk_ex, whose query reports 8 bytes for each element, in the memory that it
// allocates, and in 64 bytes less. The library of rocm-7.2 gives the same statuses.
func TestExecutedNeedsLess(t *testing.T) {
	for _, test := range []struct {
		a, c, execution int64
		least           uint64
	}{
		{routine.DatatypeF16, routine.DatatypeF16, routine.DatatypeF32, 9920},
		{routine.DatatypeBF16, routine.DatatypeF32, routine.DatatypeF32, 19840},
		{routine.DatatypeF32, routine.DatatypeF64, routine.DatatypeF64, 0},
	} {
		rt := open(t, "gfx90a", 1<<30)
		h := create(t, rt, "rocm-7.2", nil)
		a := named(t, "rocblas_syrk_ex", map[routine.Slot]int64{
			routine.Uplo: routine.FillUpper, routine.TransA: routine.OperationNone, routine.N: 100, routine.K: 10,
			routine.LDA: 100, routine.LDC: 100, routine.AType: test.a, routine.CType: test.c,
			routine.ExecutionType: test.execution})
		a.SetScalar(routine.Alpha, 1)
		a.SetScalar(routine.Beta, 2)
		p, err := rt.Device().Malloc(1 << 20)
		wantStatus(t, err, status.Success)
		a.SetPtr(routine.A, uint64(p))
		a.SetPtr(routine.C, uint64(p))
		wantStatus(t, h.StartQuery(), status.Success)
		if out, err := h.Call(a); err != nil || out.Status != status.SizeIncreased {
			t.Errorf("in a query: %v, %v", out.Status, err)
		}
		if bytes, err := h.StopQuery(false); err != nil || bytes != 39616 {
			t.Errorf("the query reports %d bytes, %v", bytes, err)
		}
		work, err := rt.Device().Malloc(max(test.least, 64))
		wantStatus(t, err, status.Success)
		wantStatus(t, h.SetWorkspace(work, max(test.least, 64)), status.Success)
		_, err = h.Call(a)
		wantStatus(t, err, status.Success)
		if test.least > 0 {
			wantStatus(t, h.SetWorkspace(work, test.least-64), status.Success)
			_, err = h.Call(a)
			wantStatus(t, err, status.MemoryError)
		}
	}
}

// TestDefaultOfGfx950 checks the memory of new handles, which grew in a later release.
func TestDefaultOfGfx950(t *testing.T) {
	for profileName, want := range map[string]uint64{"rocm-6.4": defaultSize, "rocm-7.2": defaultSizeMI3} {
		h := create(t, open(t, "gfx950", 1<<30), profileName, nil)
		if held, err := h.DeviceMemorySize(); err != nil || held != want {
			t.Errorf("%s: %d bytes (%v), want %d", profileName, held, err, want)
		}
		if have := profile(t, profileName).DefaultBytes("gfx950"); have != want {
			t.Errorf("%s: default %d, want %d", profileName, have, want)
		}
	}
}
