package workspace_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/hip"
	_ "roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/sequence"
)

// executed is a recorded call, as roclua verify --kind calls writes it.
type executed struct {
	Fn      string
	Args    map[string]json.Number
	Null    []string
	Scalars map[string][2]float64
	Device  bool
	Status  string
	Calls   []string
}

// operations returns the operations of a recorded call.
func (x *executed) operations(r *routine.Routine) []*sequence.Operation {
	step := capturedStep{Op: x.Fn, Args: x.Args, Nulls: x.Null, Scalars: x.Scalars}
	if x.Device {
		return sequence.OnDevice(step.call(r))
	}
	return sequence.Execute(step.call(r))
}

// TestWaits replays recorded calls to every routine in both pointer modes, and compares their statuses, copies,
// fills and waits.
func TestWaits(t *testing.T) {
	for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
		profile, err := workspace.FindProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range goldenFiles(t, name, "waits") {
			t.Run(name+"/"+filepath.Base(file), func(t *testing.T) {
				side := waitingSideOn(t, profile, archOfFile(file))
				failed, waiting := 0, 0
				n := readGolden(t, file, func(line int, x *executed) {
					r, ok := routine.Lookup(x.Fn)
					if !ok {
						t.Fatalf("line %d: no routine %s", line, x.Fn)
					}
					result := run(t, side, x.operations(r))
					have, want := besidesAllocations(result.Calls), besidesAllocations(x.Calls)
					if waits(want) > 0 {
						waiting++
					}
					if result.Status == "memory_error" || x.Status == "memory_error" {
						return // the recorded handle had other memory, of the calls before
					}
					if !slices.Equal(have, want) || result.Status != x.Status {
						if failed++; failed <= 5 {
							t.Errorf("line %d, %s %v, device pointers %v: %s with %q, the library %s with %q",
								line, x.Fn, x.Args, x.Device, result.Status, have, x.Status, want)
						}
					}
				})
				if waiting < n/50 {
					t.Errorf("only %d of %d recorded calls wait", waiting, n)
				}
				t.Logf("%d of %d calls agree, %d wait", n-failed, n, waiting)
			})
		}
	}
}

// besidesAllocations returns the HIP calls that neither allocate nor release memory.
func besidesAllocations(calls []string) []string {
	return slices.DeleteFunc(slices.Clone(calls), func(c string) bool {
		return strings.HasPrefix(c, "hipMalloc") || strings.HasPrefix(c, "hipFree")
	})
}

// waitingSide returns the model on a device that runs no kernels.
func waitingSide(t *testing.T, profile *workspace.Profile) *sequence.Side {
	t.Helper()
	return waitingSideOn(t, profile, "gfx90a")
}

// archOfFile returns the architecture in the name of a file, or the one of files without it.
func archOfFile(file string) string {
	if _, name, ok := strings.Cut(filepath.Base(file), "-gfx"); ok {
		return "gfx" + strings.TrimSuffix(name, ".jsonl.gz")
	}
	return "gfx90a"
}

func waitingSideOn(t *testing.T, profile *workspace.Profile, arch string) *sequence.Side {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Arch: arch, MemoryBytes: 64 << 30,
		Unchecked: true, Kernels: driver.KernelsIdle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	side := &sequence.Side{Runtime: rt, Profile: profile, Log: func() []string { return sequence.MemoryCalls(rt) }}
	if err := side.Prepare(); err != nil {
		t.Fatal(err)
	}
	return side
}

// waits returns how many HIP calls wait for a stream.
func waits(calls []string) (n int) {
	for _, c := range calls {
		if c == "hipStreamSynchronize 0 0" {
			n++
		}
	}
	return n
}

// run runs operations on a new handle and returns the result of the call among them.
func run(t *testing.T, side *sequence.Side, ops []*sequence.Operation) (result sequence.Result) {
	t.Helper()
	ops = slices.Concat([]*sequence.Operation{sequence.CreateHandle(nil)}, ops,
		[]*sequence.Operation{sequence.DestroyHandle()})
	for _, op := range ops {
		a, err := side.Run(op)
		if err != nil {
			t.Fatalf("%s: %v", op.CName(), err)
		}
		if op.Call != nil {
			result = a
		}
	}
	return result
}

