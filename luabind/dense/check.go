package dense

import (
	"math"

	"roclua/hip/cpu/blas"
)

// Residuals are relative to the operands, in Frobenius norms: about the rounding unit for a correct result, NaN if an
// operand has an element that is NaN or infinite, and 0 for an empty problem.

// finite returns the norms of operands: all are NaN if one of them is NaN or infinite, so that the residual is NaN.
func finite[T Number](m Meter, operands ...Matrix[T]) []float64 {
	norms := make([]float64, len(operands))
	for i, a := range operands {
		if norms[i] = Norm(a, m); math.IsNaN(norms[i]) || math.IsInf(norms[i], 0) {
			return notNumbers(len(operands))
		}
	}
	return norms
}

// Relative divides a residual by its scale. An empty problem has neither.
func Relative(residual, scale float64) float64 {
	if residual == 0 && scale == 0 {
		return 0
	}
	return residual / scale
}

// Residual returns ||A X - B|| / (||A|| ||X||).
func Residual[T Number](a, x, b Matrix[T], m Meter) float64 {
	norms := finite(m, a, x, b)
	r := b.Copy(m)
	Multiply(1, None, a, None, x, -1, r, m)
	return Relative(Norm(r, m), norms[0]*norms[1])
}

// LUResidual returns ||P A - L U|| / ||A||. lu has both factors, L without its diagonal of ones. Row i was exchanged
// with row pivots[i], from 0, one after the other.
func LUResidual[T Number](a, lu Matrix[T], pivots []int, m Meter) float64 {
	norms := finite(m, a, lu)
	k := min(a.Rows, a.Cols)
	r := a.Copy(m)
	for i, p := range pivots[:k] {
		m.Step(r.Cols)
		for j := range r.Cols {
			column := r.Column(j)
			column[i], column[p] = column[p], column[i]
		}
	}
	for i := 0; i < k; i += triangleBlock {
		n := min(triangleBlock, k-i)
		l := Triangle(lu.Part(i, i, a.Rows-i, n), false, true, m)
		u := Triangle(lu.Part(i, i, n, a.Cols-i), true, false, m)
		Multiply(-1, None, l, None, u, 1, r.Part(i, i, a.Rows-i, a.Cols-i), m)
	}
	return Relative(Norm(r, m), norms[0])
}

// triangleBlock is the number of columns of a triangle in one product, which skips the zeros before them.
const triangleBlock = 64

// Triangle returns a copy of the upper or the lower triangle of a matrix, with zeros elsewhere, and with ones on the
// diagonal if unit is true.
func Triangle[T Number](a Matrix[T], upper, unit bool, m Meter) Matrix[T] {
	t := New[T](a.Rows, a.Cols, m)
	for j, column := range a.columns(m) {
		low, high := min(j, a.Rows), a.Rows
		if upper {
			low, high = 0, min(j+1, a.Rows)
		}
		copy(t.Column(j)[low:high], column[low:high])
		if unit && j < a.Rows {
			t.Set(j, j, 1)
		}
	}
	return t
}

// Hermitian returns the Hermitian matrix whose one triangle is in a.
func Hermitian[T Number](a Matrix[T], upper bool, m Meter) Matrix[T] {
	h := New[T](a.Rows, a.Cols, m)
	for j := range a.Cols {
		m.Step(a.Rows)
		for i := range j {
			v := a.At(j, i)
			if upper {
				v = blas.Conj(a.At(i, j))
			}
			h.Set(i, j, blas.Conj(v))
			h.Set(j, i, v)
		}
		h.Set(j, j, blas.FromReal[T](blas.Real(a.At(j, j))))
	}
	return h
}

// CholeskyResidual returns ||A - L L^H|| / ||A||, or ||A - U^H U|| / ||A||. Of the two matrices it reads one triangle.
func CholeskyResidual[T Number](a, factor Matrix[T], upper bool, m Meter) float64 {
	r, f := Hermitian(a, upper, m), Triangle(factor, upper, false, m)
	norms := finite(m, r, f)
	for i := 0; i < f.Rows; i += triangleBlock {
		n, rest := min(triangleBlock, f.Rows-i), f.Rows-i
		if to := r.Part(i, i, rest, rest); upper {
			u := f.Part(i, i, n, rest)
			Multiply(-1, ConjTrans, u, None, u, 1, to, m)
		} else {
			l := f.Part(i, i, rest, n)
			Multiply(-1, None, l, ConjTrans, l, 1, to, m)
		}
	}
	return Relative(Norm(r, m), norms[0])
}

