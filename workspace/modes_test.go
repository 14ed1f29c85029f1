package workspace_test

import (
	"errors"
	"fmt"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/status"
)

// TestAlgModes sets modes and reads the modes of all functions. The libraries return the same.
func TestAlgModes(t *testing.T) {
	for _, test := range []struct {
		profile        string
		function, mode int64
		want           status.Status
		modes          string // of bdsqr, gesvd, sterf, steqr, syev and no function; 0 for invalid_value
	}{
		{"rocm-7.2", routine.FunctionSterf, routine.AlgModeHybrid, status.Success, "[291 291 292 291 293 0]"},
		{"rocm-7.2", routine.FunctionSyev, routine.AlgModeHybrid, status.Success, "[291 291 292 292 292 0]"},
		{"rocm-7.2", routine.FunctionGesvd, routine.AlgModeHybrid, status.Success, "[292 292 291 291 291 0]"},
		{"rocm-7.2", 400, routine.AlgModeMixed, status.InvalidValue, "[291 291 291 291 291 291]"},
		{"rocm-7.2", 400, 0, status.InvalidValue, "[291 291 291 291 291 0]"},
		{"rocm-7.2", routine.FunctionBdsqr, 294, status.InvalidValue, "[291 291 291 291 291 0]"},
		{"rocm-6.4", routine.FunctionBdsqr, routine.AlgModeHybrid, status.Success, "[292 292 291 0 0 0]"},
		{"rocm-6.4", routine.FunctionSyev, routine.AlgModeHybrid, status.InvalidValue, "[291 291 291 0 0 0]"},
		{"rocm-6.4", routine.FunctionSterf, routine.AlgModeMixed, status.InvalidValue, "[291 291 291 0 0 0]"},
	} {
		h := create(t, open(t, "gfx90a", 1<<30), test.profile, nil)
		wantStatus(t, h.SetAlgMode(test.function, test.mode), test.want)
		var modes []int64
		for _, f := range []int64{routine.FunctionBdsqr, routine.FunctionGesvd, routine.FunctionSterf,
			routine.FunctionSteqr, routine.FunctionSyev, 400} {
			mode, err := h.AlgMode(f)
			if mode == 0 {
				wantStatus(t, err, status.InvalidValue)
			}
			modes = append(modes, mode)
		}
		if have := fmt.Sprint(modes); have != test.modes {
			t.Errorf("%s, %d = %d: modes %s, want %s", test.profile, test.function, test.mode, have, test.modes)
		}
	}
	wantStatus(t, workspace.Null.SetAlgMode(0, 0), status.InvalidHandle)
	_, err := workspace.Null.AlgMode(0)
	wantStatus(t, err, status.InvalidHandle)
}

// TestHostSterf compares the workspace of eigenvalues with the libraries' when sterf works on the host.
func TestHostSterf(t *testing.T) {
	for _, test := range []struct {
		profile, name string
		n             int64
		want          uint64 // 0 if it is not known
	}{
		{"rocm-6.4", "rocsolver_dsyevd", 32, 8832}, {"rocm-7.2", "rocsolver_dsyevd", 32, 8832},
		{"rocm-6.4", "rocsolver_dsygvd", 32, 8960}, {"rocm-7.2", "rocsolver_dsygvd", 32, 0},
	} {
		h := create(t, open(t, "gfx90a", 1<<30), test.profile, nil)
		wantStatus(t, h.SetAlgMode(routine.FunctionSterf, routine.AlgModeHybrid), status.Success)
		a := named(t, test.name, map[routine.Slot]int64{routine.Evect: routine.EvectNone, routine.N: test.n,
			routine.Uplo: routine.FillUpper, routine.LDA: test.n, routine.LDB: test.n, routine.Itype: routine.EformAx})
		wantStatus(t, h.StartQuery(), status.Success)
		_, err := h.Call(a)
		wantStatus(t, err, status.Success)
		have, err := h.StopQuery(false)
		var unknown *workspace.Unknown
		if errors.As(err, &unknown) != (test.want == 0) || have != test.want {
			t.Errorf("%s on %s: %d bytes, %v, want %d", test.name, test.profile, have, err, test.want)
		}
	}
}

