package sizing_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace/sizing"
)

// call fills a routine's arguments by their C names; what is not named is zero.
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

// TestDocumentedFigures holds figures that the documents, issues of users and the libraries' own tests name.
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
		{"rocsolver_dgetrf_strided_batched", map[string]int64{"m": 1500, "n": 1500, "batch_count": 8}, 53498752, 53498752, 9},
		{"rocsolver_dgesv", map[string]int64{"n": 1000, "nrhs": 1}, 4641600, 5140288, 10},
		{"rocsolver_dgeqrf", map[string]int64{"m": 1000, "n": 1000}, 512576, 1536064, 5},
		{"rocblas_dtrsm_batched", map[string]int64{"side": 141, "transA": 111, "m": 425, "n": 425, "batch_count": 17}, 31963840, 31963840, 4},
		{"rocblas_dtrsm_batched", map[string]int64{"side": 141, "transA": 111, "m": 425, "n": 425, "batch_count": 18}, 33844032, 33844032, 4},
		{"rocblas_dtrtri", map[string]int64{"n": 1000}, 1425408, 1425408, 1},
		{"rocblas_dgemv", map[string]int64{"trans": 112, "m": 1000000, "n": 100}, 781632, 781632, 1},
	} {
		a := call(t, test.name, test.args)
		d64 := sizing.Of(&sizing.Target{Release: find(t, "rocm-6.4"), Arch: "gfx90a"}, a)
		d72 := sizing.Of(&sizing.Target{Release: find(t, "rocm-7.2"), Arch: "gfx90a"}, a)
		if d64.Optimal.Total() != test.r64 || d72.Optimal.Total() != test.r72 {
			t.Errorf("%s %v: %d and %d, want %d and %d", test.name, test.args, d64.Optimal.Total(), d72.Optimal.Total(), test.r64, test.r72)
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

func TestEndlessTrtriIsRefused(t *testing.T) {
	target := &sizing.Target{Release: release.Default(), Arch: "gfx90a"}
	if d := sizing.Of(target, call(t, "rocblas_dtrtri", map[string]int64{"n": 1 << 30})); !d.Endless {
		t.Error("n = 2^30 is not refused")
	}
	if d := sizing.Of(target, call(t, "rocblas_dtrtri", map[string]int64{"n": 1<<30 - 1})); d.Endless {
		t.Error("n = 2^30-1 is refused")
	}
}

func TestOverflowIsTold(t *testing.T) {
	target := &sizing.Target{Release: release.Default(), Arch: "gfx90a"}
	d := sizing.Of(target, call(t, "rocblas_ztrmv_strided_batched_64", map[string]int64{"n": 1 << 40, "batch_count": 1 << 40}))
	if !d.Optimal.Overflow() {
		t.Error("2^84 bytes are no overflow")
	}
	d = sizing.Of(target, call(t, "rocsolver_dgetrf", map[string]int64{"m": 1024, "n": 1024}))
	if d.Optimal.Overflow() {
		t.Error("4732160 bytes are an overflow")
	}
}

// TestHugeOrders compares with what the libraries of rocm-6.4 and rocm-7.2 answer where their own arithmetic overflows. Answers beyond
// 2^53 were recorded as floating-point numbers.
func TestHugeOrders(t *testing.T) {
	for _, test := range []struct {
		routine  string
		n, batch int64
		want     float64
	}{
		{"rocsolver_dgetri", 8500000, 1, 12668699648}, {"rocsolver_dgetri", 20000003, 1, 8915006592}, {"rocsolver_sgetri", 20000003, 1, 4457503296},
		{"rocsolver_dgetri", 17000000, 1, 1.8446744066549645e19}, {"rocsolver_dgetri", 1 << 28, 1, 551903562816},
		{"rocsolver_zgetri", 1<<29 - 1, 1, 62277548032}, {"rocsolver_dgetri", 1<<30 - 1, 1, 27917548544},
		{"rocsolver_zgetri_batched", 515201346, 11, 18446743790549735424}, {"rocsolver_dgetri_strided_batched", 14851782, 279, 18446742929365938176},
	} {
		for _, name := range []string{"rocm-6.4", "rocm-7.2"} {
			arguments := map[string]int64{"n": test.n}
			if test.batch > 1 {
				arguments["batch_count"] = test.batch
			}
			d := sizing.Of(&sizing.Target{Release: find(t, name), Arch: "gfx90a"}, call(t, test.routine, arguments))
			if have := d.Optimal.Total(); float64(have) != test.want {
				t.Errorf("%s n=%d batch_count=%d: %d bytes, want %.0f", test.routine, test.n, test.batch, have, test.want)
			}
		}
	}
	if !sizing.Of(&sizing.Target{Release: release.Default(), Arch: "gfx90a"}, call(t, "rocsolver_dgetri", map[string]int64{"n": 1 << 30})).Endless {
		t.Error("getri of order 2^30 comes back")
	}
}

// FuzzOf gives rules any numbers: they never panic, and totals are whole granules.
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
			d := sizing.Of(&sizing.Target{Release: release.All()[r.IntN(len(release.All()))], Arch: "gfx942"}, a)
			if d.Optimal.Total()%sizing.Granule != 0 || d.Degraded.Total()%sizing.Granule != 0 {
				t.Errorf("%s: totals %d and %d", a.Routine.CName(), d.Optimal.Total(), d.Degraded.Total())
			}
		}
	})
}

func BenchmarkOf(b *testing.B) {
	target := &sizing.Target{Release: release.Default(), Arch: "gfx90a"}
	for _, c := range []struct {
		name string
		args map[string]int64
	}{
		{"rocsolver_dgetrf", map[string]int64{"m": 1024, "n": 1024}},
		{"rocblas_dtrsm", map[string]int64{"side": 141, "transA": 111, "m": 1000, "n": 1000}},
		{"rocblas_dgemv", map[string]int64{"trans": 112, "m": 1000000, "n": 100}},
		{"rocblas_ddot", map[string]int64{"n": 1000000, "incx": 1, "incy": 1}},
	} {
		a := call(b, c.name, c.args)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sizing.Of(target, a)
			}
		})
	}
}

// TestSyrkCopiesOnTwoArchitecturesOnly holds that other architectures ask for nothing, for no order whatever.
func TestSyrkCopiesOnTwoArchitecturesOnly(t *testing.T) {
	for _, n := range []int64{-2, -1, 0, 1, 2, 1000} {
		a := call(t, "rocblas_csyrk_strided_batched", map[string]int64{"n": n, "k": 2048, "batch_count": 100})
		d := sizing.Of(&sizing.Target{Release: release.Default(), Arch: "gfx1100"}, a)
		if total := d.Optimal.Total(); total != 0 {
			t.Errorf("csyrk of order %d asks for %d bytes on gfx1100", n, total)
		}
	}
}