// QRResidual returns ||A - Q R|| / ||A|| of the result of geqrf: R and the reflections in qr, their scalars in tau.
func QRResidual[T Number](a, qr Matrix[T], tau []T, m Meter) float64 {
	norms := finite(m, a, qr, Of(len(tau), 1, tau))
	k := min(a.Rows, a.Cols)
	q := FormQ(qr, tau, k, m)
	r, upper := a.Copy(m), Triangle(qr.Part(0, 0, k, qr.Cols), true, false, m)
	Multiply(-1, None, q, None, upper, 1, r, m)
	return Relative(Norm(r, m), norms[0])
}

// Orthogonality returns ||Q^H Q - I||.
func Orthogonality[T Number](q Matrix[T], m Meter) float64 {
	if math.IsNaN(finite(m, q)[0]) {
		return math.NaN()
	}
	r := identity[T](q.Cols, m)
	Multiply(1, ConjTrans, q, None, q, -1, r, m)
	return Norm(r, m)
}

func identity[T Number](n int, m Meter) Matrix[T] {
	a := New[T](n, n, m)
	for i := range n {
		a.Set(i, i, 1)
	}
	return a
}

// InverseResidual returns ||A X - I|| / (||A|| ||X||).
func InverseResidual[T Number](a, x Matrix[T], m Meter) float64 {
	norms := finite(m, a, x)
	r := identity[T](a.Rows, m)
	Multiply(1, None, a, None, x, -1, r, m)
	return Relative(Norm(r, m), norms[0]*norms[1])
}

// EigenResidual returns ||A V - V diag(w)|| / (||A|| ||V||).
func EigenResidual[T Number](a, v Matrix[T], w []T, m Meter) float64 {
	norms := finite(m, a, v, Of(len(w), 1, w))
	r := scaledColumns(v, w, m)
	Multiply(1, None, a, None, v, -1, r, m)
	return Relative(Norm(r, m), norms[0]*norms[1])
}

// scaledColumns returns A diag(w).
func scaledColumns[T Number](a Matrix[T], w []T, m Meter) Matrix[T] {
	b := a.Copy(m)
	for j, column := range b.columns(m) {
		for i := range column {
			column[i] *= w[j]
		}
	}
	return b
}

// SVDResidual returns ||A - U diag(s) V|| / ||A||. U and V may have more columns and rows than there are values.
func SVDResidual[T Number](a, u Matrix[T], s []T, v Matrix[T], m Meter) float64 {
	norms := finite(m, a, u, v, Of(len(s), 1, s))
	r, left := a.Copy(m), scaledColumns(u.Part(0, 0, u.Rows, len(s)), s, m)
	Multiply(-1, None, left, None, v.Part(0, 0, len(s), v.Cols), 1, r, m)
	return Relative(Norm(r, m), norms[0])
}

// Product describes C = alpha op(A) op(B) + beta C0.
type Product[T Number] struct {
	Alpha, Beta T
	OpA, OpB    Op        // None is not 0
	A, B, C0    Matrix[T] // C0 is not used if beta is 0
}

// Residual returns ||C - (alpha op(A) op(B) + beta C0)|| / (|alpha| ||A|| ||B|| + |beta| ||C0||).
func (p *Product[T]) Residual(c Matrix[T], m Meter) float64 {
	operands := []Matrix[T]{c, p.A, p.B}
	if p.Beta != 0 {
		operands = append(operands, p.C0)
	}
	norms := finite(m, operands...)
	scale := Abs(p.Alpha) * norms[1] * norms[2]
	var r Matrix[T]
	if p.Beta == 0 {
		r = c.Copy(m)
	} else {
		r = Combine(1, c, -p.Beta, p.C0, m)
		scale += Abs(p.Beta) * norms[3]
	}
	if p.Alpha != 0 {
		Multiply(-p.Alpha, p.OpA, p.A, p.OpB, p.B, 1, r, m)
	}
	return Relative(Norm(r, m), scale)
}
