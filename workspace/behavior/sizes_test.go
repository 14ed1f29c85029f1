package behavior_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/tests/conformance"
	"roclua/workspace/behavior"
)

// call fills a routine's arguments by their C names; the others are zero.
func call(t testing.TB, cName string, ints map[string]int64) *routine.Args {
	t.Helper()
	r, ok := routine.Lookup(cName)
	if !ok {
		t.Fatalf("%s is not in the table", cName)
	}
	a := r.New()
	for name, v := range ints {
		p, ok := r.Param(name)
		if !ok {
			t.Fatalf("%s has no parameter %s", cName, name)
		}
		a.SetInt(p.Slot, v)
	}
	return a
}

// TestDocumentedFigures checks figures from the documents, issues of users and the libraries' own tests.
func TestDocumentedFigures(t *testing.T) {
	for _, test := range []struct {
		name    string
		args    map[string]int64
		r64     uint64
		r72     uint64
		buffers int
	}{
		{"rocsolver_dgetrf", map[string]int64{"m": 1024, "n": 1024, "lda": 1024}, 4732160, 4732160, 9},
		{"rocsolver_dgetrs", map[string]int64{"trans": 111, "n": 1024, "nrhs": 1}, 64, 1312000, 4},
		{"rocsolver_dgetrf_strided_batched", map[string]int64{"m": 1500, "n": 1500, "batch_count": 8}, 53498752,
			53498752, 9},
		{"rocsolver_dgesv", map[string]int64{"n": 1000, "nrhs": 1}, 4641600, 5140288, 10},
		{"rocsolver_dgeqrf", map[string]int64{"m": 1000, "n": 1000}, 512576, 1536064, 5},
		{"rocblas_dtrsm_batched", solveOf(425, 17), 31963840, 31963840, 4},
		{"rocblas_dtrsm_batched", solveOf(425, 18), 33844032, 33844032, 4},
		{"rocblas_dtrtri", map[string]int64{"n": 1000}, 1425408, 1425408, 1},
		{"rocblas_dgemv", map[string]int64{"trans": 112, "m": 1000000, "n": 100}, 781632, 781632, 1},
	} {
		a := call(t, test.name, test.args)
		d64 := behavior.Of(&behavior.Target{Release: find(t, "rocm-6.4"), Arch: arch.Of("gfx90a")}, a)
		d72 := behavior.Of(&behavior.Target{Release: release.Default(), Arch: arch.Of("gfx90a")}, a)
		if d64.Optimal.Total() != test.r64 || d72.Optimal.Total() != test.r72 {
			t.Errorf("%s %v: %d and %d, want %d and %d",
				test.name, test.args, d64.Optimal.Total(), d72.Optimal.Total(), test.r64, test.r72)
		}
		if d64.Optimal.Len() != test.buffers && d72.Optimal.Len() != test.buffers {
			t.Errorf("%s: %d and %d buffers, want %d", test.name, d64.Optimal.Len(), d72.Optimal.Len(), test.buffers)
		}
	}
}

// find returns a release of the table.
func find(t *testing.T, name string) *release.Release {
	t.Helper()
	r, ok := release.Find(name)
	if !ok {
		t.Fatalf("no release %s", name)
	}
	return r
}

// solveOf returns the arguments of a batch of square solves from the left.
func solveOf(n, batch int64) map[string]int64 {
	return map[string]int64{"side": 141, "transA": 111, "m": n, "n": n, "batch_count": batch}
}

// TestEndlessSearches checks the order from which a query of a triangular inverse never returns.
func TestEndlessSearches(t *testing.T) {
	target := &behavior.Target{Release: release.Default(), Arch: arch.Of("gfx90a")}
	for _, name := range []string{"rocblas_dtrtri", "rocsolver_dtrtri", "rocsolver_dpotri", "rocsolver_dgetri"} {
		for n, want := range map[int64]bool{1<<30 - 1: false, 1 << 30: true, 1<<30 + 1: true} {
			if d := behavior.Of(target, call(t, name, map[string]int64{"n": n})); d.Endless != want {
				t.Errorf("%s n=%d: endless %v, want %v", name, n, d.Endless, want)
			}
		}
	}
}

