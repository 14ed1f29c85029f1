package blas

import (
	"math/rand/v2"
	"os"
	"testing"

	"roclua/hip/dl"
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

// TestOpenBLASUsesOneThread is skipped if the user chose a number of threads.
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
	if n := threads(); n != 1 {
		t.Errorf("%d threads, want 1", n)
	}
}

func compare[T Number](t *testing.T, o *OpenBLAS, tolerance float64) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
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
		same(t, seed, "gemm", c, want, tolerance)

		for i := range ld {
			a.Set(i, i, FromReal[T](100))
		}
		side, uplo, diag := Side(r.IntN(2)), Uplo(r.IntN(2)), NonUnit
		want = Matrix[T]{append([]T(nil), b.Data...), ld}
		trsmGo(side, uplo, opA, diag, m, n, alpha, a, want)
		trsmC(o, side, uplo, opA, diag, m, n, alpha, a, b)
		same(t, seed, "trsm", b, want, tolerance)
	}
}

func same[T Number](t *testing.T, seed uint64, what string, have, want Matrix[T], tolerance float64) {
	t.Helper()
	for i := range want.Data {
		if d := Abs1(have.Data[i] - want.Data[i]); !(d <= tolerance) {
			t.Fatalf("seed %d: %s: element %d is %v, want %v", seed, what, i, have.Data[i], want.Data[i])
		}
	}
}
