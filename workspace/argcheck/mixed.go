package argcheck

import (
	"fmt"
	"slices"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// The _ex routines. They check the combination of datatypes last, after they allocated memory if they need any. Only
// trsm_ex and gemm_ex check the compute type earlier.
func mixed() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.DotEx:  productEx,
		routine.DotcEx: productEx,
		routine.Nrm2Ex: normEx,
		routine.TrsmEx: triangularSolveEx,
		routine.GemmEx: matrixProductEx,
		routine.SyrkEx: rankUpdateEx,

		routine.GemmEx3:        eightBitProduct,
		routine.GemmKernelName: notInLibrary,
	}
}

// datatypes holds the combinations of datatypes of every family with mixed datatypes.
var datatypes = map[routine.FamilyID]types{
	routine.DotEx:  productTypes,
	routine.DotcEx: productTypes,
	routine.Nrm2Ex: normTypes,
	routine.TrsmEx: solveTypes,
	routine.GemmEx: matrixTypes,
	routine.SyrkEx: rankUpdateTypes,
	routine.AxpyEx: additionTypes,
	routine.ScalEx: scalingTypes,
	routine.RotEx:  rotationTypes,
	routine.GeamEx: sumTypes,
}

const (
	f16  = routine.DatatypeF16
	bf16 = routine.DatatypeBF16
	f32  = routine.DatatypeF32
	f64  = routine.DatatypeF64
	f32c = routine.DatatypeF32C
	f64c = routine.DatatypeF64C
	i8   = routine.DatatypeI8
	i32  = routine.DatatypeI32
)

// The combinations of datatypes that have kernels, in the order of the arguments.
var (
	productTypes = types{
		slots: []routine.Slot{routine.XType, routine.YType, routine.ResultType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f16, f16}, {f16, f16, f16, f32}, {bf16, bf16, bf16, f32}, {f32, f32, f32, f32},
			{f32, f32, f64, f64}, {f64, f64, f64, f64}, {f32c, f32c, f32c, f32c}, {f64c, f64c, f64c, f64c},
		},
	}
	normTypes = types{
		slots: []routine.Slot{routine.XType, routine.ResultType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f32}, {bf16, bf16, f32}, {f32, f32, f32}, {f64, f64, f64}, {f32c, f32, f32}, {f64c, f64, f64},
		},
	}
	matrixTypes = types{
		slots: []routine.Slot{routine.AType, routine.BType, routine.CType, routine.DType, routine.ComputeType},
		combinations: [][]int64{
			{f16, f16, f16, f16, f16}, {f16, f16, f16, f16, f32}, {f16, f16, f32, f32, f32},
			{bf16, bf16, bf16, bf16, f32}, {bf16, bf16, f32, f32, f32}, {f32, f32, f32, f32, f32},
			{f64, f64, f64, f64, f64}, {f32c, f32c, f32c, f32c, f32c}, {f64c, f64c, f64c, f64c, f64c},
			{i8, i8, i32, i32, i32},
		},
	}
	solveTypes = types{
		slots:        []routine.Slot{routine.ComputeType},
		combinations: [][]int64{{f32}, {f64}, {f32c}, {f64c}},
	}
	eightBitCompute = types{
		slots: []routine.Slot{routine.ComputeType},
		combinations: [][]int64{{routine.ComputeF32}, {routine.ComputeF8F8}, {routine.ComputeF8BF8},
			{routine.ComputeBF8F8}, {routine.ComputeBF8BF8}},
	}
	rankUpdateTypes = types{
		slots: []routine.Slot{routine.AType, routine.CType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f32}, {f16, f32, f32}, {bf16, bf16, f32}, {bf16, f32, f32}, {f32, f32, f64}, {f32, f64, f64},
		},
	}
)

// scalarTypes are the datatypes in which gemm_ex and syrk_ex can read alpha and beta.
func scalarTypes(s routine.Slot) types {
	return types{slots: []routine.Slot{s}, combinations: [][]int64{{f16}, {f32}, {f64}, {f32c}, {f64c}, {i32}}}
}

// types are combinations of datatypes.
type types struct {
	slots        []routine.Slot
	combinations [][]int64
}

func (t types) include(a *routine.Args) bool {
	return slices.ContainsFunc(t.combinations, func(c []int64) bool {
		for i, s := range t.slots {
			if a.Int(s) != c[i] {
				return false
			}
		}
		return true
	})
}

// missing holds when a call's datatypes are none of the combinations.
func (t types) missing() condition {
	return condition{
		slot: t.slots[0],
		test: func(a *routine.Args) bool { return !t.include(a) },
		message: func(a *routine.Args) string {
			text := "there is no kernel for"
			for i, s := range t.slots {
				if i > 0 {
					text += ","
				}
				p, _ := a.Routine.ParamAt(s)
				text += fmt.Sprintf(" %s %s", p.Name, routine.ConstantName(p.Kind, a.Int(s)))
			}
			return text
		},
	}
}

// Datatypes returns the combinations of datatypes that an _ex routine computes with, and the arguments that give them.
// Other routines have none.
func Datatypes(r *routine.Routine) (arguments []routine.Slot, combinations [][]int64) {
	t := datatypes[r.Family.ID]
	return t.slots, t.combinations
}

