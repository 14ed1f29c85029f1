package argcheck

import (
	"fmt"
	"slices"

	"roclua/hip/routine"
)

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

// scalarTypes are the datatypes that alpha and beta of gemm_ex and syrk_ex can have.
func scalarTypes(s routine.Slot) types {
	return types{slots: []routine.Slot{s}, combinations: [][]int64{{f16}, {f32}, {f64}, {f32c}, {f64c}, {i32}}}
}

// inPlaceAs holds when C and D are the same array, but an argument of C differs from the same argument of D.
func inPlaceAs(ofC, ofD routine.Slot) condition {
	return condition{
		slot: ofC,
		test: func(a *routine.Args) bool { return a.Ptr(matC) == a.Ptr(matD) && a.Int(ofC) != a.Int(ofD) },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("c is d, so %s, %d, must be %s = %d", name(a, ofD), a.Int(ofD), name(a, ofC), a.Int(ofC))
		},
	}
}