// TestOverflow checks which sizes have no meaning, because the library's arithmetic overflows in 32 or 64 bits.
func TestOverflow(t *testing.T) {
	target := &behavior.Target{Release: release.Default(), Arch: arch.Of("gfx90a")}
	for _, test := range []struct {
		routine string
		args    map[string]int64
		want    bool
	}{
		{"rocblas_ztrmv_strided_batched_64", map[string]int64{"n": 1 << 40, "batch_count": 1 << 40}, true},
		{"rocblas_ztrmv_strided_batched_64", map[string]int64{"n": 1 << 20, "batch_count": 1 << 30}, false},
		{"rocsolver_dgetrf", map[string]int64{"m": 1024, "n": 1024}, false},
		{"rocsolver_dtrtri", map[string]int64{"diag": 131, "n": 65535}, false}, // the square of the order
		{"rocsolver_dtrtri", map[string]int64{"diag": 131, "n": 65537}, true},
		{"rocblas_dtrtri", map[string]int64{"n": 98303}, false},
		{"rocblas_dtrtri", map[string]int64{"n": 98304}, true}, // 65536 + 32768, whose product is 2^31
	} {
		d := behavior.Of(target, call(t, test.routine, test.args))
		if d.Optimal.Overflow() != test.want {
			t.Errorf("%s %v: overflow %v, want %v", test.routine, test.args, d.Optimal.Overflow(), test.want)
		}
	}
}

// TestHugeOrders compares with results of the libraries of rocm-6.4 and rocm-7.2 for orders at which their own
// arithmetic overflows. Results beyond 2^53 were recorded as floating-point numbers.
func TestHugeOrders(t *testing.T) {
	for _, test := range []struct {
		routine  string
		n, batch int64
		want     float64
	}{
		{"rocsolver_dgetri", 8500000, 1, 12668699648},
		{"rocsolver_dgetri", 20000003, 1, 8915006592},
		{"rocsolver_sgetri", 20000003, 1, 4457503296},
		{"rocsolver_dgetri", 17000000, 1, 1.8446744066549645e19},
		{"rocsolver_dgetri", 1 << 28, 1, 551903562816},
		{"rocsolver_zgetri", 1<<29 - 1, 1, 62277548032},
		{"rocsolver_dgetri", 1<<30 - 1, 1, 27917548544},
		{"rocsolver_zgetri_batched", 515201346, 11, 18446743790549735424},
		{"rocsolver_dgetri_strided_batched", 14851782, 279, 18446742929365938176},
	} {
		for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
			arguments := map[string]int64{"n": test.n}
			if test.batch > 1 {
				arguments["batch_count"] = test.batch
			}
			target := &behavior.Target{Release: find(t, name), Arch: arch.Of("gfx90a")}
			d := behavior.Of(target, call(t, test.routine, arguments))
			if have := d.Optimal.Total(); float64(have) != test.want {
				t.Errorf("%s n=%d batch_count=%d: %d bytes, want %.0f", test.routine, test.n, test.batch, have,
					test.want)
			}
		}
	}
}

