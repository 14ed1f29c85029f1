package array

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/luabind/dense"
	"roclua/luabind/engine"
)

func arrayNorm(c *engine.Call, a numbers, kind string) error {
	m := newMeter(c)
	c.Out(lua.LNumber(onNumbers(m, []*Array{a.Array}, false,
		func(x []dense.Matrix[float64]) float64 { return norm(x[0], kind, m) },
		func(x []dense.Matrix[complex128]) float64 { return norm(x[0], kind, m) })))
	return nil
}

func norm[T dense.Number](a dense.Matrix[T], kind string, m dense.Meter) float64 {
	switch kind {
	case "max":
		return dense.Max(a, m)
	case "one":
		return dense.One(a, m)
	}
	return dense.Norm(a, m)
}

func arrayDifference(c *engine.Call, a, b numbers) error {
	return comparing(c, a, b, dense.Difference[float64], dense.Difference[complex128])
}

func arrayRelativeDifference(c *engine.Call, a, b numbers) error {
	return comparing(c, a, b, relativeDifference[float64], relativeDifference[complex128])
}

// comparing returns the result of a comparison of two arrays as vectors. They must have equally many elements.
func comparing(
	c *engine.Call, a, b numbers, onReals func(x, y dense.Matrix[float64], m dense.Meter) float64,
	onComplex func(x, y dense.Matrix[complex128], m dense.Meter) float64,
) error {
	if a.len() != b.len() {
		c.Bad("b", "%d elements, %dx%d, do not fit a, %dx%d", b.len(), b.rows, b.cols, a.rows, a.cols)
	}
	m := newMeter(c)
	c.Out(lua.LNumber(onNumbers(m, []*Array{a.Array, b.Array}, false,
		func(x []dense.Matrix[float64]) float64 { return onReals(asVector(x[0]), asVector(x[1]), m) },
		func(x []dense.Matrix[complex128]) float64 { return onComplex(asVector(x[0]), asVector(x[1]), m) })))
	return nil
}

func asVector[T dense.Number](x dense.Matrix[T]) dense.Matrix[T] {
	return dense.Of(len(x.Data), 1, x.Data)
}

// relativeDifference returns ||x - y|| / ||y||.
func relativeDifference[T dense.Number](x, y dense.Matrix[T], m dense.Meter) float64 {
	difference, scale := dense.Norm(dense.Combine(1, x, -1, y, m), m), dense.Norm(y, m)
	if difference == 0 && scale == 0 {
		return 0
	}
	return difference / scale
}

// operand is an array of a check. An array of a batch holds the problems one after the other.
type operand struct {
	name   string
	array  *Array
	vector bool // only its number of elements matters, not its shape
}

func matrix(name string, a numbers) operand { return operand{name: name, array: a.Array} }
func vector(name string, a numbers) operand { return operand{name: name, array: a.Array, vector: true} }

// check is the check of one result in a batch of problems.
type check struct {
	*engine.Call
	batch      int
	operands   []operand
	complexToo bool // it computes with complex numbers even if all operands are real
}

func newCheck(c *engine.Call, batch int64, operands ...operand) *check {
	return &check{Call: c, batch: int(batch), operands: operands}
}

// shape returns the rows and columns of one problem of an operand.
func (k *check) shape(i int) (rows, cols int) {
	o := k.operands[i]
	if !o.vector {
		return o.array.rows, columnsPerProblem(k.Call, o.name, o.array, k.batch)
	}
	if o.array.len()%k.batch != 0 {
		k.Bad(o.name, "%d elements are not a multiple of %d problems", o.array.len(), k.batch)
	}
	return o.array.len() / k.batch, 1
}

// want raises an error if a problem of an operand does not have a shape, where -1 accepts any number. The message
// compares the operand with the first one.
func (k *check) want(i, rows, cols int) {
	have, across := k.shape(i)
	if (rows < 0 || have == rows) && (cols < 0 || across == cols) {
		return
	}
	first, o := k.operands[0], k.operands[i]
	m, n := k.shape(0)
	problem := ""
	if k.batch > 1 {
		problem = " in each problem"
	}
	wanted := [2]int{rows, cols}
	if rows < 0 {
		wanted[0] = have
	}
	if cols < 0 {
		wanted[1] = across
	}
	k.Bad(o.name, "%dx%d does not fit %s, %dx%d%s: it must be %dx%d", have, across, first.name, m, n, problem,
		wanted[0], wanted[1])
}

