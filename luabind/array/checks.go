package array

import (
	"slices"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/luabind/dense"
	"roclua/luabind/engine"
)

func arrayNorm(c *engine.Call, a numbers, kind string) error {
	return c.Return(nil, lua.LNumber(operandsOf(newMeter(c), false, a).norm(kind)))
}

func arrayDifference(c *engine.Call, a, b numbers) error {
	return comparing(c, a, b, operands.difference)
}

func arrayRelativeDifference(c *engine.Call, a, b numbers) error {
	return comparing(c, a, b, operands.relativeDifference)
}

// comparing returns the result of a comparison of two arrays as vectors. They must have equally many elements.
func comparing(c *engine.Call, a, b numbers, compare func(operands) float64) error {
	if a.len() != b.len() {
		c.Bad("b", "%d elements, %dx%d, do not fit a, %dx%d", b.len(), b.rows, b.cols, a.rows, a.cols)
	}
	return c.Return(nil, lua.LNumber(compare(operandsOf(newMeter(c), false, a, b))))
}

// check is the check of one result in a batch of problems, which each array holds one after the other.
type check struct {
	*engine.Call
	batch      int
	arrays     []numbers
	names      []string // of the parameters
	vector     int      // index of an operand whose number of elements matters, not its shape; -1 for none
	complexToo bool     // it computes with complex numbers even if all operands are real
}

// newCheck returns a check of the first parameters of the called function.
func newCheck(c *engine.Call, batch int64, arrays ...numbers) *check {
	k := &check{Call: c, batch: int(batch), arrays: arrays, vector: -1}
	for _, p := range c.Fn.Params {
		k.names = append(k.names, p.Name)
	}
	return k
}

// withVector is newCheck for operands that include a vector.
func withVector(c *engine.Call, batch int64, vector int, arrays ...numbers) *check {
	k := newCheck(c, batch, arrays...)
	k.vector = vector
	return k
}

// shape returns the rows and columns of one problem of an operand.
func (k *check) shape(i int) (rows, cols int) {
	a := k.arrays[i]
	if i != k.vector {
		return a.rows, columnsPerProblem(k.Call, k.names[i], a.Array, k.batch)
	}
	if a.len()%k.batch != 0 {
		k.Bad(k.names[i], "%d elements are not a multiple of %d problems", a.len(), k.batch)
	}
	return a.len() / k.batch, 1
}

// want raises an error if a problem of an operand does not have a shape, where -1 accepts any number. The message
// compares the operand with the first one.
func (k *check) want(i, rows, cols int) {
	have, across := k.shape(i)
	if (rows < 0 || have == rows) && (cols < 0 || across == cols) {
		return
	}
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
	k.Bad(k.names[i], "%dx%d does not fit %s, %dx%d%s: it must be %dx%d", have, across, k.names[0], m, n, problem,
		wanted[0], wanted[1])
}

// square raises an error if the first operand is not square, and returns its order.
func (k *check) square() int {
	m, n := k.shape(0)
	if m != n {
		k.Bad(k.names[0], "%dx%d is not a square matrix", m, n)
	}
	return n
}

// largestOf checks every problem and returns the largest residual.
func (k *check) largestOf(residual func(operands) float64) error {
	m := newMeter(k.Call)
	x := operandsOf(m, k.complexToo, k.arrays...)
	k.VM.Meter().Reserve(k.L, 8*uint64(k.batch))
	residuals, reserved := make([]float64, k.batch), m.reserved
	for p := range k.batch {
		m.Step(len(k.arrays))
		residuals[p] = residual(x.problem(p, k.shape))
		m.reserved = reserved // the next problem reuses the temporary memory
	}
	largest := slices.Max(residuals) // NaN if one of them is
	epsilon := 0.0
	for _, a := range k.arrays {
		epsilon = max(epsilon, Epsilon(a.Kind))
	}
	k.Residuals.Add(largest, epsilon)
	return k.Return(nil, lua.LNumber(largest))
}

func arrayResidual(c *engine.Call, a, x, b numbers, batch int64) error {
	k := newCheck(c, batch, a, x, b)
	rows, cols := k.shape(0)
	_, sides := k.shape(1)
	k.want(1, cols, -1)
	k.want(2, rows, sides)
	return k.largestOf(operands.residual)
}

