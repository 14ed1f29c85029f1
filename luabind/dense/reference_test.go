package dense_test

import (
	"math"
	"testing"

	"roclua/hip/cpu/blas"
	"roclua/internal/randomtest"
	"roclua/luabind/dense"
)

// TestReferences computes references of random matrices, and of matrices whose results are known.
func TestReferences(t *testing.T) {
	r := randomtest.New(t)
	references(t, r.NormFloat64)
	references(t, func() complex128 { return complex(r.NormFloat64(), r.NormFloat64()) })
}

func references[T dense.Number](t *testing.T, normal func() T) {
	m := dense.Unmetered{}
	random := func(rows, cols int) dense.Matrix[T] {
		a := dense.New[T](rows, cols, m)
		for i := range a.Data {
			a.Data[i] = normal()
		}
		return a
	}
	for _, n := range []int{0, 1, 2, 3, 7, 20, 33} {
		a, b := dense.PositiveDefinite(n, normal, m), random(n, 3)
		x := dense.Solve(a, b, m)
		if res := dense.Residual(a, x, b, m); !(res < 1e-14) {
			t.Errorf("solve of order %d: %g", n, res)
		}
		if res := dense.InverseResidual(a, dense.Inverse(a, m), m); !(res < 1e-14) {
			t.Errorf("inverse of order %d: %g", n, res)
		}
		tall := random(2*n+1, n)
		y := dense.Solve(tall, dense.Of(2*n+1, 1, random(2*n+1, 1).Data), m)
		if y.Rows != n || y.Cols != 1 {
			t.Errorf("least squares of %d unknowns: %dx%d", n, y.Rows, y.Cols)
		}
		knownValues(t, n, normal)
	}
	leastSquares(t, random)
	infinite := random(3, 3)
	infinite.Set(1, 1, blas.FromReal[T](math.NaN()))
	for _, v := range append(dense.SingularValues(infinite, m), dense.Eigenvalues(infinite, true, m)...) {
		if v == v {
			t.Errorf("value %g of a matrix with NaN", v)
		}
	}
}

// leastSquares checks that the rest of a solution is orthogonal to the columns.
func leastSquares[T dense.Number](t *testing.T, random func(rows, cols int) dense.Matrix[T]) {
	m := dense.Unmetered{}
	a, b := random(12, 5), random(12, 2)
	rest := b.Copy(m)
	dense.Multiply(1, dense.None, a, dense.None, dense.Solve(a, b, m), -1, rest, m)
	inner := dense.New[T](5, 2, m)
	dense.Multiply(1, dense.ConjTrans, a, dense.None, rest, 0, inner, m)
	if n := dense.Norm(inner, m); n > 1e-13 || dense.Norm(rest, m) < 0.1 {
		t.Errorf("least squares: A^H (b - A x) = %g", n)
	}
}

// knownValues finds eigenvalues and singular values that a matrix was made of, repeated, zero and small ones too.
func knownValues[T dense.Number](t *testing.T, n int, normal func() T) {
	m := dense.Unmetered{}
	want := make([]float64, n)
	for i := range want {
		want[i] = math.Floor(float64(i)/2) - 3
	}
	q := dense.Orthogonal(n, n, normal, m)
	scaled := q.Copy(m)
	for j := range n {
		for i := range n {
			scaled.Set(i, j, scaled.At(i, j)*blas.FromReal[T](want[j]))
		}
	}
	a := dense.New[T](n, n, m)
	dense.Multiply(1, dense.None, scaled, dense.ConjTrans, q, 0, a, m)
	for _, upper := range []bool{true, false} {
		for i, v := range dense.Eigenvalues(a, upper, m) {
			if math.Abs(v-want[i]) > 1e-12 {
				t.Errorf("order %d: eigenvalue %d is %g, want %g", n, i, v, want[i])
			}
		}
	}
	wide := dense.Orthogonal(n, n+2, normal, m) // A = U diag V has the absolute values
	b := dense.New[T](n, n+2, m)
	dense.Multiply(1, dense.None, scaled, dense.None, wide, 0, b, m)
	sum := 0.0
	for _, v := range want {
		sum += math.Abs(v)
	}
	values := dense.SingularValues(b, m)
	for i, v := range values {
		sum -= v
		if i > 0 && v > values[i-1] {
			t.Errorf("order %d: singular values are not sorted", n)
		}
	}
	if len(values) != n || math.Abs(sum) > 1e-11 {
		t.Errorf("order %d: %d singular values, whose sum differs by %g", n, len(values), sum)
	}
}
