package blas

import (
	"math"
	"os"
	"slices"
	"testing"

	"roclua/hip/dl"
	"roclua/internal/randomtest"
)

// TestOpenBLASAgreesWithGo compares both ways to compute products and solves.
func TestOpenBLASAgreesWithGo(t *testing.T) {
	o, err := library()
	if err != nil {
		t.Skip(err)
	}
	t.Run("s", func(t *testing.T) { compare[float32](t, o, 1e-3) })
	t.Run("d", func(t *testing.T) { compare[float64](t, o, 1e-11) })
	t.Run("c", func(t *testing.T) { compare[complex64](t, o, 1e-3) })
	t.Run("z", func(t *testing.T) { compare[complex128](t, o, 1e-11) })
}

// countingLibrary returns a library that has only products and solves of doubles, which count their calls.
func countingLibrary(calls *int) *OpenBLAS {
	return &OpenBLAS{
		dgemm: func(_, _, _, _, _, _ int32, _ float64, _ pointer, _ int32, _ pointer, _ int32, _ float64, _ pointer,
			_ int32) {
			*calls++
		},
		dtrsm: func(_, _, _, _, _, _, _ int32, _ float64, _ pointer, _ int32, _ pointer, _ int32) { *calls++ },
	}
}

// TestOnlyLargeProblemsUseOpenBLAS counts the calls of a library.
func TestOnlyLargeProblemsUseOpenBLAS(t *testing.T) {
	calls := 0
	o := countingLibrary(&calls)
	x := Matrix[float64]{make([]float64, 64*64), 64}
	for i := range 64 {
		x.Set(i, i, 1)
	}
	gemm := func(m, n, k int) {
		Gemm(o, None, None, m, n, k, 1, x, x, 0, Matrix[float64]{make([]float64, 64*64), 64})
	}
	trsm := func(side Side, m, n int) { Trsm(o, side, Upper, None, NonUnit, m, n, 1, x, x) }
	for _, test := range []struct {
		name string
		call func()
		want int
	}{
		{"products of 32 x 16 x 32", func() { gemm(32, 16, 32) }, 1},
		{"products of 32 x 32 x 15", func() { gemm(32, 32, 15) }, 0},
		{"solves of 16 columns of 32", func() { trsm(Left, 32, 16) }, 1},
		{"solves of 15 columns of 32", func() { trsm(Left, 32, 15) }, 0},
		{"solves of 16 rows of 32", func() { trsm(Right, 16, 32) }, 1},
		{"solves of 15 rows of 32", func() { trsm(Right, 15, 32) }, 0},
	} {
		calls = 0
		test.call()
		if calls != test.want {
			t.Errorf("%s: %d calls of the library, want %d", test.name, calls, test.want)
		}
	}
}

// TestOpen covers the choices of a library.
func TestOpen(t *testing.T) {
	installed, missing := library()
	auto := installed
	if installed != nil && installed.IsSlow() {
		auto = nil
	}
	for _, test := range []struct {
		choice string
		want   *OpenBLAS
		fails  bool
	}{
		{"", auto, false}, {"auto", auto, false}, {"go", nil, false}, {"openblas", installed, missing != nil},
		{"mkl", nil, true},
	} {
		have, err := Open(test.choice)
		if have != test.want || (err != nil) != test.fails {
			t.Errorf("%q: %v, %v", test.choice, have, err)
		}
	}
	if installed != nil && (installed.Path == "" || installed.Version == "") {
		t.Errorf("OpenBLAS %q at %q", installed.Version, installed.Path)
	}
}

// TestIsSlow checks which kernels of OpenBLAS are slower than Go.
func TestIsSlow(t *testing.T) {
	for _, test := range []struct {
		core, set string
		want      bool
	}{
		{"Prescott", "avx512", true}, {"Prescott", "avx2", true}, {"Nehalem", "avx2", true},
		{"Prescott", "portable", false}, {"Haswell", "avx512", false}, {"SkylakeX", "avx512", false},
		{"Zen", "avx2", false}, {"", "avx512", false}, {"neoversen1", "neon", false},
	} {
		if isSlow(test.core, test.set) != test.want {
			t.Errorf("OpenBLAS for %q and Go with %s: slow is not %v", test.core, test.set, test.want)
		}
	}
}

// TestOpenBLASUsesOneThread checks that OpenBLAS, whose results depend on its threads, uses one of them however many
// processors calls in Go may use. It is skipped if the user chose a number.
func TestOpenBLASUsesOneThread(t *testing.T) {
	o, err := library()
	if err != nil {
		t.Skip(err)
	}
	if chosen := os.Getenv("OPENBLAS_NUM_THREADS"); chosen != "" {
		t.Skipf("OPENBLAS_NUM_THREADS=%s", chosen)
	}
	lib, err := dl.Open(o.Path)
	if err != nil {
		t.Fatal(err)
	}
	var threads func() int32
	if err := lib.Bind(&threads, "openblas_get_num_threads"); err != nil {
		t.Fatal(err)
	}
	before := Threads()
	t.Cleanup(func() { SetThreads(before) })
	SetThreads(2)
	if n := threads(); n != 1 || o.Threads != 1 {
		t.Errorf("%d threads, want 1; it reports %d", n, o.Threads)
	}
}

