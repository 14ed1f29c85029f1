package dense

import "slices"

// Form is the form of a factorization by reflections: which factor is first, and whether the reflections start with the
// last column or row.
type Form struct{ Rows, Backward bool }

// The forms.
var (
	QR = Form{}
	LQ = Form{Rows: true}
	QL = Form{Backward: true}
	RQ = Form{Rows: true, Backward: true}
)

// FactorResidual returns ||A - Q R|| / ||A|| of the result of geqrf, or the residual of gelqf, geqlf or gerqf. These
// factorize the adjoint matrix, or the matrix in reverse order, as geqrf does.
func FactorResidual[T Number](form Form, a, factors Matrix[T], tau []T, m Meter) float64 {
	if form.Rows {
		a, factors = Transposed(a, true, m), Transposed(factors, true, m)
	}
	if form.Backward {
		a, factors, tau = reversed(a, m), reversed(factors, m), slices.Clone(tau)
		slices.Reverse(tau)
	}
	return QRResidual(a, factors, tau, m)
}

// reversed returns a matrix with its rows and columns in reverse order.
func reversed[T Number](a Matrix[T], m Meter) Matrix[T] {
	b := a.Copy(m)
	slices.Reverse(b.Data[:b.Rows*b.Cols])
	return b
}

// Generalized describes the problem of generalized eigenvalues: A x = w B x, A B x = w x, or B A x = w x.
type Generalized int

// The problems, as LAPACK numbers them.
const (
	AxIsBx Generalized = iota + 1
	ABxIsX
	BAxIsX
)

// GeneralizedResidual returns ||A V - B V diag(w)|| / (||A|| ||V||), ||A B V - V diag(w)|| / (||A|| ||B|| ||V||), or
// the same with B A, for Hermitian A and B.
func GeneralizedResidual[T Number](problem Generalized, a, b, v Matrix[T], w []T, m Meter) float64 {
	norms := finite(m, a, b, v, Of(len(w), 1, w))
	scaled, scale := scaledColumns(v, w, m), norms[0]*norms[2]
	if problem == AxIsBx {
		r := New[T](a.Rows, v.Cols, m)
		Multiply(1, None, b, None, scaled, 0, r, m)
		Multiply(1, None, a, None, v, -1, r, m)
		return Relative(Norm(r, m), scale)
	}
	if problem == BAxIsX {
		a, b = b, a
	}
	inner := New[T](b.Rows, v.Cols, m)
	Multiply(1, None, b, None, v, 0, inner, m)
	Multiply(1, None, a, None, inner, -1, scaled, m)
	return Relative(Norm(scaled, m), scale*norms[1])
}
