// Package array has the module array of scripts: typed arrays in host memory, arithmetic with them, and the checks of
// results of BLAS and LAPACK.
package array

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/api"
	"roclua/luabind/dense"
	"roclua/luabind/engine"
)

// Extension adds host arrays to the engine.
func Extension() engine.Extension {
	return engine.Extension{
		Functions: map[string]engine.Bodies{"array.": arrayFunctions(), "array:": arrayMethods()},
		Readers: map[api.Kind][]any{
			api.Array:       {readArray, readInPart},
			api.Numbers:     {readNumbers},
			api.ElementType: {readElementType},
		},
		Types: map[string]func(*engine.Engine){TypeName: openArrays},
	}
}

// arrayFunctions are the functions of the module array.
func arrayFunctions() engine.Bodies {
	return engine.Bodies{
		"new":                 engine.Takes3(arrayZeros),
		"zeros":               engine.Takes3(arrayZeros),
		"random":              engine.Takes4(arrayRandom),
		"identity":            engine.Takes3(arrayIdentity),
		"hilbert":             engine.Takes3(arrayHilbert),
		"diagonally_dominant": engine.Takes4(arrayDominant),
		"of":                  engine.Takes3(arrayOfValues),
		"pointers":            engine.Takes3(arrayPointers),
		"view":                engine.Takes4(arrayView),
		"positive_definite":   engine.Takes3(arrayPositiveDefinite),
		"orthogonal":          engine.Takes4(arrayOrthogonal),

		"load":            engine.Takes1(arrayLoad),
		"solve":           engine.Takes2(arraySolve),
		"inverse":         engine.Takes1(arrayInverse),
		"eigenvalues":     engine.Takes2(arrayEigenvalues),
		"singular_values": engine.Takes1(arraySingularValues),

		"multiply":            engine.Takes4(arrayMultiply),
		"add":                 engine.Takes4(arrayAdd),
		"subtract":            engine.Takes2(arraySubtract),
		"scale":               engine.Takes2(arrayScale),
		"transpose":           engine.Takes1(arrayTranspose),
		"conjugate_transpose": engine.Takes1(arrayConjugateTranspose),
		"orthogonal_factor":   engine.Takes2(arrayOrthogonalFactor),

		"norm":                 engine.Takes2(arrayNorm),
		"max_difference":       engine.Takes2(arrayDifference),
		"relative_difference":  engine.Takes2(arrayRelativeDifference),
		"residual":             engine.Takes4(arrayResidual),
		"lu_residual":          engine.Takes4(arrayLUResidual),
		"cholesky_residual":    engine.Takes4(arrayCholeskyResidual),
		"qr_residual":          engine.Takes4(arrayFactorResidual(dense.QR)),
		"lq_residual":          engine.Takes4(arrayFactorResidual(dense.LQ)),
		"ql_residual":          engine.Takes4(arrayFactorResidual(dense.QL)),
		"rq_residual":          engine.Takes4(arrayFactorResidual(dense.RQ)),
		"orthogonality":        engine.Takes2(arrayOrthogonality),
		"inverse_residual":     engine.Takes3(arrayInverseResidual),
		"eigen_residual":       engine.Takes4(arrayEigenResidual),
		"generalized_residual": engine.Takes6(arrayGeneralizedResidual),
		"svd_residual":         engine.Takes5(arraySVDResidual),
		"product_residual":     engine.Takes4(arrayProductResidual),
		"is_sorted":            engine.Takes2(arrayIsSorted),
	}
}

// arrayMethods are the methods of arrays that are not functions of the module.
func arrayMethods() engine.Bodies {
	return engine.Bodies{
		"get":      engine.Takes3(arrayGet),
		"set":      engine.Takes4(arraySet),
		"copy":     engine.Takes1(arrayCopy),
		"fill":     engine.Takes2(arrayFill),
		"row":      engine.Takes2(arrayRow),
		"column":   engine.Takes2(arrayColumn),
		"block":    engine.Takes5(arrayBlock),
		"paste":    engine.Takes4(arrayPaste),
		"problem":  engine.Takes3(arrayProblem),
		"reshape":  engine.Takes3(arrayReshape),
		"diagonal": engine.Takes1(arrayDiagonal),
		"triangle": engine.Takes2(arrayTriangle),
		"convert":  engine.Takes2(arrayConvert),
		"totable":  engine.Takes1(arrayToTable),
		"packed":   engine.Takes2(arrayPacked),
		"band":     engine.Takes3(arrayBand),
		"padded":   engine.Takes3(arrayPadded),
		"save":     engine.Takes2(arraySave),
	}
}

func readArray(c *engine.Call, p *api.Param, v lua.LValue) *Array {
	if v == lua.LNil && p.Nil != "" {
		return nil
	}
	a := engine.Object[*Array](c, p, v)
	if p.Filled {
		a.CheckWritable(c, p.Name)
	} else {
		a.BeforeUse(c.Fn.Title())
	}
	return a
}

// InPart is an array that a function does not read as a whole: it reports its uses by Array.before.
type InPart struct{ *Array }

func readInPart(c *engine.Call, p *api.Param, v lua.LValue) InPart {
	return InPart{engine.Object[*Array](c, p, v)}
}

// numbers is a host array of numbers.
type numbers struct{ *Array }

func readNumbers(c *engine.Call, p *api.Param, v lua.LValue) numbers {
	a := readArray(c, p, v)
	if !a.isNumber() {
		c.Bad(p.Name, "got an array of device pointers, want %s", p.Want())
	}
	return numbers{a}
}

func readElementType(c *engine.Call, p *api.Param, v lua.LValue) ElementKind {
	text, ok := v.(lua.LString)
	kind, known := elementOf[string(text)]
	if !ok || !known {
		c.Want(p, v)
	}
	return kind
}
