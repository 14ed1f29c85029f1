package lapack

import (
	"fmt"
	"math/rand/v2"
	"testing"

	gonumblas "gonum.org/v1/gonum/blas"
	gonumlapack "gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"

	"roclua/hip/cpu/blas"
	"roclua/internal/randomtest"
)

// byRows returns the rows x cols elements of a matrix in the order of rows, as gonum stores them.
func byRows(rows, cols int, m blas.Matrix[float64]) []float64 {
	list := make([]float64, 0, max(1, rows*cols))
	for i := range rows {
		for j := range cols {
			list = append(list, m.At(i, j))
		}
	}
	return list
}

// wantRows compares a matrix with one of gonum.
func wantRows(t *testing.T, what string, rows, cols int, have blas.Matrix[float64], want []float64) {
	t.Helper()
	m := blas.Matrix[float64]{Data: make([]float64, max(1, rows*cols)), LD: max(1, rows)}
	for i := range rows {
		for j := range cols {
			m.Set(i, j, want[i*cols+j])
		}
	}
	wantSame(t, what, rows, cols, have, m, float64(10*(rows+cols)))
}

// TestAsGonum compares factors, scalars, generated matrices and products with the results of gonum.
func TestAsGonum(t *testing.T) {
	r := randomtest.New(t)
	for _, size := range []struct{ m, n int }{{1, 1}, {6, 6}, {9, 5}, {5, 9},
		{reflectorWidth + 9, reflectorWidth + 3}} {
		for _, form := range forms {
			m, n := size.m, size.n
			k := min(m, n)
			what := fmt.Sprintf("%+v, %d x %d", form, m, n)
			a := draw[float64](r, m, n)
			want := byRows(m, n, a)
			tau, wantTau := make([]float64, k), make([]float64, k)
			factorByGonum(form, m, n, want, wantTau)
			Factor(form, m, n, a, tau)
			wantRows(t, "factors, "+what, m, n, a, want)
			wantRows(t, "tau, "+what, k, 1, blas.Matrix[float64]{Data: tau, LD: k}, wantTau)
			if form != RQ {
				compareQ(t, r, form, m, n, a, tau, what)
			}
		}
	}
}

func factorByGonum(form Form, m, n int, a, tau []float64) {
	work := make([]float64, 64*(m+n))
	var impl gonum.Implementation
	switch form {
	case QR:
		impl.Dgeqrf(m, n, a, n, tau, work, len(work))
	case QL:
		impl.Dgeql2(m, n, a, n, tau, work)
	case LQ:
		impl.Dgelqf(m, n, a, n, tau, work, len(work))
	case RQ:
		impl.Dgerqf(m, n, a, n, tau, work, len(work))
	}
}

// compareQ compares the orthogonal matrix of a factorization, and products with it.
func compareQ(
	t *testing.T, r *rand.Rand, form Form, m, n int, a blas.Matrix[float64], tau []float64, what string,
) {
	t.Helper()
	var impl gonum.Implementation
	k := min(m, n)
	work := make([]float64, 64*(m+n))
	order := m
	if form.Rows {
		order = n
	}
	v := vectorsIn(form, m, n, k, a)
	rows, cols := form.storage(order, k)
	if form != QL {
		const count = 4
		c := draw[float64](r, order, count)
		want := byRows(order, count, c)
		multiply := impl.Dormqr
		if form.Rows {
			multiply = impl.Dormlq
		}
		multiply(gonumblas.Left, gonumblas.Trans, order, count, k, byRows(rows, cols, v), cols, tau, want, count, work,
			len(work))
		Multiply(form, blas.Left, blas.Trans, order, count, k, v, tau, c)
		wantRows(t, "product, "+what, order, count, c, want)
	}
	q := byRows(rows, cols, v)
	switch form {
	case QR:
		impl.Dorgqr(rows, cols, k, q, cols, tau, work, len(work))
	case QL:
		impl.Dorgql(rows, cols, k, q, cols, tau, work, len(work))
	case LQ:
		impl.Dorglq(rows, cols, k, q, cols, tau, work, len(work))
	}
	Generate(form, rows, cols, k, v, tau)
	wantRows(t, "Q, "+what, rows, cols, v, q)
}

// TestBlocksAsGonum compares the triangular factors of blocks with gonum, which has all forms.
func TestBlocksAsGonum(t *testing.T) {
	const order, k = 9, 4
	r := randomtest.New(t)
	var impl gonum.Implementation
	for _, form := range forms {
		v, tau := reflections[float64](r, form, order, k)
		rows, cols := form.storage(order, k)
		direct, store := gonumlapack.Forward, gonumlapack.ColumnWise
		if form.Backward {
			direct = gonumlapack.Backward
		}
		if form.Rows {
			store = gonumlapack.RowWise
		}
		want, have := make([]float64, k*k), draw[float64](r, k, k)
		impl.Dlarft(direct, store, order, k, byRows(rows, cols, v), cols, tau, want, k)
		Larft(form, order, k, v, tau, have)
		wantRows(t, fmt.Sprintf("%+v", form), k, k, have, want)
	}
}

// TestSolutionsAsGonum compares least squares solutions and inverses with the results of gonum.
func TestSolutionsAsGonum(t *testing.T) {
	r := randomtest.New(t)
	var impl gonum.Implementation
	work := make([]float64, 1000)
	ops := map[blas.Op]gonumblas.Transpose{blas.None: gonumblas.NoTrans, blas.Trans: gonumblas.Trans}
	for _, size := range []struct{ m, n int }{{7, 4}, {4, 7}} {
		for _, op := range []blas.Op{blas.None, blas.Trans} {
			const nrhs = 2
			m, n := size.m, size.n
			a, b := draw[float64](r, m, n), draw[float64](r, max(m, n), nrhs)
			rows := byRows(m, n, a)
			want := byRows(max(m, n), nrhs, b)
			if !impl.Dgels(ops[op], m, n, nrhs, rows, n, want, nrhs, work, len(work)) {
				t.Fatal("gonum finds no solution")
			}
			Gels(op, m, n, nrhs, a, b)
			wantRows(t, fmt.Sprintf("least squares, %d x %d, op %d", m, n, op), max(m, n), nrhs, b, want)
			wantRows(t, "factors", m, n, a, rows)
		}
	}
	const n = 6
	a := draw[float64](r, n, n)
	for i := range n {
		a.Set(i, i, n)
	}
	want := byRows(n, n, a)
	impl.Dpotri(gonumblas.Lower, n, want, n)
	Potri(blas.Lower, n, a)
	wantRows(t, "potri", n, n, a, want)
}
