package array

import (
	"roclua/hip/routine"
	"roclua/luabind/dense"
	"roclua/luabind/engine"
)

func arraySolve(c *engine.Call, a, b numbers) error {
	if a.rows < a.cols || b.rows != a.rows {
		c.Bad("b", "%dx%d does not fit A, %dx%d: A has at least as many rows as columns, and b as many rows", b.rows,
			b.cols, a.rows, a.cols)
	}
	kind, m := widerKind(false, a.Array, b.Array), newMeter(c)
	return outArray(c, onNumbers(m, []*Array{a.Array, b.Array}, false,
		func(x []dense.Matrix[float64]) *Array { return keep(c, dense.Solve(x[0], x[1], m), kind, m) },
		func(x []dense.Matrix[complex128]) *Array { return keep(c, dense.Solve(x[0], x[1], m), kind, m) }))
}

func arrayInverse(c *engine.Call, a numbers) error {
	newCheck(c, 1, matrix("A", a)).square()
	kind, m := widerKind(false, a.Array), newMeter(c)
	return outArray(c, onNumbers(m, []*Array{a.Array}, false,
		func(x []dense.Matrix[float64]) *Array { return keep(c, dense.Inverse(x[0], m), kind, m) },
		func(x []dense.Matrix[complex128]) *Array { return keep(c, dense.Inverse(x[0], m), kind, m) }))
}

func arrayEigenvalues(c *engine.Call, a numbers, uplo int64) error {
	upper, m := isUpper(c, uplo), newMeter(c)
	newCheck(c, 1, matrix("A", a)).square()
	return realValues(c, a, m,
		func(x []dense.Matrix[float64]) []float64 { return dense.Eigenvalues(x[0], upper, m) },
		func(x []dense.Matrix[complex128]) []float64 { return dense.Eigenvalues(x[0], upper, m) })
}

func arraySingularValues(c *engine.Call, a numbers) error {
	m := newMeter(c)
	return realValues(c, a, m,
		func(x []dense.Matrix[float64]) []float64 { return dense.SingularValues(x[0], m) },
		func(x []dense.Matrix[complex128]) []float64 { return dense.SingularValues(x[0], m) })
}

// realValues returns real values of a matrix, in the precision of its elements.
func realValues(
	c *engine.Call, a numbers, m *denseMeter, onReals func([]dense.Matrix[float64]) []float64,
	onComplex func([]dense.Matrix[complex128]) []float64,
) error {
	kind := map[string]string{"c": "s", "z": "d"}[a.Kind]
	if kind == "" {
		kind = widerKind(false, a.Array)
	}
	values := onNumbers(m, []*Array{a.Array}, false, onReals, onComplex)
	return outArray(c, keep(c, dense.Of(len(values), 1, values), kind, m))
}

// arrayFactorResidual returns the body of the check of a factorization by reflections.
func arrayFactorResidual(form dense.Form) func(c *engine.Call, a, factors, tau numbers, batch int64) error {
	return func(c *engine.Call, a, factors, tau numbers, batch int64) error {
		k := newCheck(c, batch, matrix("A", a), matrix(c.Fn.Params[1].Name, factors), vector("tau", tau))
		rows, cols := k.shape(0)
		k.want(1, rows, cols)
		k.want(2, min(rows, cols), 1)
		return k.largestOf(reflections[float64](form), reflections[complex128](form))
	}
}

func reflections[T dense.Number](form dense.Form) residual[T] {
	return func(x []dense.Matrix[T], m dense.Meter) float64 {
		return dense.FactorResidual(form, x[0], x[1], x[2].Data, m)
	}
}

func arrayGeneralizedResidual(c *engine.Call, a, b, v, w numbers, itype, batch int64) error {
	problem := map[int64]dense.Generalized{routine.EformAx: dense.AxIsBx, routine.EformAbx: dense.ABxIsX,
		routine.EformBax: dense.BAxIsX}[itype]
	if problem == 0 {
		c.Bad("itype", "got %d, want rocblas.eform_ax, eform_abx or eform_bax", itype)
	}
	k := newCheck(c, batch, matrix("A", a), matrix("B", b), matrix("V", v), vector("w", w))
	n := k.square()
	k.want(1, n, n)
	k.want(2, n, -1)
	_, count := k.shape(2)
	k.want(3, count, 1)
	return k.largestOf(generalized[float64](problem), generalized[complex128](problem))
}

func generalized[T dense.Number](problem dense.Generalized) residual[T] {
	return func(x []dense.Matrix[T], m dense.Meter) float64 {
		return dense.GeneralizedResidual(problem, x[0], x[1], x[2], x[3].Data, m)
	}
}
