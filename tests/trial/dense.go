package trial

import (
	"fmt"
	"math"
	"math/cmplx"

	"roclua/hip/number"
	"roclua/hip/routine"
)

// dense is a matrix in double precision with all its elements.
type dense struct {
	rows, cols int64
	v          []complex128
}

func newDense(rows, cols int64) dense { return dense{rows, cols, make([]complex128, rows*cols)} }

func (d dense) at(i, j int64) complex128     { return d.v[i+j*d.rows] }
func (d dense) set(i, j int64, x complex128) { d.v[i+j*d.rows] = x }

func build(rows, cols int64, f func(i, j int64) complex128) dense {
	d := newDense(rows, cols)
	for j := range cols {
		for i := range rows {
			d.set(i, j, f(i, j))
		}
	}
	return d
}

// times multiplies. An exact zero stands outside of a triangle and is no factor, not even of an infinity.
func (d dense) times(e dense) dense {
	return build(d.rows, e.cols, func(i, j int64) complex128 {
		var sum complex128
		for k := range d.cols {
			if x, y := d.at(i, k), e.at(k, j); x != 0 && y != 0 {
				sum += x * y
			}
		}
		return sum
	})
}

func (d dense) transposed() dense {
	return build(d.cols, d.rows, func(i, j int64) complex128 { return d.at(j, i) })
}
func (d dense) adjoint() dense {
	return build(d.cols, d.rows, func(i, j int64) complex128 { return cmplx.Conj(d.at(j, i)) })
}

func (d dense) op(operation int64) dense {
	switch operation {
	case routine.OperationTranspose:
		return d.transposed()
	case routine.OperationConjugateTranspose:
		return d.adjoint()
	}
	return d
}

// plus returns x d + y e; an e whose factor is 0 is not looked at.
func (d dense) plus(x complex128, e dense, y complex128) dense {
	return build(d.rows, d.cols, func(i, j int64) complex128 {
		v := complex128(0)
		if x != 0 {
			v = x * d.at(i, j)
		}
		if y != 0 {
			v += y * e.at(i, j)
		}
		return v
	})
}

// largest returns the largest absolute value among the finite elements.
func (d dense) largest() float64 {
	m := 0.0
	for _, v := range d.v {
		if finite(v) {
			m = math.Max(m, cmplx.Abs(v))
		}
	}
	return m
}

// get and put read and write one element of an array, of one problem.
func (tr *Trial) get(raw []byte, p *routine.Param, b, i int64) complex128 {
	return number.Load(tr.Args.Datatype(p), raw[(b*tr.problemStride(p)+i)*tr.Args.ElementBytes(p):])
}

func (tr *Trial) Put(p *routine.Param, b, i int64, x complex128) {
	at := (b*tr.problemStride(p) + i) * tr.Args.ElementBytes(p)
	number.Store(tr.Args.Datatype(p), tr.Arrays[p.Slot].Data()[at:], x)
}

func (tr *Trial) problemStride(p *routine.Param) int64 {
	if p.Kind == routine.ArrayOfArrays {
		return tr.inner[p.Slot]
	}
	return tr.stride(p)
}

func (tr *Trial) Param(s routine.Slot) *routine.Param {
	p, _ := tr.Args.Routine.ParamAt(s)
	return p
}

// old and now read a dense matrix argument before and after the call.
func (tr *Trial) old(s routine.Slot, b int64) dense { return tr.read(tr.Before[s], s, b) }
func (tr *Trial) now(s routine.Slot, b int64) dense { return tr.read(tr.Arrays[s].Data(), s, b) }

func (tr *Trial) read(raw []byte, s routine.Slot, b int64) dense {
	p := tr.Param(s)
	ld := tr.Args.Int(ldOf[s])
	return build(p.Rows.Of(tr.Args), p.Cols.Of(tr.Args), func(i, j int64) complex128 { return tr.get(raw, p, b, i+j*ld) })
}

