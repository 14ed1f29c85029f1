package dense_test

import (
	"math/big"

	"roclua/luabind/dense"
)

// precise is a complex number of 200 bits. It computes by the definitions that the package is compared with.
type precise struct{ re, im *big.Float }

func toPrecise[T dense.Number](x T) precise {
	switch v := any(x).(type) {
	case float64:
		return precise{number(v), number(0)}
	case complex128:
		return precise{number(real(v)), number(imag(v))}
	}
	panic("unreachable")
}

func number(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }

func (a precise) plus(b precise) precise {
	return precise{number(0).Add(a.re, b.re), number(0).Add(a.im, b.im)}
}

func (a precise) times(b precise) precise {
	re := number(0).Sub(number(0).Mul(a.re, b.re), number(0).Mul(a.im, b.im))
	im := number(0).Add(number(0).Mul(a.re, b.im), number(0).Mul(a.im, b.re))
	return precise{re, im}
}

func (a precise) conj() precise { return precise{a.re, number(0).Neg(a.im)} }

// table is a matrix of precise numbers, by rows.
type table [][]precise

func newTable(rows, cols int) table {
	t := make(table, rows)
	for i := range t {
		t[i] = make([]precise, cols)
		for j := range t[i] {
			t[i][j] = toPrecise(0.0)
		}
	}
	return t
}

func tableOf[T dense.Number](a dense.Matrix[T]) table {
	t := newTable(a.Rows, a.Cols)
	for i := range t {
		for j := range t[i] {
			t[i][j] = toPrecise(a.At(i, j))
		}
	}
	return t
}

// op returns op(A) of a table with a number of columns.
func (t table) op(op dense.Op, cols int) table {
	if op == dense.None {
		return t
	}
	r := newTable(cols, len(t))
	for i := range t {
		for j, v := range t[i] {
			if op == dense.ConjTrans {
				v = v.conj()
			}
			r[j][i] = v
		}
	}
	return r
}

func (t table) times(o table, cols int) table {
	r := newTable(len(t), cols)
	for i := range r {
		for j := range r[i] {
			for k := range o {
				r[i][j] = r[i][j].plus(t[i][k].times(o[k][j]))
			}
		}
	}
	return r
}

// plus returns A + x B.
func (t table) plus(x precise, o table) table {
	r := newTable(len(t), 0)
	for i := range t {
		for j := range t[i] {
			r[i] = append(r[i], t[i][j].plus(x.times(o[i][j])))
		}
	}
	return r
}

func (t table) norm() float64 {
	sum := number(0)
	for _, row := range t {
		for _, v := range row {
			sum.Add(sum, v.times(v.conj()).re)
		}
	}
	root, _ := number(0).Sqrt(sum).Float64()
	return root
}