// TestMathModes checks that a mode is only set on architectures that have it, without an error.
func TestMathModes(t *testing.T) {
	const none, xf32 = "[0 0 0 0]", "[1 1 0 0]"
	for _, test := range []struct{ arch, release, want string }{{"gfx90a", "rocm-7.2", none},
		{"gfx940", "rocm-6.4", xf32}, {"gfx940", "rocm-7.2", none}, {"gfx942", "rocm-6.4", xf32},
		{"gfx942", "rocm-7.2", xf32}, {"gfx950", "rocm-7.2", none}, {"gfx9-4-generic", "rocm-7.2", none}} {
		h := create(t, open(t, test.arch, 1<<30), test.release, nil)
		var modes []int64
		for _, mode := range []int64{routine.XF32Math, 2, routine.DefaultMath, -1} {
			wantStatus(t, h.SetMathMode(mode), status.Success)
			have, err := h.MathMode()
			wantStatus(t, err, status.Success)
			modes = append(modes, have)
		}
		if have := fmt.Sprint(modes); have != test.want {
			t.Errorf("%s on %s: modes %s, want %s", test.arch, test.release, have, test.want)
		}
	}
	wantStatus(t, workspace.Null.SetMathMode(0), status.InvalidHandle)
	wantStatus(t, workspace.Null.SetPerformanceMetric(0), status.InvalidHandle)
}

// TestLog begins and ends logs of rocSOLVER, with the statuses of the libraries.
func TestLog(t *testing.T) {
	libraries := workspace.NewLibraries(open(t, "gfx90a", 1<<30).Device(), profile(t, "rocm-7.2"))
	for _, step := range []struct {
		name string
		err  error
		want status.Status
	}{
		{"end without a log", libraries.LogEnd(), status.InternalError},
		{"levels without a log", libraries.LogSetMaxLevels(0), status.InternalError},
		{"begin", libraries.LogBegin(), status.Success},
		{"begin twice", libraries.LogBegin(), status.InternalError},
		{"no levels", libraries.LogSetMaxLevels(0), status.InvalidValue},
		{"levels", libraries.LogSetMaxLevels(1), status.Success},
		{"layers", libraries.Log("rocsolver_log_set_layer_mode", 255), status.Success},
		{"end", libraries.LogEnd(), status.Success},
		{"end twice", libraries.LogEnd(), status.InternalError},
	} {
		t.Log(step.name)
		wantStatus(t, step.err, step.want)
	}
	r, err := libraries.CreateRfinfo(workspace.Null)
	wantStatus(t, err, status.NotImplemented)
	wantStatus(t, libraries.DestroyRfinfo(r), status.InvalidPointer)
	wantStatus(t, libraries.SetRfinfoMode(r, 0), status.InvalidPointer)
}

// TestPotrfLosesPointerMode checks that small Cholesky factorizations leave the handle in host pointer mode, as the
// libraries of both recorded releases do.
func TestPotrfLosesPointerMode(t *testing.T) {
	rt := open(t, "gfx90a", 1<<30)
	h := create(t, rt, "rocm-7.2", nil)
	a, err := rt.Device().Malloc(16 << 20)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		call    string
		n, nrhs int64
		lost    bool
	}{
		{"rocsolver_dpotrf", 0, 1, false}, {"rocsolver_dpotrf", 127, 1, true}, {"rocsolver_dpotrf", 128, 1, false},
		{"rocsolver_zpotrf", 90, 1, true}, {"rocsolver_zpotrf", 91, 1, false}, {"rocsolver_sposv", 180, 1, true},
		{"rocsolver_sposv", 181, 1, false}, {"rocsolver_sposv", 180, 0, false}, {"rocsolver_dpotf2", 100, 1, false},
	} {
		if err := h.SetPointerMode(routine.PointerModeDevice); err != nil {
			t.Fatal(err)
		}
		r, _ := routine.Lookup(c.call)
		args := r.New()
		for i := range r.Params {
			switch p := &r.Params[i]; {
			case p.Kind.IsPointer():
				args.SetPtr(p.Slot, uint64(a))
			case p.Kind.IsEnum():
				args.SetInt(p.Slot, routine.FillLower)
			default:
				args.SetInt(p.Slot, max(c.n, 1))
			}
		}
		args.SetInt(routine.N, c.n)
		args.SetInt(routine.NRHS, c.nrhs)
		if _, err := h.Call(args); err != nil {
			t.Fatalf("%s n=%d: %v", c.call, c.n, err)
		}
		if mode, err := h.PointerMode(); err != nil || (mode == routine.PointerModeHost) != c.lost {
			t.Errorf("%s n=%d: pointer mode %d, %v", c.call, c.n, mode, err)
		}
	}
}