// square raises an error if the first operand is not square, and returns its order.
func (k *check) square() int {
	m, n := k.shape(0)
	if m != n {
		k.Bad(k.operands[0].name, "%dx%d is not a square matrix", m, n)
	}
	return n
}

// residual is the check of one problem.
type residual[T dense.Number] func(x []dense.Matrix[T], m dense.Meter) float64

// largestOf checks every problem and returns the largest residual. It computes with real numbers if all operands are
// real.
func (k *check) largestOf(onReals residual[float64], onComplex residual[complex128]) error {
	var arrays []*Array
	for _, o := range k.operands {
		arrays = append(arrays, o.array)
	}
	m := newMeter(k.Call)
	value := onNumbers(m, arrays, k.complexToo,
		func(x []dense.Matrix[float64]) float64 { return overBatch(k, x, onReals, m) },
		func(x []dense.Matrix[complex128]) float64 { return overBatch(k, x, onComplex, m) })
	epsilon := 0.0
	for _, a := range arrays {
		epsilon = max(epsilon, Epsilon(a.Kind))
	}
	k.Residuals.Add(value, epsilon)
	k.Out(lua.LNumber(value))
	return nil
}

// overBatch returns the largest residual of a batch.
func overBatch[T dense.Number](k *check, x []dense.Matrix[T], f residual[T], m *denseMeter) float64 {
	k.VM.Meter().Reserve(k.L, 8*uint64(k.batch))
	reserved := m.reserved
	values := make([]float64, 0, k.batch)
	for p := range k.batch {
		problem := make([]dense.Matrix[T], len(x))
		for i := range x {
			rows, cols := k.shape(i)
			problem[i] = dense.Of(rows, cols, x[i].Data[p*rows*cols:(p+1)*rows*cols])
		}
		m.Step(len(x))
		values = append(values, f(problem, m))
		m.reserved = reserved // the next problem reuses the temporary memory
	}
	return largest(values)
}

func arrayResidual(c *engine.Call, a, x, b numbers, batch int64) error {
	k := newCheck(c, batch, matrix("A", a), matrix("x", x), matrix("b", b))
	rows, cols := k.shape(0)
	_, sides := k.shape(1)
	k.want(1, cols, -1)
	k.want(2, rows, sides)
	return k.largestOf(solution[float64], solution[complex128])
}

func solution[T dense.Number](x []dense.Matrix[T], m dense.Meter) float64 {
	return dense.Residual(x[0], x[1], x[2], m)
}

func arrayLUResidual(c *engine.Call, a, lu, ipiv numbers, batch int64) error {
	k := newCheck(c, batch, matrix("A", a), matrix("LU", lu), vector("ipiv", ipiv))
	rows, cols := k.shape(0)
	k.want(1, rows, cols)
	k.want(2, min(rows, cols), 1)
	step := everyElement(c, 1)
	for i := range ipiv.len() {
		step()
		if p := real(ipiv.at(i)); !(p >= 1 && p <= float64(rows)) {
			c.Bad("ipiv", "pivot %d is %v, outside 1..%d", i+1, p, rows)
		}
	}
	return k.largestOf(factorsLU[float64], factorsLU[complex128])
}

func factorsLU[T dense.Number](x []dense.Matrix[T], m dense.Meter) float64 {
	pivots := make([]int, len(x[2].Data))
	for i, v := range x[2].Data {
		pivots[i] = int(dense.Real(v)) - 1
	}
	return dense.LUResidual(x[0], x[1], pivots, m)
}

func arrayCholeskyResidual(c *engine.Call, a, factor numbers, uplo, batch int64) error {
	upper, k := isUpper(c, uplo), newCheck(c, batch, matrix("A", a), matrix("factor", factor))
	n := k.square()
	k.want(1, n, n)
	return k.largestOf(factorCholesky[float64](upper), factorCholesky[complex128](upper))
}

func factorCholesky[T dense.Number](upper bool) residual[T] {
	return func(x []dense.Matrix[T], m dense.Meter) float64 { return dense.CholeskyResidual(x[0], x[1], upper, m) }
}

func arrayOrthogonality(c *engine.Call, q numbers, batch int64) error {
	return newCheck(c, batch, matrix("Q", q)).largestOf(orthonormal[float64], orthonormal[complex128])
}

func orthonormal[T dense.Number](x []dense.Matrix[T], m dense.Meter) float64 {
	return dense.Orthogonality(x[0], m)
}

func arrayInverseResidual(c *engine.Call, a, inverse numbers, batch int64) error {
	k := newCheck(c, batch, matrix("A", a), matrix("X", inverse))
	n := k.square()
	k.want(1, n, n)
	return k.largestOf(inverted[float64], inverted[complex128])
}

