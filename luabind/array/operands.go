package array

import (
	"roclua/luabind/dense"
	"roclua/luabind/engine"
)

// operands are the arrays of a computation, in the order of its parameters. They are matrices of real numbers if all
// arrays are real, otherwise of complex ones. Methods that return an array compute it in double precision.
type operands interface {
	norm(kind string) float64
	difference() float64
	relativeDifference() float64

	product(opA, opB dense.Op) *Array
	combination(alpha, beta complex128) *Array
	orthogonalFactor() *Array
	solution() *Array
	inverse() *Array
	eigenvalues(upper bool) *Array
	singularValues() *Array

	// problem returns one problem of a batch; shape returns the shape of an operand in it.
	problem(p int, shape func(i int) (rows, cols int)) operands
	residual() float64
	luResidual() float64
	choleskyResidual(upper bool) float64
	factorResidual(form dense.Form) float64
	orthogonality() float64
	inverseResidual() float64
	eigenResidual() float64
	generalizedResidual(problem dense.Generalized) float64
	svdResidual() float64
	productResidual(s scalars) float64
}

// operandsOf returns arrays as operands: as complex ones also if they are real and complexToo is true.
func operandsOf(m *denseMeter, complexToo bool, arrays ...numbers) operands {
	for _, a := range arrays {
		complexToo = complexToo || a.isComplex()
	}
	kind := widerKind(complexToo, arrays)
	if complexToo {
		return typed[complex128]{matricesOf[complex128](arrays, m), kind, m}
	}
	return typed[float64]{matricesOf[float64](arrays, m), kind, m}
}

// widerKind returns the element type of the result of arithmetic, which is complex or not: the type of all operands if
// they have the same, otherwise one that holds all of them. Integers are exact in d.
func widerKind(isComplex bool, operands []numbers) string {
	same, double := true, false
	for _, a := range operands {
		_, _, integers := a.integers()
		same = same && a.Kind == operands[0].Kind && !integers
		double = double || integers || a.Kind == "d" || a.Kind == "z"
	}
	switch {
	case same && isComplex == operands[0].isComplex():
		return operands[0].Kind
	case isComplex && double:
		return "z"
	case isComplex:
		return "c"
	case double:
		return "d"
	}
	return "s"
}

// matricesOf returns arrays as matrices. A matrix shares elements in double precision; others are converted.
func matricesOf[T dense.Number](arrays []numbers, m *denseMeter) []dense.Matrix[T] {
	list := make([]dense.Matrix[T], len(arrays))
	for i, a := range arrays {
		if same, ok := a.doubles().([]T); ok {
			list[i] = dense.Of(a.rows, a.cols, same)
			continue
		}
		list[i] = dense.New[T](a.rows, a.cols, m)
		switch data := any(list[i].Data).(type) {
		case []float64:
			for k := range each(m.c, a.len(), 1) {
				data[k] = real(a.at(k))
			}
		case []complex128:
			for k := range each(m.c, a.len(), 1) {
				data[k] = a.at(k)
			}
		}
	}
	return list
}

// typed are operands whose elements are a T.
type typed[T dense.Number] struct {
	x    []dense.Matrix[T]
	kind string // of a result
	m    *denseMeter
}

// keep returns a matrix without gaps as an array of a kind.
func keep[T dense.Number](x dense.Matrix[T], kind string, m *denseMeter) *Array {
	a := reservedArray(m.c, kind, x.Rows, x.Cols)
	if same, ok := a.doubles().([]T); ok {
		copy(same, x.Data)
		return a
	}
	switch data := any(x.Data).(type) {
	case []float64:
		for i := range each(m.c, a.len(), 1) {
			a.put(i, complex(data[i], 0))
		}
	case []complex128:
		for i := range each(m.c, a.len(), 1) {
			a.put(i, data[i])
		}
	}
	return a
}

func (t typed[T]) norm(kind string) float64 {
	switch kind {
	case "max":
		return dense.Max(t.x[0], t.m)
	case "one":
		return dense.One(t.x[0], t.m)
	}
	return dense.Norm(t.x[0], t.m)
}

func (t typed[T]) difference() float64 { return dense.Difference(t.vector(0), t.vector(1), t.m) }

// relativeDifference returns ||x - y|| / ||y||.
func (t typed[T]) relativeDifference() float64 {
	x, y := t.vector(0), t.vector(1)
	return dense.Relative(dense.Norm(dense.Combine(1, x, -1, y, t.m), t.m), dense.Norm(y, t.m))
}

