package array

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/luabind/dense"
	"roclua/luabind/engine"
)

// operationOf returns a rocblas_operation, whose numbers are the same. It raises an error for another number.
func operationOf(c *engine.Call, param string, operation int64) dense.Op {
	if op := dense.Op(operation); op >= dense.None && op <= dense.ConjTrans {
		return op
	}
	c.Bad(param, "got %d, want rocblas.operation_none, operation_transpose or operation_conjugate_transpose", operation)
	return dense.None
}

// isUpper translates a rocblas_fill.
func isUpper(c *engine.Call, uplo int64) bool {
	if uplo != routine.FillUpper && uplo != routine.FillLower {
		c.Bad("uplo", "got %d, want rocblas.fill_upper or rocblas.fill_lower", uplo)
	}
	return uplo == routine.FillUpper
}

// factorOf reads a factor; its default is 1.
func factorOf(c *engine.Call, param string, v lua.LValue) complex128 {
	if v == nil || v == lua.LNil {
		return 1
	}
	return engine.ReadComplex(c, param, v)
}

// shapeUnder returns the rows and columns of op(A).
func shapeUnder(op dense.Op, a *Array) (rows, cols int) {
	if op == dense.None {
		return a.rows, a.cols
	}
	return a.cols, a.rows
}

// checkFactors raises an error if two factors of a product do not fit.
func checkFactors(c *engine.Call, a, b *Array, opA, opB dense.Op) {
	rows, inner := shapeUnder(opA, a)
	have, cols := shapeUnder(opB, b)
	if have != inner {
		c.Bad("B", "op(B) of %dx%d does not fit op(A) of %dx%d, whose columns are its rows", have, cols, rows, inner)
	}
}

func arrayMultiply(c *engine.Call, a, b numbers, transA, transB int64) error {
	opA, opB := operationOf(c, "transA", transA), operationOf(c, "transB", transB)
	checkFactors(c, a.Array, b.Array, opA, opB)
	return outArray(c, operandsOf(newMeter(c), false, a, b).product(opA, opB))
}

func arrayAdd(c *engine.Call, a, b numbers, alpha, beta engine.Option[lua.LValue]) error {
	return combine(c, a, b, factorOf(c, "alpha", alpha.Value), factorOf(c, "beta", beta.Value))
}

func arraySubtract(c *engine.Call, a, b numbers) error { return combine(c, a, b, 1, -1) }

func arrayScale(c *engine.Call, a numbers, alpha lua.LValue) error {
	return combine(c, a, a, engine.ReadComplex(c, "alpha", alpha), 0)
}

// combine returns alpha A + beta B.
func combine(c *engine.Call, a, b numbers, alpha, beta complex128) error {
	if a.rows != b.rows || a.cols != b.cols {
		c.Bad("B", "%dx%d does not fit A, %dx%d", b.rows, b.cols, a.rows, a.cols)
	}
	complexToo := imag(alpha) != 0 || imag(beta) != 0
	return outArray(c, operandsOf(newMeter(c), complexToo, a, b).combination(alpha, beta))
}

func arrayTranspose(c *engine.Call, a numbers) error          { return transposed(c, a, false) }
func arrayConjugateTranspose(c *engine.Call, a numbers) error { return transposed(c, a, true) }

func transposed(c *engine.Call, a numbers, conjugate bool) error {
	b := reservedArray(c, a.Kind, a.cols, a.rows)
	if a.len() == 0 {
		return outArray(c, b)
	}
	size := elementOf[a.Kind].bytes
	for j := range each(c, a.cols, a.rows) {
		for i := range a.rows {
			from, to := (j*a.rows+i)*size, (i*b.rows+j)*size
			copy(b.Raw[to:to+size], a.Raw[from:from+size])
		}
	}
	if conjugate {
		conjugateAll(c, b)
	}
	return outArray(c, b)
}

// conjugateAll conjugates every element.
func conjugateAll(c *engine.Call, a *Array) {
	if !a.isComplex() {
		return
	}
	for i := range each(c, a.len(), 1) {
		v := a.at(i)
		a.put(i, complex(real(v), -imag(v)))
	}
}

func arrayOrthogonalFactor(c *engine.Call, qr, tau numbers) error {
	if most := min(qr.rows, qr.cols); tau.len() != most {
		c.Bad("tau", "%d elements do not fit QR, %dx%d, which has %d reflections", tau.len(), qr.rows, qr.cols, most)
	}
	return outArray(c, operandsOf(newMeter(c), false, qr, tau).orthogonalFactor())
}

// checkMatrixKind raises an error if the elements are integers or addresses.
func checkMatrixKind(c *engine.Call, kind ElementKind) {
	probe := Array{Kind: kind.Name}
	if _, _, integers := probe.integers(); integers || !probe.isNumber() {
		c.Bad("type", "got %s, want one of s d c z f16 bf16", kind.Name)
	}
}

func arrayPositiveDefinite(c *engine.Call, kind ElementKind, n int64, seed engine.Option[int64]) error {
	checkMatrixKind(c, kind)
	a, r, m := shapedArray(c, kind, n, n), generator(c, seed), newMeter(c)
	uniform := func() float64 { return 2*r.Float64() - 1 }
	if a.isComplex() {
		pair := func() complex128 { return complex(uniform(), uniform()) }
		return outArray(c, keep(dense.PositiveDefinite(a.rows, pair, m), a.Kind, m))
	}
	return outArray(c, keep(dense.PositiveDefinite(a.rows, uniform, m), a.Kind, m))
}

func arrayOrthogonal(c *engine.Call, kind ElementKind, rows int64, cols, seed engine.Option[int64]) error {
	checkMatrixKind(c, kind)
	a, r, m := shapedArray(c, kind, rows, cols.Or(rows)), generator(c, seed), newMeter(c)
	if a.isComplex() {
		pair := func() complex128 { return complex(r.NormFloat64(), r.NormFloat64()) }
		return outArray(c, keep(dense.Orthogonal(a.rows, a.cols, pair, m), a.Kind, m))
	}
	return outArray(c, keep(dense.Orthogonal(a.rows, a.cols, r.NormFloat64, m), a.Kind, m))
}

func arraySolve(c *engine.Call, a, b numbers) error {
	if a.rows < a.cols || b.rows != a.rows {
		c.Bad("b", "%dx%d does not fit A, %dx%d: A has at least as many rows as columns, and b as many rows", b.rows,
			b.cols, a.rows, a.cols)
	}
	return outArray(c, operandsOf(newMeter(c), false, a, b).solution())
}

func arrayInverse(c *engine.Call, a numbers) error {
	newCheck(c, 1, a).square()
	return outArray(c, operandsOf(newMeter(c), false, a).inverse())
}

func arrayEigenvalues(c *engine.Call, a numbers, uplo int64) error {
	upper := isUpper(c, uplo)
	newCheck(c, 1, a).square()
	return outArray(c, operandsOf(newMeter(c), false, a).eigenvalues(upper))
}

func arraySingularValues(c *engine.Call, a numbers) error {
	return outArray(c, operandsOf(newMeter(c), false, a).singularValues())
}
