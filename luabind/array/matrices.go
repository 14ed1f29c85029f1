package array

import (
	"math"

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

// matrixOf returns an array as a matrix. The matrix shares elements in double precision; others are converted.
func matrixOf[T dense.Number](a *Array, m *denseMeter) dense.Matrix[T] {
	var data any
	switch {
	case a.Kind == "d":
		data = view[float64](a)
	case a.Kind == "z":
		data = view[complex128](a)
	}
	if same, ok := data.([]T); ok {
		return dense.Of(a.rows, a.cols, same)
	}
	b := dense.New[T](a.rows, a.cols, m)
	switch data := any(b.Data).(type) {
	case []float64:
		if a.Kind == "s" {
			convert(data, view[float32](a), func(v float32) float64 { return float64(v) }, m)
			break
		}
		convertAny(a, m, func(i int, v complex128) { data[i] = real(v) })
	case []complex128:
		if a.Kind == "c" {
			convert(data, view[complex64](a), func(v complex64) complex128 { return complex128(v) }, m)
			break
		}
		convertAny(a, m, func(i int, v complex128) { data[i] = v })
	}
	return b
}

// convert converts elements.
func convert[To, From any](to []To, from []From, element func(From) To, m *denseMeter) {
	for i, v := range from {
		if i%arraySteps == 0 {
			m.Step(arraySteps)
		}
		to[i] = element(v)
	}
}

// convertAny calls a function with every element of an array of any kind.
func convertAny(a *Array, m *denseMeter, element func(i int, v complex128)) {
	for i := range a.len() {
		if i%arraySteps == 0 {
			m.Step(arraySteps)
		}
		element(i, a.at(i))
	}
}

// keep returns a matrix without gaps as an array of a kind.
func keep[T dense.Number](c *engine.Call, x dense.Matrix[T], kind string, m *denseMeter) *Array {
	a := reservedArray(c, kind, x.Rows, x.Cols)
	switch data := any(x.Data).(type) {
	case []float64:
		switch kind {
		case "d":
			copy(view[float64](a), data)
		case "s":
			convert(view[float32](a), data, func(v float64) float32 { return float32(v) }, m)
		default:
			store(a, data, func(v float64) complex128 { return complex(v, 0) }, m)
		}
	case []complex128:
		switch kind {
		case "z":
			copy(view[complex128](a), data)
		case "c":
			convert(view[complex64](a), data, func(v complex128) complex64 { return complex64(v) }, m)
		default:
			store(a, data, func(v complex128) complex128 { return v }, m)
		}
	}
	return a
}

// store sets the elements of an array of any kind.
func store[From any](a *Array, from []From, element func(From) complex128, m *denseMeter) {
	for i, v := range from {
		if i%arraySteps == 0 {
			m.Step(arraySteps)
		}
		a.put(i, element(v))
	}
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

func anyComplex(arrays []*Array) bool {
	for _, a := range arrays {
		if a != nil && a.isComplex() {
			return true
		}
	}
	return false
}

// matricesOf converts arrays. A missing array becomes an empty matrix.
func matricesOf[T dense.Number](arrays []*Array, m *denseMeter) []dense.Matrix[T] {
	list := make([]dense.Matrix[T], len(arrays))
	for i, a := range arrays {
		if a != nil {
			list[i] = matrixOf[T](a, m)
		}
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
