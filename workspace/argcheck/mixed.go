package argcheck

import (
	"fmt"
	"slices"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// The _ex routines. Which combinations of datatypes they have is checked last, with the memory in hand where memory is
// asked for; only trsm_ex and gemm_ex look at the type to compute in earlier.
var mixed = map[string]list{
	"dot_ex":  productEx,
	"dotc_ex": productEx,
	"nrm2_ex": norm,
	"trsm_ex": triangularSolveEx,
	"gemm_ex": matrixProductEx,
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
		combinations: [][]int64{{f16, f16, f16, f16}, {f16, f16, f16, f32}, {bf16, bf16, bf16, f32}, {f32, f32, f32, f32},
			{f32, f32, f64, f64}, {f64, f64, f64, f64}, {f32c, f32c, f32c, f32c}, {f64c, f64c, f64c, f64c}},
	}
	normTypes = types{
		slots:        []routine.Slot{routine.XType, routine.ResultType, routine.ExecutionType},
		combinations: [][]int64{{f16, f16, f32}, {bf16, bf16, f32}, {f32, f32, f32}, {f64, f64, f64}, {f32c, f32, f32}, {f64c, f64, f64}},
	}
	matrixTypes = types{
		slots: []routine.Slot{routine.AType, routine.BType, routine.CType, routine.DType, routine.ComputeType},
		combinations: [][]int64{{f16, f16, f16, f16, f16}, {f16, f16, f16, f16, f32}, {f16, f16, f32, f32, f32}, {bf16, bf16, bf16, bf16, f32},
			{bf16, bf16, f32, f32, f32}, {f32, f32, f32, f32, f32}, {f64, f64, f64, f64, f64}, {f32c, f32c, f32c, f32c, f32c},
			{f64c, f64c, f64c, f64c, f64c}, {i8, i8, i32, i32, i32}},
	}
	solveTypes = types{slots: []routine.Slot{routine.ComputeType}, combinations: [][]int64{{f32}, {f64}, {f32c}, {f64c}}}
	// scalarTypes are those that gemm_ex can read alpha and beta in.
	scalarTypes = types{slots: []routine.Slot{routine.ComputeType}, combinations: [][]int64{{f16}, {f32}, {f64}, {f32c}, {f64c}, {i32}}}
)

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
		says: func(a *routine.Args) string {
			text := "no kernel has"
			for i, s := range t.slots {
				if i > 0 {
					text += ","
				}
				text += fmt.Sprintf(" %s %s", name(a, s), routine.ConstantName(routine.Datatype, a.Int(s)))
			}
			return text
		},
	}
}

// Datatypes returns the combinations of datatypes that an _ex routine computes with, and the arguments that give them; none
// for a routine with a type of its own.
func Datatypes(r *routine.Routine) (arguments []routine.Slot, combinations [][]int64) {
	t := map[string]types{"dot_ex": productTypes, "dotc_ex": productTypes, "nrm2_ex": normTypes, "trsm_ex": solveTypes, "gemm_ex": matrixTypes}[r.Family.Name]
	return t.slots, t.combinations
}

// notImplemented lists the conditions under which there is no kernel.
func notImplemented(c ...condition) rule {
	return rule{in: everywhere, status: status.NotImplemented, any: c}
}

func productEx(o operands) []rule {
	return append(product(o), borrowed, notImplemented(productTypes.missing()))
}
func norm(o operands) []rule {
	return append(reduction(o), borrowed, notImplemented(normTypes.missing()))
}

func triangularSolveEx(o operands) []rule {
	return append([]rule{notImplemented(solveTypes.missing())}, triangularSolve(o)...)
}

// Only 16-bit factors that are added in 32 bits are checked in a query, and then as in an executed call: the kernels that
// the arguments lead to may ask for memory.
func matrixProductEx(o operands) []rule {
	return []rule{
		unchanged(needsNoKernel),
		notImplemented(scalarTypes.missing()),
		fetched(nonzero(k), always),
		value(badTransA, badTransB),
		size(negative(m), negative(n), negative(k), negative(batchCount),
			o.thinOrEmpty(matA), o.thinOrEmpty(matB), o.thinOrEmpty(matC), o.thinOrEmpty(matD)),
		nothing(zero(m), zero(n), zero(batchCount)).only(executed),
		unchanged(zero(m), zero(n), zero(batchCount)),
		pointers(null(alpha).unless(zero(k)), null(beta), null(matD)).only(executed),
		pointers(null(matC).unless(betaZero), null(matA).unless(noProduct), null(matB).unless(noProduct)).only(executed),
		size(inPlaceAs(routine.LDC, routine.LDD)).only(executed),
		value(inPlaceAs(routine.CType, routine.DType)).only(executed),
		o.otherProblemsInPlace(),
		notImplemented(matrixTypes.missing()),
		pointers(null(alpha).unless(zero(k)), null(beta)).only(queried).with(Crash),
	}
}

// otherProblemsInPlace is a strided batch whose result overwrites C, but lies otherwise from its second problem on.
func (o operands) otherProblemsInPlace() rule {
	if o.r.Variant != routine.StridedBatched {
		return rule{}
	}
	return size(inPlaceAs(routine.StrideC, routine.StrideD))
}

var betaZero = scalarIs(beta, 0)

// needsNoKernel holds for the products that never ask for memory.
var needsNoKernel = condition{
	slot: routine.ComputeType,
	test: func(a *routine.Args) bool {
		return a.Int(routine.ComputeType) != f32 || a.Int(routine.AType) != f16 && a.Int(routine.AType) != bf16
	},
	says: func(a *routine.Args) string { return a.Routine.CName() + " of these datatypes needs no workspace" },
}

// inPlaceAs holds when C is D, but an argument about it is not the same.
func inPlaceAs(ofC, ofD routine.Slot) condition {
	return condition{
		slot: ofC,
		test: func(a *routine.Args) bool { return a.Ptr(matC) == a.Ptr(matD) && a.Int(ofC) != a.Int(ofD) },
		says: func(a *routine.Args) string {
			return fmt.Sprintf("c is d, so %s, %d, must be %s = %d", name(a, ofD), a.Int(ofD), name(a, ofC), a.Int(ofC))
		},
	}
}
