package randomcall

import (
	"bytes"
	"math"
	"math/cmplx"

	"roclua/hip/routine"
)

// precisions are the distances from 1 to the next number of a datatype.
var precisions = map[int64]float64{
	routine.DatatypeF32: 0x1p-23, routine.DatatypeF16: 0x1p-10, routine.DatatypeBF16: 0x1p-7,
}

// precision returns the precision of the routine's type.
func (c *problem) precision() float64 {
	eps := math.Pow(2, -52)
	for i := range c.Args.Routine.Params {
		if p := &c.Args.Routine.Params[i]; p.Kind.IsPointer() {
			eps = max(eps, precisions[routine.RealOf(c.Args.Datatype(p))])
		}
	}
	return eps
}

// same compares two matrices relative to a scale, in units of the routine's precision.
func (c *problem) same(what string, have, want dense, scale float64) {
	limit := 200 * c.precision() * math.Max(1, scale) * float64(10+max(have.rows, have.cols))
	for i := range want.v {
		if !finite(want.v[i]) {
			if finite(have.v[i]) || math.IsInf(real(want.v[i]), 0) && real(have.v[i]) == -real(want.v[i]) {
				c.fail("%s: element %d is %v, want %v", what, i, have.v[i], want.v[i])
				return
			}
			continue
		}
		if d := cmplx.Abs(have.v[i] - want.v[i]); !(d <= limit) {
			c.fail("%s: element %d is %v, want %v (difference %g, at most %g)",
				what, i, have.v[i], want.v[i], d, limit)
			return
		}
	}
}

func finite(x complex128) bool { return !cmplx.IsNaN(x) && !cmplx.IsInf(x) }

// sameTriangle compares the triangle that a routine writes; the other triangle must be unchanged.
func (c *problem) sameTriangle(want dense, scale float64) {
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
	old := c.old(routine.C)
	whole := build(want.rows, want.cols, func(i, j int64) complex128 {
		if i == j || (i < j) == upper {
			return want.at(i, j)
		}
		return old.at(i, j)
	})
	c.same("C", c.now(routine.C), whole, scale)
}

// near is the largest error of an eigenvalue of a matrix of order n and moderate size.
func (c *problem) near(n int) float64 {
	return 100 * c.precision() * float64(10+n)
}

// inOrder checks that values are ascending, or descending.
func (c *problem) inOrder(values []float64, descending bool) {
	for i := 1; i < len(values); i++ {
		if !(values[i-1] <= values[i]) && !descending || !(values[i-1] >= values[i]) && descending {
			c.fail("value %d is %v, after %v", i, values[i], values[i-1])
		}
	}
}

// orthonormal checks the products of columns.
func (c *problem) orthonormal(what string, v dense) {
	c.same(what+" of the adjoint and itself", v.adjoint().times(v), identity(v.cols), 1)
}

// keepsOther requires that the triangle of A that the routine does not use is unchanged.
func (c *problem) keepsOther() {
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
	old, now := c.old(routine.A), c.now(routine.A)
	unit := c.Param(routine.Diag) != nil && c.Args.Int(routine.Diag) == routine.DiagonalUnit
	for j := range old.cols {
		for i := range old.rows {
			if (i != j && (i < j) != upper || i == j && unit) && now.at(i, j) != old.at(i, j) {
				c.fail("A(%d, %d) becomes %v, want it unchanged", i, j, now.at(i, j))
			}
		}
	}
}

// unchanged requires that some elements of an array are the same bytes as before the call.
func (c *problem) unchanged(p *routine.Param, which func(i int64) bool) {
	size := c.Args.ElementBytes(p)
	for i := range c.inner[p.Slot] {
		at := (c.after.b*c.problemStride(p) + i) * size
		if which(i) && !bytes.Equal(c.Arrays[p.Slot].Data()[at:at+size], c.Before[p.Slot][at:at+size]) {
			c.fail("element %d of %s, which the routine does not write, changes", i, p.Name)
		}
	}
}

// sameVector compares a vector after the call. The memory between its elements must be unchanged.
func (c *problem) sameVector(s routine.Slot, want dense) {
	p := c.Param(s)
	c.same(p.Name, c.after.column(s), stored(want, c.Args.Datatype(p)), want.largest())
	inc := c.companion(s, routine.Increment)
	c.unchanged(p, func(i int64) bool { return i%max(inc, -inc) != 0 })
}

// overflowOfHalf is the smallest number that f16 rounds to infinity.
const overflowOfHalf = 65520

// stored returns values as a datatype stores them: numbers beyond the range of f16 are infinite.
func stored(v dense, datatype int64) dense {
	if datatype != routine.DatatypeF16 {
		return v
	}
	return build(v.rows, v.cols, func(i, j int64) complex128 {
		if x := real(v.at(i, j)); math.Abs(x) >= overflowOfHalf {
			return complex(math.Copysign(math.Inf(1), x), 0)
		}
		return v.at(i, j)
	})
}

// sameResult compares the result of a reduction.
func (c *problem) sameResult(want complex128) {
	n := float64(c.Args.Int(routine.N))
	have := dense{1, 1, []complex128{c.Result(c.after.b)}}
	c.same("result", have, dense{1, 1, []complex128{want}}, cmplx.Abs(want)+n)
}

func (c *problem) sameSolution(matrix dense) {
	x := c.now(routine.B)
	scale := (1 + matrix.largest()) * (1 + x.largest()) * c.scale4()
	c.same("A X", matrix.times(x), c.old(routine.B), scale)
}