// TestHugeDimensions compares with results of the libraries of rocm-6.4 and rocm-7.2, which compute some products of
// dimensions in 32 bits, with or without a sign, and others in 64 bits although they need more.
func TestHugeDimensions(t *testing.T) {
	for _, test := range []struct {
		routine   string
		arguments map[string]int64
		want      uint64
	}{
		{"rocsolver_cgebrd", map[string]int64{"m": 1024, "n": 1<<31 - 1}, 34393816768},
		{"rocsolver_zgebrd", map[string]int64{"m": 4096, "n": 1<<30 - 1}, 68757224640},
		{"rocsolver_sbdsqr", map[string]int64{"n": 1<<30 - 1, "nv": 1<<31 - 1, "nu": 1, "nc": 1000}, 8589934656},
		{"rocsolver_dbdsqr", map[string]int64{"n": 1<<30 - 1, "nv": 511, "nu": 31, "nc": 1 << 30}, 8589934656},
		{"rocsolver_zhetrd_batched", map[string]int64{"uplo": routine.FillLower, "n": 1<<31 - 1, "batch_count": 65520},
			35422012564323904},
		{"rocsolver_dorgtr", map[string]int64{"uplo": routine.FillUpper, "n": 1<<31 - 1}, 9223373110596598912},
		{"rocsolver_zheev", map[string]int64{"evect": routine.EvectOriginal, "uplo": routine.FillLower, "n": 1<<31 - 1},
			9223374287417570432},
		{"rocsolver_dsyevdj", map[string]int64{"evect": routine.EvectOriginal, "uplo": routine.FillUpper, "n": 1 << 29},
			2918332655172878464},
		{"rocsolver_zheevdx_strided_batched", map[string]int64{"evect": routine.EvectOriginal,
			"erange": routine.ErangeValue, "uplo": routine.FillUpper, "n": 1 << 30, "batch_count": 64}, 74494064461376},
		{"rocsolver_cgesvd_strided_batched", map[string]int64{"left_svect": routine.SvectAll,
			"right_svect": routine.SvectNone, "m": 1<<30 - 1, "n": 1654407101, "batch_count": 17}, 10457178846208},
		{"rocblas_dtrsm_strided_batched", map[string]int64{"side": routine.SideLeft, "uplo": routine.FillUpper,
			"transA": routine.OperationNone, "diag": routine.DiagonalNonUnit, "m": 1 << 30, "n": 1 << 30,
			"batch_count": 2}, 0},
		{"rocblas_dtrsm_strided_batched", map[string]int64{"side": routine.SideLeft, "uplo": routine.FillUpper,
			"transA": routine.OperationNone, "diag": routine.DiagonalNonUnit, "m": 1 << 26, "n": 1 << 30,
			"batch_count": 64}, 70368744177664},
	} {
		for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
			target := &behavior.Target{Release: find(t, name), Arch: arch.Of("gfx90a")}
			d := behavior.Of(target, call(t, test.routine, test.arguments))
			if have := d.Optimal.Total(); have != test.want {
				t.Errorf("%s %v: %d bytes, want %d", test.routine, test.arguments, have, test.want)
			}
		}
	}
}

// FuzzOf calls rules with any numbers. They never panic, totals are multiples of the granule, and every buffer is
// declared by its family and appears once.
func FuzzOf(f *testing.F) {
	f.Add(uint64(1), int64(3), int64(500), int64(-1))
	f.Add(uint64(7), int64(math.MaxInt64), int64(math.MinInt64), int64(1)<<33)
	all := routine.All()
	f.Fuzz(func(t *testing.T, seed uint64, x, y, z int64) {
		r := rand.New(rand.NewPCG(seed, 5))
		values := []int64{x, y, z, 0, 1, 111, 112, 141, 142}
		for range 50 {
			a := all[r.IntN(len(all))].New()
			for i := range a.Routine.Params {
				a.SetInt(a.Routine.Params[i].Slot, values[r.IntN(len(values))])
			}
			on := release.All()[r.IntN(len(release.All()))]
			d := behavior.Of(&behavior.Target{Release: on, Arch: arch.Of("gfx942")}, a)
			degraded := d.Degraded()
			if d.Optimal.Total()%behavior.Granule != 0 || degraded.Total()%behavior.Granule != 0 {
				t.Errorf("%s: totals %d and %d", a.Routine.CName(), d.Optimal.Total(), degraded.Total())
			}
			checkBuffers(t, a.Routine, &d.Optimal)
			checkBuffers(t, a.Routine, &degraded)
		}
	})
}

func checkBuffers(t *testing.T, r *routine.Routine, b *behavior.Buffers) {
	t.Helper()
	seen := map[buffer.ID]bool{}
	for i := range b.Len() {
		id := b.At(i).ID
		if !r.Family.Uses(id) {
			t.Errorf("%s: the family does not declare the buffer %q", r.CName(), id)
		}
		if seen[id] {
			t.Errorf("%s: two buffers are %q", r.CName(), id)
		}
		seen[id] = true
	}
}

