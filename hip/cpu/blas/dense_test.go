package blas

import (
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"roclua/internal/randomtest"
)

// dense is a matrix with all its elements by rows, for the definitions of the routines.
type dense [][]complex128

func newDense(rows, cols int, at func(i, j int) complex128) dense {
	d := make(dense, rows)
	for i := range d {
		d[i] = make([]complex128, cols)
		for j := range d[i] {
			d[i][j] = at(i, j)
		}
	}
	return d
}

func denseOf[T Number](m Matrix[T], rows, cols int) dense {
	return newDense(rows, cols, func(i, j int) complex128 { return ToComplex(m.Data[i+j*m.LD]) })
}

// columnOf returns the elements of a vector as BLAS orders them: backward for a negative increment.
func columnOf[T Number](v Vector[T]) dense {
	return newDense(v.N, 1, func(i, _ int) complex128 {
		if v.Inc < 0 {
			i = v.N - 1 - i
		}
		return ToComplex(v.Data[i*max(v.Inc, -v.Inc)])
	})
}

func (d dense) op(o Op) dense {
	if o == None || len(d) == 0 {
		return d
	}
	return newDense(len(d[0]), len(d), func(i, j int) complex128 {
		if o == ConjTrans {
			return cmplx.Conj(d[j][i])
		}
		return d[j][i]
	})
}

func (d dense) times(e dense) dense {
	return newDense(len(d), len(e[0]), func(i, j int) complex128 {
		var sum complex128
		for k, v := range d[i] {
			sum += v * e[k][j]
		}
		return sum
	})
}

// plus returns x d + y e. With a factor of 0 a matrix is not read.
func (d dense) plus(x complex128, e dense, y complex128) dense {
	return newDense(len(d), len(d[0]), func(i, j int) complex128 {
		var v complex128
		if x != 0 {
			v = x * d[i][j]
		}
		if y != 0 {
			v += y * e[i][j]
		}
		return v
	})
}

func inTriangle(u Uplo, i, j int) bool { return i == j || (i < j) == (u == Upper) }

// triangle returns the triangular matrix that is stored in one triangle.
func (d dense) triangle(u Uplo, diag Diag) dense {
	return newDense(len(d), len(d), func(i, j int) complex128 {
		switch {
		case i == j && diag == Unit:
			return 1
		case inTriangle(u, i, j):
			return d[i][j]
		}
		return 0
	})
}

// symmetric returns the symmetric or Hermitian matrix that is stored in one triangle.
func (d dense) symmetric(u Uplo, hermitian bool) dense {
	return newDense(len(d), len(d), func(i, j int) complex128 {
		switch {
		case i == j && hermitian:
			return complex(real(d[i][i]), 0)
		case inTriangle(u, i, j):
			return d[i][j]
		case hermitian:
			return cmplx.Conj(d[j][i])
		}
		return d[j][i]
	})
}

// each runs a test for the four types with its own random numbers.
func each(t *testing.T, s, d, c, z func(*testing.T, *rand.Rand)) {
	seed := randomtest.Seed(t)
	for i, run := range []func(*testing.T, *rand.Rand){s, d, c, z} {
		t.Run(string("sdcz"[i]), func(t *testing.T) { run(t, rand.New(rand.NewPCG(seed, uint64(i)))) })
	}
}

func draw[T Number](r *rand.Rand, n int) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = FromComplex[T](complex(r.NormFloat64(), r.NormFloat64()))
	}
	return v
}

// drawMatrix returns a matrix whose columns have two elements more than its rows.
func drawMatrix[T Number](r *rand.Rand, rows, cols int) Matrix[T] {
	return Matrix[T]{draw[T](r, (rows+2)*cols), rows + 2}
}

// drawSquare returns a matrix whose triangles are easy to solve.
func drawSquare[T Number](r *rand.Rand, n int) Matrix[T] {
	m := drawMatrix[T](r, n, n)
	for i := range n {
		m.Data[i+i*m.LD] += FromReal[T](10)
	}
	return m
}

func drawVector[T Number](r *rand.Rand, n, inc int) Vector[T] {
	return Vector[T]{draw[T](r, (n-1)*max(inc, -inc)+1), n, inc}
}

// stored returns a matrix A such that op(A) is rows x cols.
func stored[T Number](r *rand.Rand, op Op, rows, cols int) Matrix[T] {
	if op != None {
		rows, cols = cols, rows
	}
	return drawMatrix[T](r, rows, cols)
}

func (m Matrix[T]) clone() Matrix[T] { return Matrix[T]{append([]T(nil), m.Data...), m.LD} }

func near[T Number](have T, want complex128) bool {
	var zero T
	limit := 1e-11
	switch any(zero).(type) {
	case float32, complex64:
		limit = 1e-3
	}
	d := cmplx.Abs(ToComplex(have) - rounded[T](want))
	return d <= limit*(1+cmplx.Abs(want))
}

// rounded rounds a number to a type; a real type has no imaginary part.
func rounded[T Number](z complex128) complex128 { return ToComplex(FromComplex[T](z)) }

// wantMatrix compares elements with a definition; elements without a definition, and elements between the columns, must
// be as before.
func wantMatrix[T Number](t *testing.T, what string, have, before Matrix[T], want dense) {
	t.Helper()
	for at, v := range have.Data {
		i, j := at%have.LD, at/have.LD
		if i < len(want) && !cmplx.IsNaN(want[i][j]) {
			if !near(v, want[i][j]) {
				t.Fatalf("%s: element (%d, %d) is %v, want %v", what, i, j, v, want[i][j])
			}
		} else if v != before.Data[at] {
			t.Fatalf("%s: element (%d, %d) becomes %v, want it unchanged", what, i, j, v)
		}
	}
}

// wantVector is wantMatrix for the elements of a vector and the elements between them.
func wantVector[T Number](t *testing.T, what string, have, before Vector[T], want dense) {
	t.Helper()
	for i, v := range columnOf(have) {
		if !near(FromComplex[T](v[0]), want[i][0]) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, v[0], want[i][0])
		}
	}
	for at, v := range have.Data {
		if at%max(have.Inc, -have.Inc) != 0 && v != before.Data[at] {
			t.Fatalf("%s: place %d between two elements becomes %v", what, at, v)
		}
	}
}

// notANumber is a NaN for operands that must not be read, and for elements of a result that must not change.
var notANumber = cmplx.NaN()

// onlyTriangle marks the other triangle as one that must not change.
func (d dense) onlyTriangle(u Uplo) dense {
	return newDense(len(d), len(d), func(i, j int) complex128 {
		if inTriangle(u, i, j) {
			return d[i][j]
		}
		return notANumber
	})
}

// spoilTriangle makes a triangle that must not be read NaN.
func spoilTriangle[T Number](m Matrix[T], n int, u Uplo) {
	for j := range n {
		for i := range n {
			if inTriangle(u, i, j) {
				m.Set(i, j, FromComplex[T](notANumber))
			}
		}
	}
}