// vector returns an operand as a vector.
func (t typed[T]) vector(i int) dense.Matrix[T] { return dense.Of(len(t.x[i].Data), 1, t.x[i].Data) }

func (t typed[T]) product(opA, opB dense.Op) *Array {
	rows, _ := dense.Shape(opA, t.x[0])
	_, cols := dense.Shape(opB, t.x[1])
	c := dense.New[T](rows, cols, t.m)
	dense.Multiply(1, opA, t.x[0], opB, t.x[1], 0, c, t.m)
	return keep(c, t.kind, t.m)
}

func (t typed[T]) combination(alpha, beta complex128) *Array {
	a, b := dense.FromComplex[T](alpha), dense.FromComplex[T](beta)
	return keep(dense.Combine(a, t.x[0], b, t.x[1], t.m), t.kind, t.m)
}

func (t typed[T]) orthogonalFactor() *Array {
	return keep(dense.FormQ(t.x[0], t.x[1].Data, len(t.x[1].Data), t.m), t.kind, t.m)
}

func (t typed[T]) solution() *Array { return keep(dense.Solve(t.x[0], t.x[1], t.m), t.kind, t.m) }
func (t typed[T]) inverse() *Array  { return keep(dense.Inverse(t.x[0], t.m), t.kind, t.m) }

func (t typed[T]) eigenvalues(upper bool) *Array {
	return t.reals(dense.Eigenvalues(t.x[0], upper, t.m))
}
func (t typed[T]) singularValues() *Array { return t.reals(dense.SingularValues(t.x[0], t.m)) }

// reals returns real numbers that belong to the operands, in their precision.
func (t typed[T]) reals(values []float64) *Array {
	kind := t.kind
	switch kind {
	case "c":
		kind = "s"
	case "z":
		kind = "d"
	}
	return keep(dense.Of(len(values), 1, values), kind, t.m)
}

func (t typed[T]) problem(p int, shape func(i int) (rows, cols int)) operands {
	one := typed[T]{make([]dense.Matrix[T], len(t.x)), t.kind, t.m}
	for i := range t.x {
		rows, cols := shape(i)
		one.x[i] = dense.Of(rows, cols, t.x[i].Data[p*rows*cols:(p+1)*rows*cols])
	}
	return one
}

func (t typed[T]) residual() float64 { return dense.Residual(t.x[0], t.x[1], t.x[2], t.m) }

func (t typed[T]) luResidual() float64 {
	pivots := make([]int, len(t.x[2].Data))
	for i, v := range t.x[2].Data {
		pivots[i] = int(real(dense.ToComplex(v))) - 1
	}
	return dense.LUResidual(t.x[0], t.x[1], pivots, t.m)
}

func (t typed[T]) choleskyResidual(upper bool) float64 {
	return dense.CholeskyResidual(t.x[0], t.x[1], upper, t.m)
}

func (t typed[T]) factorResidual(form dense.Form) float64 {
	return dense.FactorResidual(form, t.x[0], t.x[1], t.x[2].Data, t.m)
}

func (t typed[T]) orthogonality() float64   { return dense.Orthogonality(t.x[0], t.m) }
func (t typed[T]) inverseResidual() float64 { return dense.InverseResidual(t.x[0], t.x[1], t.m) }
func (t typed[T]) eigenResidual() float64 {
	return dense.EigenResidual(t.x[0], t.x[1], t.x[2].Data, t.m)
}

func (t typed[T]) generalizedResidual(problem dense.Generalized) float64 {
	return dense.GeneralizedResidual(problem, t.x[0], t.x[1], t.x[2], t.x[3].Data, t.m)
}

func (t typed[T]) svdResidual() float64 {
	return dense.SVDResidual(t.x[0], t.x[1], t.x[2].Data, t.x[3], t.m)
}

// scalars are the arguments of a product except its matrices.
type scalars struct {
	opA, opB    dense.Op
	alpha, beta complex128
}

func (t typed[T]) productResidual(s scalars) float64 {
	p := dense.Product[T]{Alpha: dense.FromComplex[T](s.alpha), Beta: dense.FromComplex[T](s.beta), OpA: s.opA,
		OpB: s.opB, A: t.x[1], B: t.x[2], C0: t.x[3]}
	return p.Residual(t.x[0], t.m)
}

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