func arrayLUResidual(c *engine.Call, a, lu, ipiv numbers, batch int64) error {
	k := withVector(c, batch, 2, a, lu, ipiv)
	rows, cols := k.shape(0)
	k.want(1, rows, cols)
	k.want(2, min(rows, cols), 1)
	for i := range each(c, ipiv.len(), 1) {
		if p := real(ipiv.at(i)); !(p >= 1 && p <= float64(rows)) {
			c.Bad("ipiv", "pivot %d is %v, outside 1..%d", i+1, p, rows)
		}
	}
	return k.largestOf(operands.luResidual)
}

func arrayCholeskyResidual(c *engine.Call, a, factor numbers, uplo, batch int64) error {
	upper, k := isUpper(c, uplo), newCheck(c, batch, a, factor)
	n := k.square()
	k.want(1, n, n)
	return k.largestOf(func(x operands) float64 { return x.choleskyResidual(upper) })
}

// arrayFactorResidual returns the body of the check of a factorization by reflections.
func arrayFactorResidual(form dense.Form) func(c *engine.Call, a, factors, tau numbers, batch int64) error {
	return func(c *engine.Call, a, factors, tau numbers, batch int64) error {
		k := withVector(c, batch, 2, a, factors, tau)
		rows, cols := k.shape(0)
		k.want(1, rows, cols)
		k.want(2, min(rows, cols), 1)
		return k.largestOf(func(x operands) float64 { return x.factorResidual(form) })
	}
}

func arrayOrthogonality(c *engine.Call, q numbers, batch int64) error {
	return newCheck(c, batch, q).largestOf(operands.orthogonality)
}

func arrayInverseResidual(c *engine.Call, a, inverse numbers, batch int64) error {
	k := newCheck(c, batch, a, inverse)
	n := k.square()
	k.want(1, n, n)
	return k.largestOf(operands.inverseResidual)
}

func arrayEigenResidual(c *engine.Call, a, v, w numbers, batch int64) error {
	k := withVector(c, batch, 2, a, v, w)
	n := k.square()
	k.want(1, n, -1)
	_, count := k.shape(1)
	k.want(2, count, 1)
	return k.largestOf(operands.eigenResidual)
}

func arrayGeneralizedResidual(c *engine.Call, a, b, v, w numbers, itype, batch int64) error {
	problem := dense.AxIsBx + dense.Generalized(itype-routine.EformAx)
	if problem < dense.AxIsBx || problem > dense.BAxIsX {
		c.Bad("itype", "got %d, want rocblas.eform_ax, eform_abx or eform_bax", itype)
	}
	k := withVector(c, batch, 3, a, b, v, w)
	n := k.square()
	k.want(1, n, n)
	k.want(2, n, -1)
	_, count := k.shape(2)
	k.want(3, count, 1)
	return k.largestOf(func(x operands) float64 { return x.generalizedResidual(problem) })
}

func arraySVDResidual(c *engine.Call, a, u, s, v numbers, batch int64) error {
	k := withVector(c, batch, 2, a, u, s, v)
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
	return k.largestOf(operands.svdResidual)
}

func arrayProductResidual(c *engine.Call, result, a, b numbers, o engine.Options) error {
	opA := operationOf(c, "transA", o["transA"].(int64))
	opB := operationOf(c, "transB", o["transB"].(int64))
	factor := func(name string) complex128 { return factorOf(c, name, engine.OptionOf[lua.LValue](o, name, nil)) }
	alpha, beta, c0 := factor("alpha"), factor("beta"), result
	switch before, ok := o["C0"].(lua.LValue); {
	case ok:
		c0 = readNumbers(c, c.Option("C0"), before)
	case o["beta"] != nil && beta != 0:
		c.Bad("options", "beta is not 0 and C0, which it multiplies, is missing")
	default:
		beta = 0
	}
	k := newCheck(c, o["batch"].(int64), result, a, b, c0)
	k.names[3] = "C0"
	rows, cols := k.shape(0)
	k.want(3, rows, cols)
	k.checkProduct(opA, opB)
	k.complexToo = imag(alpha) != 0 || imag(beta) != 0
	p := scalars{opA, opB, alpha, beta}
	return k.largestOf(func(x operands) float64 { return x.productResidual(p) })
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

func arrayIsSorted(c *engine.Call, a numbers, order string) error {
	if a.isComplex() {
		c.Bad("values", "complex numbers have no order")
	}
	sorted := true
	for i := range each(c, a.len(), 1) {
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
	return c.Return(nil, lua.LBool(sorted))
}