func compare[T Number](t *testing.T, o *OpenBLAS, tolerance float64) {
	r := randomtest.New(t)
	draw := func(n int) []T {
		v := make([]T, n)
		for i := range v {
			v[i] = FromComplex[T](complex(r.NormFloat64(), r.NormFloat64()))
		}
		return v
	}
	for range 50 {
		m, n, k, ld := 1+r.IntN(40), 1+r.IntN(40), 1+r.IntN(40), 45
		opA, opB := Op(r.IntN(3)), Op(r.IntN(3))
		alpha, beta := draw(1)[0], draw(1)[0]
		a, b, c := Matrix[T]{draw(ld * ld), ld}, Matrix[T]{draw(ld * ld), ld}, Matrix[T]{draw(ld * ld), ld}
		want := Matrix[T]{append([]T(nil), c.Data...), ld}
		gemmGo(opA, opB, m, n, k, alpha, a, b, beta, want)
		gemmC(o, opA, opB, m, n, k, alpha, a, b, beta, c)
		same(t, "gemm", c, want, tolerance)

		for i := range ld {
			for j := range ld { // small, so that a diagonal of ones has a solution of moderate size
				a.Set(i, j, a.At(i, j)*FromReal[T](0.01))
			}
			a.Set(i, i, FromReal[T](2))
		}
		side, uplo, diag := Side(r.IntN(2)), Uplo(r.IntN(2)), Diag(r.IntN(2))
		want = Matrix[T]{append([]T(nil), b.Data...), ld}
		trsmGo(side, uplo, opA, diag, m, n, alpha, a, want)
		trsmC(o, side, uplo, opA, diag, m, n, alpha, a, b)
		same(t, "trsm", b, want, tolerance)
	}
}

func same[T Number](t *testing.T, what string, have, want Matrix[T], tolerance float64) {
	t.Helper()
	for i := range want.Data {
		if d := Abs1(have.Data[i] - want.Data[i]); !(d <= tolerance) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, have.Data[i], want.Data[i])
		}
	}
}

// TestOpenBLASCountsWith32Bits checks that Go computes problems whose sizes or leading dimensions have more bits. A
// matrix of one column may have any leading dimension.
func TestOpenBLASCountsWith32Bits(t *testing.T) {
	const n, large = 128, math.MaxInt32 + 1
	calls := 0
	o := countingLibrary(&calls)
	ones := func(ld int) Matrix[float64] {
		return Matrix[float64]{slices.Repeat([]float64{1}, n*n), ld}
	}
	gemm := func(n, k, lda, ldb, ldc int) float64 {
		c := ones(ldc)
		Gemm(o, None, Trans, 128, n, k, 1, ones(lda), ones(ldb), 0, c)
		return c.Data[0] - float64(k)
	}
	trsm := func(m, n, lda, ldb int) float64 {
		b := ones(ldb)
		Trsm(o, Left, Upper, None, NonUnit, m, n, 1, ones(lda), b)
		return b.Data[m-1] - 1
	}
	for name, run := range map[string]func() float64{
		"A of a product": func() float64 { return gemm(n, 1, large, n, n) },
		"B of a product": func() float64 { return gemm(n, 1, n, large, n) },
		"C of a product": func() float64 { return gemm(1, n, n, n, large) },
		"A of a solve":   func() float64 { return trsm(1, n*n, large, 1) },
		"B of a solve":   func() float64 { return trsm(n, 1, n, large) },
	} {
		if wrong := run(); calls != 0 || wrong != 0 {
			t.Errorf("%s: %d calls of the library, an error of %v", name, calls, wrong)
		}
		calls = 0
	}
	if o.pays(large, n, n) || o.pays(n, large, n) || o.pays(n, n, large) || !o.pays(large-1, n, n) {
		t.Error("the library computes other sizes than those of 32 bits")
	}
}

// TestWorkspacesOfOpenBLAS checks the numbers of elements of workspaces, which have 32 bits.
func TestWorkspacesOfOpenBLAS(t *testing.T) {
	o := new(OpenBLAS)
	for f := range o.lapack[kind[float64]()] {
		o.lapack[kind[float64]()][f] = 1
	}
	const n = 1 << 14
	for _, f := range []lapackFunction{heevd, gesdd} {
		if lapackOf[float64](o, f, n, n, n) == 0 || lapackOf[float64](o, f, n+1, n, n) != 0 {
			t.Errorf("function %d: the largest matrix is not of order %d", f, n)
		}
	}
	if lapackOf[float64](o, potrf, n+1, n+1, n+1) == 0 {
		t.Error("a factorization without a workspace is limited")
	}
	for n, want := range map[int]int{1: 64, 1000: 64000, 1 << 21: 1 << 26, math.MaxInt32: math.MaxInt32} {
		if have := workOfQR(n); have != want {
			t.Errorf("%d columns have a workspace of %d elements, want %d", n, have, want)
		}
	}
}
