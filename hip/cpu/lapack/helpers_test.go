package lapack

import (
	"math/rand/v2"
	"testing"

	"roclua/hip/cpu/blas"
	"roclua/internal/randomtest"
)

// each runs a test for the four types, or with -short for two, with its own random numbers.
func each(t *testing.T, s, d, c, z func(*testing.T, *rand.Rand)) {
	seed := randomtest.Seed(t)
	for i, run := range []func(*testing.T, *rand.Rand){s, d, c, z} {
		if testing.Short() && i%2 == 0 {
			continue // the double precision types take the same path
		}
		t.Run(string("sdcz"[i]), func(t *testing.T) { run(t, rand.New(rand.NewPCG(seed, uint64(i)))) })
	}
}

// draw returns a matrix whose columns have two elements more than its rows.
func draw[T blas.Number](r *rand.Rand, rows, cols int) blas.Matrix[T] {
	m := blas.Matrix[T]{Data: make([]T, (rows+2)*cols), LD: rows + 2}
	for i := range m.Data {
		m.Data[i] = blas.FromComplex[T](complex(r.NormFloat64(), r.NormFloat64()))
	}
	return m
}

func clone[T blas.Number](m blas.Matrix[T]) blas.Matrix[T] {
	return blas.Matrix[T]{Data: append([]T(nil), m.Data...), LD: m.LD}
}

// part returns the elements of a matrix where keep is true, and zeros elsewhere.
func part[T blas.Number](m blas.Matrix[T], rows, cols int, keep func(i, j int) bool) blas.Matrix[T] {
	out := blas.Matrix[T]{Data: make([]T, max(1, rows*cols)), LD: max(1, rows)}
	for j := range cols {
		for i := range rows {
			if keep(i, j) {
				out.Set(i, j, m.At(i, j))
			}
		}
	}
	return out
}

// triangle returns one triangle of a square matrix, with ones on the diagonal if diag says so.
func triangle[T blas.Number](m blas.Matrix[T], n int, uplo blas.Uplo, diag blas.Diag) blas.Matrix[T] {
	out := part(m, n, n, func(i, j int) bool { return i == j || (i < j) == (uplo == blas.Upper) })
	if diag == blas.Unit {
		for i := range n {
			out.Set(i, i, 1)
		}
	}
	return out
}

// product returns op(A) op(B), which is m x n; op(A) has k columns.
func product[T blas.Number](opA, opB blas.Op, m, n, k int, a, b blas.Matrix[T]) blas.Matrix[T] {
	out := blas.Matrix[T]{Data: make([]T, m*n), LD: m}
	blas.Gemm(opA, opB, m, n, k, 1, a, b, 0, out)
	return out
}

// wantSame compares rows x cols elements relative to a scale.
func wantSame[T blas.Number](t *testing.T, what string, rows, cols int, have, want blas.Matrix[T], scale float64) {
	t.Helper()
	var zero T
	limit := 1e-12
	switch any(zero).(type) {
	case float32, complex64:
		limit = 1e-4
	}
	for j := range cols {
		for i := range rows {
			if d := blas.Abs1(have.At(i, j) - want.At(i, j)); !(d <= limit*scale) {
				t.Fatalf("%s: element (%d, %d) is %v, want %v", what, i, j, have.At(i, j), want.At(i, j))
			}
		}
	}
}

// wantUnchanged compares the elements of an array where part is false with their values before a call.
func wantUnchanged[T blas.Number](t *testing.T, what string, have, before blas.Matrix[T], part func(i, j int) bool) {
	t.Helper()
	for at, v := range have.Data {
		if i, j := at%have.LD, at/have.LD; !part(i, j) && v != before.Data[at] {
			t.Fatalf("%s: element (%d, %d) becomes %v, want it unchanged", what, i, j, v)
		}
	}
}
