package randomcall

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

// times multiplies. An exact zero means an element outside of a triangle, which is not a factor even of an infinity.
func (d dense) times(e dense) dense {
	out := newDense(d.rows, e.cols)
	for j := range e.cols {
		sums := out.v[j*d.rows:][:d.rows]
		for k, y := range e.v[j*e.rows:][:d.cols] {
			if y == 0 {
				continue
			}
			for i, x := range d.v[int64(k)*d.rows:][:d.rows] {
				if x != 0 {
					sums[i] += x * y
				}
			}
		}
	}
	return out
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

// plus returns x d + y e; a matrix whose factor is 0 is not read.
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

// get reads one element of one problem's array.
func (c *Call) get(raw []byte, p *routine.Param, b, i int64) complex128 {
	return number.Load(c.Args.Datatype(p), raw[(b*c.problemStride(p)+i)*c.Args.ElementBytes(p):])
}

// Put writes one element of one problem's array.
func (c *Call) Put(p *routine.Param, b, i int64, x complex128) {
	at := (b*c.problemStride(p) + i) * c.Args.ElementBytes(p)
	number.Store(c.Args.Datatype(p), c.Arrays[p.Slot].Data()[at:], x)
}

func (c *Call) problemStride(p *routine.Param) int64 {
	if p.Kind == routine.ArrayOfArrays {
		return c.inner[p.Slot]
	}
	return c.stride(p)
}

// Param returns the parameter of a slot, nil if the routine has none.
func (c *Call) Param(s routine.Slot) *routine.Param {
	p, _ := c.Args.Routine.ParamAt(s)
	return p
}

// old and now return a dense matrix argument before and after the call.
func (c *Call) old(s routine.Slot, b int64) dense { return c.read(c.Before[s], s, b) }
func (c *Call) now(s routine.Slot, b int64) dense { return c.read(c.Arrays[s].Data(), s, b) }

func (c *Call) read(raw []byte, s routine.Slot, b int64) dense {
	p := c.Param(s)
	ld := c.companion(s, routine.LeadingDimension)
	inc := max(1, c.companion(s, routine.Increment)) // that of interleaved arrays
	return build(p.Rows.Of(c.Args), p.Cols.Of(c.Args), func(i, j int64) complex128 {
		return c.get(raw, p, b, i*inc+j*ld)
	})
}

// column reads a vector argument.
func (c *Call) column(raw []byte, s routine.Slot, b int64) dense {
	p := c.Param(s)
	inc := c.companion(s, routine.Increment)
	n := p.Rows.Of(c.Args)
	return build(n, 1, func(i, _ int64) complex128 {
		if inc < 0 {
			return c.get(raw, p, b, (i-n+1)*inc)
		}
		return c.get(raw, p, b, i*inc)
	})
}

// place returns the index of element (i, j) of the matrix A, and whether it is stored, which elements outside of a band
// or in the other triangle of a symmetric matrix are not.
func (c *Call) place(p *routine.Param, i, j int64) (at int64, stored bool) {
	a := c.Args
	n, ld := p.Cols.Of(a), c.companion(p.Slot, routine.LeadingDimension)
	below, above := p.Rows.Of(a), n
	if p.Layout == routine.Band {
		below, above = a.Int(routine.K)+a.Int(routine.KL), a.Int(routine.K)+a.Int(routine.KU) // one is 0 in each sum
	}
	upper := a.Int(routine.Uplo) == routine.FillUpper
	if c.Param(routine.Uplo) != nil {
		if upper {
			below = 0
		} else {
			above = 0
		}
	}
	stored = i-j <= below && j-i <= above
	switch {
	case p.Layout == routine.Band:
		return above + i - j + j*ld, stored
	case p.Layout == routine.Packed && upper:
		return i + j*(j+1)/2, stored
	case p.Layout == routine.Packed:
		return i - j + j*(2*n-j+1)/2, stored
	}
	return i + j*ld, stored
}

// stored reads the matrix A in any storage. Elements that are not stored are zeros.
func (c *Call) stored(raw []byte, b int64) dense {
	p := c.Param(routine.A)
	cols := p.Cols.Of(c.Args)
	rows := cols
	if c.Param(routine.M) != nil && c.Param(routine.Side) == nil {
		rows = c.Args.Int(routine.M)
	}
	return build(rows, cols, func(i, j int64) complex128 {
		if at, stored := c.place(p, i, j); stored {
			return c.get(raw, p, b, at)
		}
		return 0
	})
}

// oldStored and nowStored return the matrix A before and after the call.
func (c *Call) oldStored(b int64) dense { return c.stored(c.Before[routine.A], b) }
func (c *Call) nowStored(b int64) dense { return c.stored(c.Arrays[routine.A].Data(), b) }

// triangular reads the triangle of A in any storage.
func (c *Call) triangular(b int64) dense {
	d := c.oldStored(b)
	for i := range d.rows {
		if c.Args.Int(routine.Diag) == routine.DiagonalUnit {
			d.set(i, i, 1)
		}
	}
	return d
}

// symmetric completes a matrix from its stored triangle.
func (c *Call) symmetric(d dense, hermitian bool) dense {
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
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

// precisions are the distances from 1 to the next number of a datatype.
var precisions = map[int64]float64{
	routine.DatatypeF32: 0x1p-23, routine.DatatypeF16: 0x1p-10, routine.DatatypeBF16: 0x1p-7,
}

// precision returns that of the routine's type.
func (c *Call) precision() float64 {
	eps := math.Pow(2, -52)
	for i := range c.Args.Routine.Params {
		if p := &c.Args.Routine.Params[i]; p.Kind.IsPointer() {
			eps = max(eps, precisions[routine.RealOf(c.Args.Datatype(p))])
		}
	}
	return eps
}

// same compares two matrices relative to a scale, in units of the routine's precision.
func (c *Call) same(what string, have, want dense, scale float64) error {
	limit := 200 * c.precision() * math.Max(1, scale) * float64(10+max(have.rows, have.cols))
	for i := range want.v {
		if !finite(want.v[i]) {
			if finite(have.v[i]) {
				return fmt.Errorf("%s: element %d is %v, want %v", what, i, have.v[i], want.v[i])
			}
			continue
		}
		if d := cmplx.Abs(have.v[i] - want.v[i]); !(d <= limit) {
			return fmt.Errorf("%s: element %d is %v, want %v (difference %g, at most %g)",
				what, i, have.v[i], want.v[i], d, limit)
		}
	}
	return nil
}

func finite(x complex128) bool { return !cmplx.IsNaN(x) && !cmplx.IsInf(x) }

// sameTriangle compares the triangle that a routine writes; the other triangle must be unchanged.
func (c *Call) sameTriangle(b int64, want dense, scale float64) error {
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
	old := c.old(routine.C, b)
	whole := build(want.rows, want.cols, func(i, j int64) complex128 {
		if i == j || (i < j) == upper {
			return want.at(i, j)
		}
		return old.at(i, j)
	})
	return c.same("C", c.now(routine.C, b), whole, scale)
}