// TestManyWaits checks numbers of waits of large problems, which the libraries of both releases made.
func TestManyWaits(t *testing.T) {
	for _, c := range []struct {
		call     string
		n        int64
		old, new int
	}{
		{"rocblas_dtrsm_batched", 1000, 6, 6}, {"rocblas_dtrsm_batched", 700, 4, 4},
		{"rocblas_dtrtri_batched", 2000, 10, 10}, {"rocblas_ztrtri_batched", 1024, 5, 5},
		{"rocsolver_dgetrs_batched", 1000, 12, 12}, {"rocsolver_zgetrs_batched", 1000, 0, 0},
		{"rocsolver_dgetri_batched", 508, 6, 6}, {"rocsolver_zgetri_batched", 1000, 6, 6},
		{"rocsolver_dgetri_batched", 1100, 12, 12}, {"rocsolver_dgetri_batched", 2000, 15, 15},
		{"rocsolver_dgetri_outofplace_batched", 1024, 6, 6}, {"rocsolver_dpotri_batched", 1100, 7, 7},
		{"rocsolver_dtrtri_batched", 1023, 9, 9}, {"rocsolver_dgetrf_npvt_batched", 1300, 0, 0},
		{"rocsolver_dgetrf_npvt_batched", 1500, 6, 6}, {"rocsolver_dgetrf_npvt_batched", 2000, 12, 12},
		{"rocsolver_dgesv_batched", 1900, 12, 12}, {"rocsolver_dgels_batched", 1100, 5, 5},
		{"rocsolver_dsytrd", 256, 0, 0}, {"rocsolver_dsytrd", 257, 4, 0}, {"rocsolver_dsyev", 513, 20, 0},
		{"rocsolver_dgesdd", 1100, 56, 0}, {"rocsolver_dsygv_batched", 1000, 54, 6},
		{"rocsolver_zhegvd_batched", 1000, 48, 0}, {"rocsolver_dsyevj", 200, 1, 1},
	} {
		for name, want := range map[string]int{"rocm-6.4": c.old, "rocm-7.2": c.new} {
			profile, err := workspace.FindProfile(name)
			if err != nil {
				t.Fatal(err)
			}
			r, ok := routine.Lookup(c.call)
			if !ok {
				t.Fatal(c.call)
			}
			side := waitingSide(t, profile)
			result := run(t, side, sequence.Execute(sequence.SquareCall(r, c.n)))
			if have := waits(result.Calls); have != want || result.Status != "success" {
				t.Errorf("%s, %s n=%d: %s, %d waits, want %d", name, c.call, c.n, result.Status, have, want)
			}
		}
	}
}

// TestWaitsOfPieces checks that the 64-bit trsm of more than 65,520 problems waits for each piece, and copies alpha for
// each in device pointer mode, which the libraries of both releases do.
func TestWaitsOfPieces(t *testing.T) {
	for _, c := range []struct {
		call     string
		batch    int64
		onDevice bool
		want     int
	}{
		{"rocblas_strsm_batched_64", 65520, false, 5}, {"rocblas_strsm_batched_64", 65521, false, 10},
		{"rocblas_strsm_batched_64", 131041, false, 15}, {"rocblas_strsm_batched_64", 131041, true, 18},
		{"rocblas_strsm_batched", 131041, false, 5},
		{"rocblas_strsm_strided_batched_64", 131041, true, 3},
	} {
		call := squareCall(c.call, 200, map[routine.Slot]int64{routine.M: 100, routine.BatchCount: c.batch,
			routine.Side: routine.SideRight})
		ops := sequence.Execute(call)
		if c.onDevice {
			ops = sequence.OnDevice(call)
		}
		result := run(t, waitingSide(t, workspace.Profiles()[0]), ops)
		if have := waits(result.Calls); have != c.want || result.Status != "success" {
			t.Errorf("%+v: %s, %d waits", c, result, have)
		}
	}
}

// TestFailingWaits checks how often calls wait for a stream that is not captured while another one is: each wait fails,
// and a product whose first wait fails makes no other.
func TestFailingWaits(t *testing.T) {
	profile, err := workspace.FindProfile("rocm-6.4")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"rocsolver_chetrd": 2, "rocsolver_dsyevx": 2, "rocblas_dtrsm_batched": 4} {
		r, ok := routine.Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		result := run(t, waitingSide(t, profile), []*sequence.Operation{sequence.SetStream(3),
			sequence.BeginCapture(2, driver.CaptureGlobal), {Call: sequence.SquareCall(r, 300)},
			sequence.EndCapture(2)})
		failed := slices.DeleteFunc(result.Calls, sequence.IsCopy)
		if len(failed) != want || failed[0] != "hipStreamSynchronize 0 900" {
			t.Errorf("%s: %q, want %d waits", name, result.Calls, want)
		}
	}
}

