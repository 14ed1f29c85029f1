package dense

import (
	"math"
	"slices"

	"roclua/hip/cpu/blas"
)

// The functions of this file compute references for the results of libraries. They use other methods than the kernels
// of the CPU platform: QR factorizations where those use LU and Cholesky, and Jacobi's rotations for eigenvalues and
// singular values, which find small ones with high relative accuracy.

// Solve returns X with the smallest ||A X - B||, for A with at least as many rows as columns. An X of a singular A has
// elements that are infinite or NaN.
func Solve[T Number](a, b Matrix[T], m Meter) Matrix[T] {
	r, y := a.Copy(m), b.Copy(m)
	tau := Factor(r, m)
	v := make([]T, a.Rows)
	for k := range tau { // y becomes Q^H b
		below := v[k:]
		copy(below, r.Column(k)[k:])
		below[0] = 1
		for j := range y.Cols {
			m.Step(2 * len(below))
			reflectColumn(below, blas.Conj(tau[k]), y.Column(j)[k:])
		}
	}
	x := New[T](a.Cols, b.Cols, m)
	if x.Empty() {
		return x
	}
	for j := range x.Cols {
		to := x.Column(j)
		copy(to, y.Column(j))
		for k := a.Cols - 1; k >= 0; k-- {
			m.Step(k)
			to[k] /= r.At(k, k)
			for i := range k {
				to[i] -= r.At(i, k) * to[k]
			}
		}
	}
	return x
}

// Inverse returns the inverse of a square matrix.
func Inverse[T Number](a Matrix[T], m Meter) Matrix[T] { return Solve(a, identity[T](a.Rows, m), m) }

// SingularValues returns the singular values of a matrix, the largest first.
func SingularValues[T Number](a Matrix[T], m Meter) []float64 {
	w := a.Copy(m)
	if a.Rows < a.Cols {
		w = Transposed(a, true, m)
	}
	if math.IsNaN(finite(m, w)[0]) {
		return notNumbers(w.Cols)
	}
	for range maxSweeps {
		if rotated := sweepColumns(w, m); !rotated {
			break
		}
	}
	values := make([]float64, w.Cols)
	for j := range values {
		values[j] = Norm(w.Part(0, j, w.Rows, 1), m)
	}
	slices.Sort(values)
	slices.Reverse(values)
	return values
}

// maxSweeps bounds the iteration: ten sweeps are enough for matrices that fit in memory.
const maxSweeps = 60

// sweepColumns makes each pair of columns orthogonal by a rotation, and reports whether a pair was not.
func sweepColumns[T Number](w Matrix[T], m Meter) (rotated bool) {
	for p := range w.Cols {
		for q := p + 1; q < w.Cols; q++ {
			m.Step(6 * w.Rows)
			x, y := w.Column(p), w.Column(q)
			alpha, beta := blas.Real(blas.DotColumns(x, x)), blas.Real(blas.DotColumns(y, y))
			inner := blas.DotColumns(x, y)
			size := Abs(inner)
			if size <= 0x1p-53*math.Sqrt(alpha)*math.Sqrt(beta) {
				continue
			}
			rotated = true
			c, s := rotation[T](alpha, beta, size)
			phase := blas.Conj(inner) / blas.FromReal[T](size)
			for i := range x {
				u, v := x[i], y[i]*phase
				x[i], y[i] = c*u-s*v, s*u+c*v
			}
		}
	}
	return rotated
}

// rotation returns the cosine and the sine of the smaller angle that makes the matrix (alpha, size; size, beta)
// diagonal.
func rotation[T Number](alpha, beta, size float64) (c, s T) {
	zeta := (beta - alpha) / (2 * size)
	t := math.Copysign(1/(math.Abs(zeta)+math.Hypot(1, zeta)), zeta)
	cosine := 1 / math.Hypot(1, t)
	return blas.FromReal[T](cosine), blas.FromReal[T](cosine * t)
}

// Eigenvalues returns the eigenvalues of the Hermitian matrix whose one triangle is in a, the smallest first.
func Eigenvalues[T Number](a Matrix[T], upper bool, m Meter) []float64 {
	h := Hermitian(a, upper, m)
	norm := finite(m, h)[0]
	if math.IsNaN(norm) {
		return notNumbers(h.Cols)
	}
	for range maxSweeps {
		if rotated := sweepHermitian(h, 0x1p-53*norm/float64(max(1, h.Cols)), m); !rotated {
			break
		}
	}
	values := make([]float64, h.Cols)
	for j := range values {
		values[j] = blas.Real(h.At(j, j))
	}
	slices.Sort(values)
	return values
}

// sweepHermitian makes each element above the diagonal zero by a rotation of rows and columns, and reports whether one
// was larger than a number.
func sweepHermitian[T Number](h Matrix[T], small float64, m Meter) (rotated bool) {
	for p := range h.Cols {
		for q := p + 1; q < h.Cols; q++ {
			size := Abs(h.At(p, q))
			if size <= small {
				continue
			}
			rotated = true
			m.Step(12 * h.Cols)
			c, s := rotation[T](blas.Real(h.At(p, p)), blas.Real(h.At(q, q)), size)
			phase := h.At(p, q) / blas.FromReal[T](size)
			adjoint := blas.Conj(phase)
			for i := range h.Cols { // columns p and q
				u, v := h.At(i, p), h.At(i, q)*adjoint
				h.Set(i, p, c*u-s*v)
				h.Set(i, q, s*u+c*v)
			}
			for i := range h.Cols { // rows p and q
				u, v := h.At(p, i), h.At(q, i)*phase
				h.Set(p, i, c*u-s*v)
				h.Set(q, i, s*u+c*v)
			}
		}
	}
	return rotated
}

// notNumbers returns n values that are NaN.
func notNumbers(n int) []float64 {
	return slices.Repeat([]float64{math.NaN()}, n)
}
