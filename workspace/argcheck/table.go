package argcheck

import (
	"fmt"
	"maps"

	"roclua/hip/routine"
)

// families holds the rules of every family of the table, by name. A list is built for each variant, since an array of
// a batch may be checked differently.
var families = merged(level1, level2, level3, mixed, solver)

type list func(operands) []rule

func merged(groups ...map[string]list) map[string]list {
	all := map[string]list{}
	for _, g := range groups {
		maps.Copy(all, g)
	}
	return all
}

// ready holds the rules of each routine, by its index. Routines that differ in what no rule looks at share them.
var ready = build()

func build() []*rules {
	type kin struct {
		family  *routine.Family
		variant routine.Variant
		complex bool
		wide    bool
	}
	shared := map[kin]*rules{}
	all := make([]*rules, len(routine.All()))
	for _, r := range routine.All() {
		key := kin{r.Family, r.Variant, r.Type.IsComplex(), r.Wide}
		if shared[key] == nil {
			list, ok := families[r.Family.Name]
			if !ok {
				panic(fmt.Sprintf("argcheck: no rules for %s", r.CName()))
			}
			shared[key] = takeApart(r, list(operands{r}))
		}
		all[r.Index] = shared[key]
	}
	return all
}

func rulesOf(a *routine.Args) *rules { return ready[a.Routine.Index] }

// operands are the arrays of a routine as its declaration gives them; conditions on leading dimensions take the number
// of rows from there.
type operands struct{ r *routine.Routine }

// thin holds when the leading dimension of an array is smaller than its rows or than 1.
func (o operands) thin(array routine.Slot) condition { return o.leading(array, 1) }

// thinOrEmpty is thin for the families that accept a leading dimension of 0 for an array without rows.
func (o operands) thinOrEmpty(array routine.Slot) condition { return o.leading(array, 0) }

func (o operands) leading(array routine.Slot, least int64) condition {
	ld, rows := o.leadingDimension(array), o.array(array).Rows
	want := rows.Text
	if least > 0 {
		want = fmt.Sprintf("max(%d, %s)", least, rows.Text)
	}
	return condition{
		slot: ld,
		test: func(a *routine.Args) bool { v := a.Int(ld); return v < least || v < rows.Of(a) },
		says: func(a *routine.Args) string {
			return fmt.Sprintf("%s is %d, must be at least %s = %d", name(a, ld), a.Int(ld), want, max(least, rows.Of(a)))
		},
	}
}

// orderBeyond holds when a square array is larger than one kernel takes.
func (o operands) orderBeyond(array routine.Slot, limit int64) condition {
	p := o.array(array)
	return condition{
		slot: array,
		test: func(a *routine.Args) bool { return p.Rows.Of(a) > limit },
		says: func(a *routine.Args) string {
			return fmt.Sprintf("%s has %d rows (%s), more than one kernel's %d", p.Name, p.Rows.Of(a), p.Rows.Text, limit)
		},
	}
}

func (o operands) array(s routine.Slot) *routine.Param {
	p, ok := o.r.ParamAt(s)
	if !ok {
		panic(fmt.Sprintf("argcheck: the rules of %s name an array that it does not have", o.r.CName()))
	}
	return p
}

func (o operands) leadingDimension(array routine.Slot) routine.Slot {
	for i := range o.r.Params {
		p := &o.r.Params[i]
		if p.Of == array && p.Kind == routine.Int32 {
			return p.Slot
		}
	}
	panic(fmt.Sprintf("argcheck: an array of %s has no leading dimension", o.r.CName()))
}

// in64 keeps a rule for the 64-bit forms alone.
func (o operands) in64(r rule) rule {
	if !o.r.Wide {
		r.in = 0
	}
	return r
}

// badUpdateOperation holds for an operation that a rank-k update does not have: a complex symmetric one has no conjugate
// transpose, a Hermitian one no transpose.
func (o operands) badUpdateOperation() condition {
	switch {
	case !o.r.Type.IsComplex():
		return badTransA
	case o.r.Family.Name[0] == 'h':
		return notOneOf(routine.TransA, routine.Operation, routine.OperationNone, routine.OperationConjugateTranspose)
	}
	return notOneOf(routine.TransA, routine.Operation, routine.OperationNone, routine.OperationTranspose)
}