// TestWorkspaceBeforeScalars checks that syrk and herk allocate their workspace before they copy scalars to the host:
// with too little, a call fails and the capture remains valid. In stream order, memory cannot be released in a capture
// that the wait for a scalar invalidated, and both libraries end the process.
func TestWorkspaceBeforeScalars(t *testing.T) {
	small := map[string]string{workspace.EnvDeviceMemorySize: "64"}
	inOrder := map[string]string{workspace.EnvStreamOrderAlloc: "1"}
	for _, c := range []struct {
		call, want string
		env        map[string]string
	}{
		{"rocblas_dsyrk", "memory_error, 1", small}, {"rocblas_zherk_batched_64", "memory_error, 1", small},
		{"rocblas_dsyr2k", "internal_error, 2", small}, {"rocblas_dsyrk", "internal_error, 2", nil},
		{"rocblas_dsyrk", "ends", inOrder}, {"rocblas_zherk", "ends", inOrder},
	} {
		for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
			profile, err := workspace.FindProfile(name)
			if err != nil {
				t.Fatal(err)
			}
			r, ok := routine.Lookup(c.call)
			if !ok {
				t.Fatal(c.call)
			}
			side, have := waitingSide(t, profile), ""
			for _, op := range []*sequence.Operation{sequence.CreateHandle(c.env), sequence.SetStream(2),
				{Name: "set_pointer_mode", Size: routine.PointerModeDevice},
				sequence.BeginCapture(2, driver.CaptureGlobal), {Call: sequence.SquareCall(r, 600)}} {
				result, err := side.Run(op)
				if have = "ends"; err == nil {
					have = result.Status + ", " + result.States[2:3]
				}
			}
			if have != c.want {
				t.Errorf("%s, %s in %v: %s, want %s", name, c.call, c.env, have, c.want)
			}
		}
	}
}

// TestWaitsWithoutArray checks that a batched solve without the addresses of its triangles, which is not refused in
// device pointer mode, waits only for alpha.
func TestWaitsWithoutArray(t *testing.T) {
	for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
		profile, err := workspace.FindProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, ok := routine.Lookup("rocblas_ztrsm_batched")
		if !ok {
			t.Fatal("no ztrsm_batched")
		}
		c := sequence.SquareCall(r, 255)
		for absent, want := range map[bool]int{false: 7, true: 1} {
			c.Null[routine.A] = absent
			if have := waits(run(t, waitingSide(t, profile), sequence.OnDevice(c)).Calls); have != want {
				t.Errorf("%s: %d waits, want %d", name, have, want)
			}
		}
	}
}

// TestWaitsOfSolves checks the waits between the blocks of solves, which the library of rocm-6.4 makes on some
// architectures. In a capture each solve makes one, which fails, and the call succeeds.
func TestWaitsOfSolves(t *testing.T) {
	profile, err := workspace.FindProfile("rocm-6.4")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arch, call      string
		n               int64
		waits, captured int
	}{
		{"gfx940", "rocsolver_dgetrf_strided_batched", 257, 1, 1}, {"gfx941", "rocsolver_dpotrf_batched", 300, 12, 2},
		{"gfx942", "rocsolver_dpotrf_batched", 300, 0, 0}, {"gfx940", "rocsolver_dpotrf", 300, 0, 0},
		{"gfx940", "rocsolver_cgesv", 2500, 2, 2}, {"gfx940", "rocsolver_cgesv_outofplace", 2500, 2, 2},
	} {
		r, ok := routine.Lookup(c.call)
		if !ok {
			t.Fatal(c.call)
		}
		call := sequence.SquareCall(r, c.n)
		if r.Has(routine.NRHS) {
			call.Ints[routine.NRHS] = 2
		}
		side := waitingSideOn(t, profile, c.arch)
		if have := run(t, side, sequence.Execute(call)); waits(have.Calls) != c.waits {
			t.Errorf("%s, %s n=%d: %s, want %d waits", c.arch, c.call, c.n, have, c.waits)
		}
		captured := run(t, side, []*sequence.Operation{sequence.SetStream(2),
			sequence.BeginCapture(2, driver.CaptureGlobal), {Call: call}, sequence.EndCapture(2)})
		if captured.Status != "success" || len(captured.Calls) != c.captured {
			t.Errorf("%s, captured %s n=%d: %s, want success and %d waits", c.arch, c.call, c.n, captured, c.captured)
		}
	}
}

