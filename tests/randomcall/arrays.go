package randomcall

import (
	"roclua/hip/number"
	"roclua/hip/routine"
)

// arrays are the array arguments of one problem, before or after the call.
type arrays struct {
	call *Call
	b    int64 // the problem
	data func(routine.Slot) []byte
}

// number returns element i of an array.
func (a arrays) number(s routine.Slot, i int64) complex128 { return a.numbers(s)(i) }

// numbers returns a function that returns element i of an array.
func (a arrays) numbers(s routine.Slot) func(i int64) complex128 {
	c, p := a.call, a.call.Param(s)
	datatype, size, first := c.Args.Datatype(p), c.Args.ElementBytes(p), a.b*c.problemStride(p)
	var data []byte
	return func(i int64) complex128 {
		if data == nil { // an array without elements has none
			data = a.data(s)
		}
		return number.Load(datatype, data[(first+i)*size:])
	}
}

// integer returns element i of an array of integers.
func (a arrays) integer(s routine.Slot, i int64) int64 { return int64(real(a.number(s, i))) }

// list returns the elements of an array without gaps.
func (a arrays) list(s routine.Slot) []complex128 {
	values, number := make([]complex128, max(0, a.call.Param(s).Rows.Of(a.call.Args))), a.numbers(s)
	for i := range values {
		values[i] = number(int64(i))
	}
	return values
}

// reals returns the elements of a real array without gaps.
func (a arrays) reals(s routine.Slot) []float64 {
	values, number := make([]float64, max(0, a.call.Param(s).Rows.Of(a.call.Args))), a.numbers(s)
	for i := range values {
		values[i] = real(number(int64(i)))
	}
	return values
}

// matrix returns a dense matrix.
func (a arrays) matrix(s routine.Slot) dense {
	c, p := a.call, a.call.Param(s)
	ld := c.companion(s, routine.LeadingDimension)
	inc := max(1, c.companion(s, routine.Increment)) // of interleaved arrays
	number := a.numbers(s)
	return build(p.Rows.Of(c.Args), p.Cols.Of(c.Args), func(i, j int64) complex128 {
		return number(i*inc + j*ld)
	})
}

// column returns a vector.
func (a arrays) column(s routine.Slot) dense {
	inc, n := a.call.companion(s, routine.Increment), a.call.Param(s).Rows.Of(a.call.Args)
	number := a.numbers(s)
	return build(n, 1, func(i, _ int64) complex128 {
		if inc < 0 {
			i -= n - 1
		}
		return number(i * inc)
	})
}

// stored returns the matrix A in any storage. Elements that are not stored are zeros.
func (a arrays) stored() dense {
	c, p := a.call, a.call.Param(routine.A)
	cols := p.Cols.Of(c.Args)
	rows := cols
	if c.Param(routine.M) != nil && c.Param(routine.Side) == nil {
		rows = c.Args.Int(routine.M)
	}
	number := a.numbers(routine.A)
	return build(rows, cols, func(i, j int64) complex128 {
		if at, stored := c.place(p, i, j); stored {
			return number(at)
		}
		return 0
	})
}