// column reads a vector argument.
func (tr *Trial) column(raw []byte, s routine.Slot, b int64) dense {
	p := tr.Param(s)
	inc := tr.Args.Int(map[routine.Slot]routine.Slot{routine.X: routine.IncX, routine.Y: routine.IncY}[s])
	n := p.Rows.Of(tr.Args)
	return build(n, 1, func(i, _ int64) complex128 {
		if inc < 0 {
			return tr.get(raw, p, b, (i-n+1)*inc)
		}
		return tr.get(raw, p, b, i*inc)
	})
}

// triangular reads A as the triangle that it is: dense, packed or band.
func (tr *Trial) triangular(b int64) dense {
	p, a := tr.Param(routine.A), tr.Args
	n := p.Cols.Of(a)
	upper, k, lda := a.Int(routine.Uplo) == routine.FillUpper, a.Int(routine.K), a.Int(routine.LDA)
	return build(n, n, func(i, j int64) complex128 {
		switch {
		case i == j && a.Int(routine.Diag) == routine.DiagonalUnit:
			return 1
		case i != j && (i < j) != upper:
			return 0
		case p.Layout == routine.Band && max(i-j, j-i) > k:
			return 0
		}
		at := i + j*lda
		switch {
		case p.Layout == routine.Band && upper:
			at = k + i - j + j*lda
		case p.Layout == routine.Band:
			at = i - j + j*lda
		case p.Layout == routine.Packed && upper:
			at = i + j*(j+1)/2
		case p.Layout == routine.Packed:
			at = i - j + j*(2*n-j+1)/2
		}
		return tr.get(tr.Before[routine.A], p, b, at)
	})
}

// symmetric completes a matrix from its stored triangle.
func (tr *Trial) symmetric(d dense, hermitian bool) dense {
	upper := tr.Args.Int(routine.Uplo) == routine.FillUpper
	return build(d.rows, d.cols, func(i, j int64) complex128 {
		switch {
		case i == j && hermitian:
			return complex(real(d.at(i, i)), 0)
		case i == j || (i < j) == upper:
			return d.at(i, j)
		case hermitian:
			return cmplx.Conj(d.at(j, i))
		}
		return d.at(j, i)
	})
}

// same compares two matrices relative to a scale, in units of the routine's precision.
// precision is the distance from 1 to the next number of a datatype.
var precision = map[int64]float64{routine.DatatypeF32: 0x1p-23, routine.DatatypeF16: 0x1p-10, routine.DatatypeBF16: 0x1p-7}

func (tr *Trial) same(what string, have, want dense, scale float64) error {
	eps := math.Pow(2, -52)
	for i := range tr.Args.Routine.Params {
		if p := &tr.Args.Routine.Params[i]; p.Kind.IsPointer() {
			eps = max(eps, precision[routine.RealOf(tr.Args.Datatype(p))])
		}
	}
	limit := 200 * eps * math.Max(1, scale) * float64(10+max(have.rows, have.cols))
	for i := range want.v {
		if !finite(want.v[i]) {
			if finite(have.v[i]) {
				return fmt.Errorf("%s: element %d is %v, want %v", what, i, have.v[i], want.v[i])
			}
			continue
		}
		if d := cmplx.Abs(have.v[i] - want.v[i]); !(d <= limit) {
			return fmt.Errorf("%s: element %d is %v, want %v (difference %g, at most %g)", what, i, have.v[i], want.v[i], d, limit)
		}
	}
	return nil
}

func finite(x complex128) bool { return !cmplx.IsNaN(x) && !cmplx.IsInf(x) }

// inTriangle keeps what a routine writes; the other triangle must be as before.
func (tr *Trial) sameTriangle(b int64, want dense, scale float64) error {
	upper := tr.Args.Int(routine.Uplo) == routine.FillUpper
	old := tr.old(routine.C, b)
	whole := build(want.rows, want.cols, func(i, j int64) complex128 {
		if i == j || (i < j) == upper {
			return want.at(i, j)
		}
		return old.at(i, j)
	})
	return tr.same("C", tr.now(routine.C, b), whole, scale)
}
