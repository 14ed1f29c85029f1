package behavior

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"roclua/hip/routine"
)

// Short names of the arguments, for the lists of rules.
const (
	m          = routine.M
	n          = routine.N
	k          = routine.K
	nrhs       = routine.NRHS
	batchCount = routine.BatchCount
	alpha      = routine.Alpha
	beta       = routine.Beta
	matA       = routine.A
	matB       = routine.B
	matC       = routine.C
	matD       = routine.D
	matInvA    = routine.InvA
	vecX       = routine.X
	vecY       = routine.Y
	incX       = routine.IncX
	incY       = routine.IncY
	pivots     = routine.Ipiv
	info       = routine.Info
	result     = routine.Result
)

// builder makes the list of rules of a routine. A list is built for each variant, since an array of a batch may be
// checked differently.
type builder func(operands) []rule

// operands are the arrays of a routine as its family declares them. Conditions on leading dimensions take the number of
// rows from there.
type operands struct{ r *routine.Routine }

// ldTooSmall holds when the leading dimension of an array is smaller than its rows or than 1.
func (o operands) ldTooSmall(array routine.Slot) condition { return o.leadingDimension(array, 1) }

// ldBelowRows is ldTooSmall for the families that accept a leading dimension of 0 for an array without rows.
func (o operands) ldBelowRows(array routine.Slot) condition { return o.leadingDimension(array, 0) }

func (o operands) leadingDimension(array routine.Slot, least int64) condition {
	p, ok := o.r.Companion(array, routine.LeadingDimension)
	if !ok {
		panic(fmt.Sprintf("workspace/argcheck: an array of %s has no leading dimension", o.r.CName()))
	}
	ld, rows := p.Slot, o.array(array).Rows
	want := rows.Text
	if least > 0 {
		want = fmt.Sprintf("max(%d, %s)", least, rows.Text)
	}
	return condition{
		slot: ld,
		test: func(a *routine.Args) bool { v := a.Int(ld); return v < least || v < rows.Of(a) },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("%s is %d, must be at least %s = %d", name(a, ld), a.Int(ld), want,
				max(least, rows.Of(a)))
		},
	}
}

// ldBelowRowsIn32 is ldBelowRows of a family that stores the number of rows in 32 bits, also in its 64-bit forms.
func (o operands) ldBelowRowsIn32(array routine.Slot) condition {
	c, rows := o.ldBelowRows(array), o.array(array).Rows
	narrow := func(a *routine.Args) int64 { return int64(int32(rows.Of(a))) }
	c.test = func(a *routine.Args) bool { return a.Int(c.slot) < narrow(a) }
	c.message = func(a *routine.Args) string {
		return fmt.Sprintf("%s is %d, must be at least %s = %d, in 32 bits", name(a, c.slot), a.Int(c.slot), rows.Text,
			narrow(a))
	}
	return c
}

// orderBeyond holds when a square array is larger than one kernel takes.
func (o operands) orderBeyond(array routine.Slot, limit int64) condition {
	p := o.array(array)
	return condition{
		slot: array,
		test: func(a *routine.Args) bool { return p.Rows.Of(a) > limit },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("%s has %d rows (%s), more than one kernel's %d", p.Name, p.Rows.Of(a), p.Rows.Text,
				limit)
		},
	}
}

func (o operands) array(s routine.Slot) *routine.Param {
	p, ok := o.r.ParamAt(s)
	if !ok {
		panic(fmt.Sprintf("workspace/argcheck: the rules of %s name an array that it does not have", o.r.CName()))
	}
	return p
}

// in64 keeps a rule only for the 64-bit forms.
func (o operands) in64(r rule) rule {
	if !o.r.Wide {
		r.in = 0
	}
	return r
}

// illegal holds when an enumeration has a value that no routine accepts.
func illegal(s routine.Slot, enum routine.Kind) condition {
	return notOneOf(s, enum, routine.Legal(enum)...)
}

// notOneOf holds when an enumeration has none of the given values, which differ by less than 64.
func notOneOf(s routine.Slot, enum routine.Kind, legal ...int64) condition {
	var words []string
	var set uint64
	for _, v := range legal {
		words = append(words, fmt.Sprintf("%s (%d)", routine.ConstantName(enum, v), v))
		set |= 1 << (v - legal[0])
	}
	list := strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
	return condition{
		slot: s,
		test: func(a *routine.Args) bool { return set>>uint64(a.Int(s)-legal[0])&1 == 0 },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("%s is %d, must be %s", name(a, s), a.Int(s), list)
		},
	}
}

var (
	badSide   = illegal(routine.Side, routine.SideKind)
	badUplo   = illegal(routine.Uplo, routine.Fill)
	badDiag   = illegal(routine.Diag, routine.Diagonal)
	badTransA = illegal(routine.TransA, routine.Operation)
	badTransB = illegal(routine.TransB, routine.Operation)
)

// badUpdateOperation holds for an operation that a rank-k update does not have: a complex symmetric one has no
// conjugate transpose, a Hermitian one no transpose.
func (o operands) badUpdateOperation() condition {
	switch {
	case !o.r.Type.IsComplex():
		return badTransA
	case o.r.Family.Hermitian:
		return notOneOf(routine.TransA, routine.Operation, routine.OperationNone, routine.OperationConjugateTranspose)
	}
	return notOneOf(routine.TransA, routine.Operation, routine.OperationNone, routine.OperationTranspose)
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

// emptyInterval holds for an interval of eigenvalues without numbers.
var emptyInterval = condition{
	slot: routine.UpperBound,
	test: func(a *routine.Args) bool {
		return a.Int(routine.Erange) == routine.ErangeValue && a.Real(routine.LowerBound) >= a.Real(routine.UpperBound)
	},
	message: func(a *routine.Args) string {
		return fmt.Sprintf("vl is %g, must be less than vu = %g", a.Real(routine.LowerBound),
			a.Real(routine.UpperBound))
	},
}

// emptySingularInterval holds for an interval of singular values without numbers, or one that begins below zero.
var emptySingularInterval = condition{
	slot: routine.UpperBound,
	test: func(a *routine.Args) bool {
		low := a.Real(routine.LowerBound)
		return a.Int(routine.Srange) == routine.SrangeValue && (low < 0 || low >= a.Real(routine.UpperBound))
	},
	message: func(a *routine.Args) string {
		return fmt.Sprintf("vl is %g, must not be negative and be less than vu = %g", a.Real(routine.LowerBound),
			a.Real(routine.UpperBound))
	},
}

// badIndices holds for a range of indices, chosen by a value of an option, that the results do not have: there are as
// many as the smallest of the dimensions.
func badIndices(option routine.Slot, byIndex int64, dims ...routine.Slot) condition {
	most := func(a *routine.Args) int64 {
		least := int64(math.MaxInt64)
		for _, d := range dims {
			least = min(least, a.Int(d))
		}
		return least
	}
	return condition{
		slot: routine.UpperIndex,
		test: func(a *routine.Args) bool {
			low, high, count := a.Int(routine.LowerIndex), a.Int(routine.UpperIndex), most(a)
			return a.Int(option) == byIndex && (low < 1 || high < 0 || high > count || count > 0 && low > high)
		},
		message: func(a *routine.Args) string {
			count := fmt.Sprint(most(a))
			if len(dims) == 1 {
				count = name(a, dims[0]) + " = " + count
			}
			return fmt.Sprintf("il is %d and iu %d, must be at least 1 and at most %s", a.Int(routine.LowerIndex),
				a.Int(routine.UpperIndex), count)
		},
	}
}
