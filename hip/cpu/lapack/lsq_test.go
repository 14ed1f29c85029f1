package lapack

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"roclua/hip/cpu/blas"
)

func TestGels(t *testing.T) {
	each(t, testGels[float32], testGels[float64], testGels[complex64], testGels[complex128])
}

// testGels expects residuals that are orthogonal to the columns of op(A), and solutions that are combinations of its
// rows.
func testGels[T blas.Number](t *testing.T, r *rand.Rand) {
	const nrhs = 3
	for _, size := range []struct{ m, n int }{{1, 1}, {5, 5}, {7, 4}, {4, 7}, {90, 70}, {70, 90}} {
		for _, op := range []blas.Op{blas.None, blas.ConjTrans} {
			m, n := size.m, size.n
			what := fmt.Sprintf("%d x %d, op %d", m, n, op)
			rows, cols := m, n // of op(A)
			back := blas.ConjTrans
			if op != blas.None {
				rows, cols, back = n, m, blas.None
			}
			a, b := draw[T](r, m, n), draw[T](r, max(m, n), nrhs)
			for i := range min(m, n) {
				a.Set(i, i, a.At(i, i)+blas.FromReal[T](float64(m+n)))
			}
			factors, x := clone(a), clone(b)
			if info := Gels(op, m, n, nrhs, factors, x); info != 0 {
				t.Errorf("%s: info %d", what, info)
			}
			scale := float64(10 * (m + n) * (m + n))
			residual := product(op, blas.None, rows, nrhs, cols, a, x)
			for j := range nrhs {
				for i := range rows {
					residual.Set(i, j, residual.At(i, j)-b.At(i, j))
				}
			}
			zero := blas.Matrix[T]{Data: make([]T, max(m, n)*nrhs), LD: max(m, n)}
			if rows >= cols {
				normal := product(back, blas.None, cols, nrhs, rows, a, residual)
				wantSame(t, "A^H (A X - B), "+what, cols, nrhs, normal, zero, scale)
			} else {
				wantSame(t, "A X - B, "+what, rows, nrhs, residual, zero, scale)
				wantShortest(t, what, back, rows, cols, nrhs, a, x, scale)
			}
			wantUnchanged(t, what, x, b, func(i, _ int) bool { return i < max(m, n) })
		}
	}
}

// wantShortest expects X to be op(A)^H times the solution of op(A) op(A)^H Z = op(A) X.
func wantShortest[T blas.Number](
	t *testing.T, what string, back blas.Op, rows, cols, nrhs int, a, x blas.Matrix[T], scale float64,
) {
	t.Helper()
	op := blas.None
	if back == blas.None {
		op = blas.ConjTrans
	}
	z := product(op, blas.None, rows, nrhs, cols, a, x)
	square := product(op, back, rows, rows, cols, a, a)
	if Potrf(blas.Lower, rows, square) != 0 {
		t.Fatalf("%s: the matrix has no full rank", what)
	}
	Potrs(blas.Lower, rows, nrhs, square, z)
	wantSame(t, "X, "+what, cols, nrhs, x, product(back, blas.None, cols, nrhs, rows, a, z), scale)
}

// TestGelsWithoutFullRank expects the place of the zero on the diagonal, and B as it is, or multiplied by the
// orthogonal matrix for least squares.
func TestGelsWithoutFullRank(t *testing.T) {
	for _, test := range []struct {
		name     string
		op       blas.Op
		m, n     int
		a, b, to []float64
		info     int
	}{
		{"least squares", blas.None, 3, 2, []float64{3, 0, 4, 0, 0, 0}, []float64{5, 2, 0}, []float64{-3, 2, -4}, 2},
		{"least norm", blas.Trans, 3, 2, []float64{3, 0, 4, 0, 0, 0}, []float64{5, 2, 7}, []float64{5, 2, 7}, 2},
		{"least norm, rows", blas.None, 2, 3, []float64{3, 0, 0, 0, 4, 0}, []float64{5, 2, 7}, []float64{5, 2, 7}, 2},
		{"least squares, rows", blas.Trans, 2, 3, []float64{3, 0, 0, 0, 4, 0}, []float64{5, 2, 0},
			[]float64{-3, 2, -4}, 2},
		{"zero", blas.None, 2, 2, make([]float64, 4), []float64{1, 2}, []float64{1, 2}, 1},
	} {
		a := blas.Matrix[float64]{Data: append([]float64(nil), test.a...), LD: test.m}
		b := blas.Matrix[float64]{Data: append([]float64(nil), test.b...), LD: max(test.m, test.n)}
		info := Gels(test.op, test.m, test.n, 1, a, b)
		if info != test.info {
			t.Errorf("%s: info %d, want %d", test.name, info, test.info)
		}
		for i, v := range b.Data {
			if math.Abs(v-test.to[i]) > 1e-14 {
				t.Errorf("%s: B becomes %v, want %v", test.name, b.Data, test.to)
				break
			}
		}
	}
}