// TestBuffers draws calls to every family until its rule has used every buffer that the family declares.
func TestBuffers(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes many sizes in one goroutine")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, rt := range routine.All() {
		used := map[buffer.ID]bool{}
		if rt.Variant != routine.Batched || rt.Wide || rt.Type != routine.TypeZ && rt.Type != routine.Mixed {
			continue
		}
		for range 2000 {
			a := rt.New()
			for i := range rt.Params {
				p := &rt.Params[i]
				a.SetInt(p.Slot, []int64{1, 7, 40, 64, 200, 300, 1000, 2100, 4096, 300000}[r.IntN(10)])
				if legal := routine.Legal(p.Kind); p.Kind.IsEnum() {
					a.SetInt(p.Slot, legal[r.IntN(len(legal))])
				}
			}
			on := arch.Of([]string{"gfx90a", "gfx1100"}[r.IntN(2)])
			d := behavior.Of(&behavior.Target{Release: release.All()[r.IntN(len(release.All()))], Arch: on}, a)
			degraded := d.Degraded()
			checkBuffers(t, rt, &d.Optimal)
			checkBuffers(t, rt, &degraded)
			for i := range d.Optimal.Len() {
				used[d.Optimal.At(i).ID] = true
			}
			if d.Unreported.Bytes > 0 {
				used[d.Unreported.ID] = true
			}
			if d.Unknown != "" { // it may use any
				for _, id := range rt.Family.Buffers {
					used[id] = true
				}
			}
		}
		for _, id := range rt.Family.Buffers {
			if !used[id] {
				t.Errorf("%s: its size rule never uses the declared buffer %q", rt.CName(), id)
			}
		}
	}
}

// TestEmptySolversNeedNothing checks that rocSOLVER calls without anything to compute need no memory. Those that set
// info run, but allocate nothing, and set no norms of reflections.
func TestEmptySolversNeedNothing(t *testing.T) {
	var steps behavior.Steps
	for _, r := range routine.All() {
		if r.Library != routine.RocSOLVER {
			continue
		}
		for _, ints := range conformance.EmptyCalls(r) {
			a := withDefaults(r, ints)
			if d := behavior.Decide(a, behavior.Mode{}); d.Ends() {
				continue
			}
			for _, on := range release.All() {
				target := &behavior.Target{Release: on, Arch: arch.Of("gfx1100")}
				d := behavior.Of(target, a)
				steps.Make(behavior.Call{On: target, Memory: &d.Optimal}, a)
				for _, step := range steps.List {
					if step.Fill.Bytes > 0 {
						t.Errorf("%s, %s %v fills %+v", on.Name, r.CName(), ints, step.Fill)
					}
				}
				if total := d.Optimal.Total(); total != 0 {
					t.Errorf("%s, %s %v: %d bytes", on.Name, r.CName(), ints, total)
				}
			}
		}
	}
}

func BenchmarkOf(b *testing.B) {
	target := &behavior.Target{Release: release.Default(), Arch: arch.Of("gfx90a")}
	for _, c := range []struct {
		name string
		args map[string]int64
	}{
		{"rocsolver_dgetrf", map[string]int64{"m": 1024, "n": 1024}},
		{"rocblas_dtrsm", map[string]int64{"side": 141, "transA": 111, "m": 1000, "n": 1000}},
		{"rocblas_dgemv", map[string]int64{"trans": 112, "m": 1000000, "n": 100}},
		{"rocblas_ddot", map[string]int64{"n": 1000000, "incx": 1, "incy": 1}},
		{"rocsolver_zhegvd_batched", map[string]int64{"itype": 221, "evect": 211, "n": 1000, "batch_count": 3}},
		{"rocsolver_zhegvdj_batched", map[string]int64{"itype": 221, "evect": 211, "n": 1000, "batch_count": 3}},
		{"rocsolver_zhegvdx_batched", map[string]int64{"itype": 221, "evect": 211, "n": 1000, "batch_count": 3}},
	} {
		a := call(b, c.name, c.args)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				behavior.Of(target, a)
			}
		})
	}
}

// TestSyrkCopiesOnTwoArchitecturesOnly checks that other architectures need no memory for any order.
func TestSyrkCopiesOnTwoArchitecturesOnly(t *testing.T) {
	for _, n := range []int64{-2, -1, 0, 1, 2, 1000} {
		a := call(t, "rocblas_csyrk_strided_batched", map[string]int64{"n": n, "k": 2048, "batch_count": 100})
		d := behavior.Of(&behavior.Target{Release: release.Default(), Arch: arch.Of("gfx1100")}, a)
		if total := d.Optimal.Total(); total != 0 {
			t.Errorf("csyrk of order %d needs %d bytes on gfx1100", n, total)
		}
	}
}