// NullHandle returns the status of a call with the null handle, and its reason. trsm_ex checks the compute type before
// the handle, and a function that is not implemented checks nothing.
func NullHandle(a *routine.Args) (st status.Status, reason string) {
	if a.Routine.Family.ID == routine.GemmKernelName {
		return status.NotImplemented, withoutCode.message(a)
	}
	if a.Routine.Family.ID == routine.TrsmEx && !solveTypes.include(a) {
		return status.NotImplemented, solveTypes.missing().message(a)
	}
	return status.InvalidHandle, "the handle is null"
}

// notImplemented lists the conditions under which there is no kernel.
func notImplemented(c ...condition) rule {
	return rule{in: everywhere, status: status.NotImplemented, any: c}
}

func productEx(o operands) []rule {
	return append(product(o), allocated, notImplemented(productTypes.missing()))
}

func normEx(o operands) []rule {
	return append(reduction(o), allocated, notImplemented(normTypes.missing()))
}

func triangularSolveEx(o operands) []rule {
	return append([]rule{notImplemented(solveTypes.missing())}, triangularSolve(o)...)
}

// A query checks only calls with 16-bit factors that are added in 32 bits, and those as an executed call: their
// kernels may need memory.
func matrixProductEx(o operands) []rule {
	list := append([]rule{unchanged(needsNoKernel)}, o.productEx(scalarTypes(routine.ComputeType))...)
	return append(list,
		notImplemented(matrixTypes.missing()),
		pointers(null(alpha).unless(zero(k)), null(beta)).only(queried).with(Crash))
}

// eightBitProduct is gemm_ex3. What follows depends on the types and on the kernels that the library has.
func eightBitProduct(o operands) []rule { return o.productSizes(eightBitCompute) }

// productEx checks the arguments of a matrix product before its datatypes. Its scalars are read as one of the types.
func (o operands) productEx(scalars types) []rule {
	return append(o.productSizes(scalars),
		pointers(null(alpha).unless(zero(k)), null(beta), null(matD)).only(executed),
		pointers(null(matC).unless(betaZero), null(matA).unless(noProduct),
			null(matB).unless(noProduct)).only(executed),
		size(inPlaceAs(routine.LDC, routine.LDD)).only(executed),
		value(inPlaceAs(routine.CType, routine.DType)).only(executed),
		o.otherProblemsInPlace())
}

// productSizes checks the arguments of a matrix product before its pointers.
func (o operands) productSizes(scalars types) []rule {
	return []rule{
		notImplemented(scalars.missing()),
		fetched(nonzero(k), always),
		value(badTransA, badTransB),
		size(negative(m), negative(n), negative(k), negative(batchCount),
			o.ldBelowRows(matA), o.ldBelowRows(matB), o.ldBelowRows(matC), o.ldBelowRows(matD)),
		quickReturn(zero(m), zero(n), zero(batchCount)).only(executed),
		unchanged(zero(m), zero(n), zero(batchCount)),
	}
}

// A query of syrk_ex checks nothing.
func rankUpdateEx(o operands) []rule {
	return []rule{
		unchanged(zero(n)),
		queryReturns,
		notImplemented(scalarTypes(routine.ExecutionType).missing()),
		fetched(nonzero(k), always),
		quickReturn(zero(n)),
		notImplemented(rankUpdateTypes.missing()),
		value(badUplo, badTransA),
		size(negative(n), negative(k), o.ldBelowRows(matA), o.ldBelowRows(matC)),
		pointers(null(alpha).unless(zero(k)), null(beta)),
		quickReturn(both(betaOne, noProduct)),
		pointers(null(matC), null(matA).unless(noProduct)),
		pointers(null(alpha)).with(Crash),
	}
}

func notInLibrary(operands) []rule { return []rule{notImplemented(withoutCode)} }

// withoutCode holds for every call of a function that the library exports and does not implement.
var withoutCode = condition{
	test:    always,
	message: func(a *routine.Args) string { return "the library does not implement " + a.Routine.CName() },
}

// otherProblemsInPlace is a strided batch whose result overwrites C with another stride.
func (o operands) otherProblemsInPlace() rule {
	if o.r.Variant != routine.StridedBatched {
		return rule{}
	}
	return size(inPlaceAs(routine.StrideC, routine.StrideD))
}

var betaZero = scalarIs(beta, 0)

// needsNoKernel holds for the products that never need memory.
var needsNoKernel = condition{
	slot: routine.ComputeType,
	test: func(a *routine.Args) bool {
		return a.Int(routine.ComputeType) != f32 || a.Int(routine.AType) != f16 && a.Int(routine.AType) != bf16
	},
	message: func(a *routine.Args) string { return a.Routine.CName() + " of these datatypes needs no workspace" },
}

// inPlaceAs holds when C is D, but an argument of C differs from that of D.
func inPlaceAs(ofC, ofD routine.Slot) condition {
	return condition{
		slot: ofC,
		test: func(a *routine.Args) bool { return a.Ptr(matC) == a.Ptr(matD) && a.Int(ofC) != a.Int(ofD) },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("c is d, so %s, %d, must be %s = %d", name(a, ofD), a.Int(ofD), name(a, ofC), a.Int(ofC))
		},
	}
}