func inverted[T dense.Number](x []dense.Matrix[T], m dense.Meter) float64 {
	return dense.InverseResidual(x[0], x[1], m)
}

func arrayEigenResidual(c *engine.Call, a, v, w numbers, batch int64) error {
	k := newCheck(c, batch, matrix("A", a), matrix("V", v), vector("w", w))
	n := k.square()
	k.want(1, n, -1)
	_, count := k.shape(1)
	k.want(2, count, 1)
	return k.largestOf(eigenpairs[float64], eigenpairs[complex128])
}

func eigenpairs[T dense.Number](x []dense.Matrix[T], m dense.Meter) float64 {
	return dense.EigenResidual(x[0], x[1], x[2].Data, m)
}

func arraySVDResidual(c *engine.Call, a, u, s, v numbers, batch int64) error {
	k := newCheck(c, batch, matrix("A", a), matrix("U", u), vector("S", s), matrix("V", v))
	rows, cols := k.shape(0)
	values, _ := k.shape(2)
	k.want(1, rows, -1)
	k.want(3, -1, cols)
	if _, across := k.shape(1); across < values {
		k.want(1, rows, values)
	}
	if down, _ := k.shape(3); down < values {
		k.want(3, values, cols)
	}
	return k.largestOf(singularValues[float64], singularValues[complex128])
}

func singularValues[T dense.Number](x []dense.Matrix[T], m dense.Meter) float64 {
	return dense.SVDResidual(x[0], x[1], x[2].Data, x[3], m)
}

func arrayProductResidual(c *engine.Call, result, a, b numbers, given engine.Option[engine.Options]) error {
	o := given.Value
	opA := operationOf(c, "transA", o.Integer("transA", routine.OperationNone))
	opB := operationOf(c, "transB", o.Integer("transB", routine.OperationNone))
	alpha, beta := factorOf(c, "alpha", o.Value("alpha")), factorOf(c, "beta", o.Value("beta"))
	c0, v := result, o.Value("C0")
	if v != nil {
		c0 = readNumbers(c, c.Option("C0"), v)
	} else {
		if o.Value("beta") != nil && beta != 0 {
			c.Bad("options", "beta is not 0 and C0, which it multiplies, is missing")
		}
		beta = 0
	}
	k := newCheck(c, o.Integer("batch", 1), matrix("C", result), matrix("A", a), matrix("B", b), matrix("C0", c0))
	rows, cols := k.shape(0)
	k.want(3, rows, cols)
	k.checkProduct(opA, opB)
	p := scalars{opA, opB, alpha, beta}
	k.complexToo = imag(alpha) != 0 || imag(beta) != 0
	return k.largestOf(productOf[float64](p), productOf[complex128](p))
}

// checkProduct raises an error if the factors A and B do not fit C.
func (k *check) checkProduct(opA, opB dense.Op) {
	rows, cols := k.shape(0)
	m, inner := k.shape(1)
	if opA != dense.None {
		m, inner = inner, m
	}
	have, n := k.shape(2)
	if opB != dense.None {
		have, n = n, have
	}
	if m != rows || n != cols || have != inner {
		k.Bad("C", "%dx%d does not fit op(A), %dx%d, and op(B), %dx%d", rows, cols, m, inner, have, n)
	}
}

// scalars are the arguments of a product except its matrices.
type scalars struct {
	opA, opB    dense.Op
	alpha, beta complex128
}

func productOf[T dense.Number](s scalars) residual[T] {
	return func(x []dense.Matrix[T], m dense.Meter) float64 {
		p := dense.Product[T]{Alpha: fromComplex[T](s.alpha), Beta: fromComplex[T](s.beta), OpA: s.opA, OpB: s.opB,
			A: x[1], B: x[2], C0: x[3]}
		return p.Residual(x[0], m)
	}
}

func arrayIsSorted(c *engine.Call, a numbers, order string) error {
	if a.isComplex() {
		c.Bad("values", "complex numbers have no order")
	}
	sorted, step := true, everyElement(c, 1)
	for i := range a.len() {
		step()
		v := real(a.at(i))
		if v != v {
			sorted = false
		}
		if i%a.rows == 0 {
			continue
		}
		if before := real(a.at(i - 1)); order == "ascending" && before > v || order == "descending" && before < v {
			sorted = false
		}
	}
	c.Out(lua.LBool(sorted))
	return nil
}
