package array

import (
	"math"
	"slices"

	"roclua/luabind/dense"
	"roclua/luabind/engine"
)

// denseMeter counts a computation with matrices for the limits of a case.
type denseMeter struct {
	c        *engine.Call
	reserved uint64 // temporary memory of the computation
	done     int    // operations since the case was last checked
}

func newMeter(c *engine.Call) *denseMeter { return &denseMeter{c: c} }

// Reserve implements dense.Meter. It adds to the memory that the computation has, which no value of the script holds.
func (m *denseMeter) Reserve(bytes uint64) {
	if bytes > maxHostBytes {
		m.c.VM.Raisef(m.c.L, "%s: needs a matrix of more than the 4 GiB that a host array may have", m.c.Fn.Title())
	}
	m.reserved += bytes
	m.c.VM.Meter().Reserve(m.c.L, m.reserved)
}

// Step implements dense.Meter.
func (m *denseMeter) Step(operations int) {
	if m.done += operations; m.done >= arraySteps {
		m.done = 0
		m.c.VM.Meter().Check(m.c.L)
	}
}

// element is Step for the elements of a loop.
func (m *denseMeter) element(i int) {
	if i%arraySteps == 0 {
		m.Step(arraySteps)
	}
}

// doubles returns the elements of an array of double precision, as a []float64 or a []complex128; nil for other kinds.
func (a *Array) doubles() any {
	switch a.Kind {
	case "d":
		return view[float64](a)
	case "z":
		return view[complex128](a)
	}
	return nil
}

// matrixOf returns an array as a matrix. The matrix shares elements in double precision; others are converted.
func matrixOf[T dense.Number](a *Array, m *denseMeter) dense.Matrix[T] {
	if same, ok := a.doubles().([]T); ok {
		return dense.Of(a.rows, a.cols, same)
	}
	b := dense.New[T](a.rows, a.cols, m)
	for i := range b.Data {
		m.element(i)
		b.Data[i] = fromComplex[T](a.at(i))
	}
	return b
}

// keep returns a matrix without gaps as an array of a kind.
func keep[T dense.Number](c *engine.Call, x dense.Matrix[T], kind string, m *denseMeter) *Array {
	a := reservedArray(c, kind, x.Rows, x.Cols)
	if same, ok := a.doubles().([]T); ok {
		copy(same, x.Data)
		return a
	}
	for i, v := range x.Data {
		m.element(i)
		a.put(i, toComplex(v))
	}
	return a
}

// onNumbers calls one of two functions of the same computation: with matrices of real numbers if all arrays are real,
// otherwise with complex ones.
func onNumbers[R any](
	m *denseMeter, arrays []*Array, complexToo bool,
	onReals func([]dense.Matrix[float64]) R, onComplex func([]dense.Matrix[complex128]) R,
) R {
	if !complexToo && !anyComplex(arrays) {
		return onReals(matricesOf[float64](arrays, m))
	}
	return onComplex(matricesOf[complex128](arrays, m))
}

func anyComplex(arrays []*Array) bool { return slices.ContainsFunc(arrays, (*Array).isComplex) }

func matricesOf[T dense.Number](arrays []*Array, m *denseMeter) []dense.Matrix[T] {
	list := make([]dense.Matrix[T], len(arrays))
	for i, a := range arrays {
		list[i] = matrixOf[T](a, m)
	}
	return list
}

// fromComplex returns a number as a T; its imaginary part is lost if T is real.
func fromComplex[T dense.Number](z complex128) T {
	var zero T
	if _, ok := any(zero).(float64); ok {
		return any(real(z)).(T)
	}
	return any(z).(T)
}

// toComplex returns a number as a complex one.
func toComplex[T dense.Number](x T) complex128 {
	if z, ok := any(x).(complex128); ok {
		return z
	}
	return complex(dense.Real(x), 0)
}

// widerKind returns the element type of the result of arithmetic: the type of all operands if they have the same,
// otherwise one that holds all of them. Integers are exact in d.
func widerKind(complexToo bool, operands ...*Array) string {
	same, double := true, false
	for _, a := range operands {
		_, _, integers := a.integers()
		same = same && a.Kind == operands[0].Kind && !integers
		double = double || integers || a.Kind == "d" || a.Kind == "z"
	}
	complexToo = complexToo || anyComplex(operands)
	switch {
	case same && complexToo == operands[0].isComplex():
		return operands[0].Kind
	case complexToo && double:
		return "z"
	case complexToo:
		return "c"
	case double:
		return "d"
	}
	return "s"
}

// largest returns the largest result of a batch, NaN if a result is NaN.
func largest(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		most = math.Max(most, v)
	}
	return most
}