// TestCopiesAndFills checks the copies of calls to the host and their fills, as the libraries make them.
func TestCopiesAndFills(t *testing.T) {
	const lists = "list list list list list wait "
	for _, c := range []struct {
		call     string
		n        int64
		onDevice bool
		old, new string
	}{
		{"rocblas_dtrsm_batched", 200, false, strings.Repeat(lists, 5), strings.Repeat(lists, 5)},
		{"rocblas_dtrtri", 64, true, strings.Repeat("8 wait ", 4), strings.Repeat("8 wait ", 4)},
		{"rocblas_ztrtri_batched", 64, true, lists + strings.Repeat("scalar wait ", 8),
			lists + strings.Repeat("scalar wait ", 8)},
		{"rocsolver_dsyevj", 100, false, "4 wait ", "4 wait "}, {"rocsolver_dbdsqr", 100, false, "8 wait ", "8 wait "},
		{"rocsolver_zpotf2_batched", 100, false, "0:32 ", "0:32 "},
		{"rocsolver_dstedc", 100, false, "0:160000 ", "0:160000 "}, {"rocsolver_dstedc", 15, false, "", ""},
		{"rocsolver_dsyevd", 100, false,
			"0:160000 0:512 0:32768 0:1600 0:2008 0:80000 0:800 0:0 0:160000 ",
			"0:160000 0:102400 0:32768 0:0 0:8000 0:65536 0:80000 0:800 0:96 0:160000 "},
		{"rocsolver_dsyevd", 0, false, strings.Repeat("0:0 ", 8), strings.Repeat("0:0 ", 9)},
		{"rocsolver_dgesdd", 0, false, "", ""},
		{"rocsolver_dgesdd", 100, false,
			"0:160000 0:512 0:32768 0:1600 0:2008 0:80000 0:800 0:0 0:160000 ",
			"0:160000 0:512 0:32768 0:8000 0:5200 0:80000 0:800 0:96 0:160000 "},
		{"rocsolver_dcsrrf_splitlu", 100, false, "0:404 0:404 4 4 ", "0:404 0:404 4 4 "},
	} {
		for name, want := range map[string]string{"rocm-6.4": c.old, "rocm-7.2": c.new} {
			call := squareCall(c.call, c.n, nil)
			ops := sequence.Execute(call)
			if c.onDevice {
				ops = sequence.OnDevice(call)
			}
			have := run(t, waitingSide(t, profile(t, name)), ops)
			text := strings.NewReplacer("list", "16", "scalar", "16").Replace(want)
			if calls := shorten(have.Calls); calls != text {
				t.Errorf("%s, %s n=%d: %q, want %q", name, c.call, c.n, calls, text)
			}
		}
	}
}

// shorten writes copies as their bytes, fills as 0 and their bytes, and waits.
func shorten(calls []string) string {
	return strings.NewReplacer("hipMemcpyAsync ", "", "hipMemsetAsync ", "0:", "hipStreamSynchronize 0", "wait",
		" 0;", " ").Replace(strings.Join(append(calls, ""), ";"))
}

// TestFactorIsCopied checks that a gemv in pieces copies the factor 1 of y in device pointer mode. Without workspace
// the copy fails, which both libraries leave as the last error of HIP.
func TestFactorIsCopied(t *testing.T) {
	for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
		for _, c := range []struct {
			call, bytes, want, last string
		}{
			{"rocblas_dgemv_64", "", "success 8 ", ""},
			{"rocblas_zgemv_strided_batched_64", "", "success 16 ", ""},
			{"rocblas_hshgemv_batched_64", "", "success 4 ", ""},
			{"rocblas_dgemv_64", "64", "internal_error hipMemcpyAsync 8 1", "hipErrorInvalidValue"},
		} {
			call := squareCall(c.call, 2, map[routine.Slot]int64{routine.M: 1 << 31, routine.LDA: 1 << 31,
				routine.TransA: routine.OperationTranspose})
			side := waitingSide(t, profile(t, name))
			env := map[string]string{}
			if c.bytes != "" {
				env[workspace.EnvDeviceMemorySize] = c.bytes
			}
			var have sequence.Result
			ops := append([]*sequence.Operation{sequence.CreateHandle(env)}, sequence.OnDevice(call)[:2]...)
			for _, op := range ops {
				var err error
				if have, err = side.Run(op); err != nil {
					t.Fatal(err)
				}
			}
			text := have.Status + " " + shorten(besidesAllocations(have.Calls))
			if c.last != "" {
				text = have.Status + " " + strings.Join(have.Calls, " ")
			}
			if text != c.want || have.Last != "" && c.last != "" && have.Last != c.last {
				t.Errorf("%s, %s: %s, want %s", name, c.call, have, c.want)
			}
		}
	}
}
