package hipsolver

import (
	"fmt"
	"slices"
	"strings"

	"roclua/hip/routine"
)

// conversions maps hipSOLVER's values to rocSOLVER's, in the order of routine.ConstantsOf. Others have the
// same numbers.
var conversions = map[routine.Kind][]int64{
	routine.EigMode:  {routine.EvectNone, routine.EvectOriginal},
	routine.EigType:  {routine.EformAx, routine.EformAbx, routine.EformBax},
	routine.EigRange: {routine.ErangeAll, routine.ErangeValue, routine.ErangeIndex},
	routine.VectorLetter: {routine.SvectAll, routine.SvectNone, routine.SvectOverwrite,
		routine.SvectSingular},
	routine.HipDatatype: {int64(routine.TypeS), int64(routine.TypeD), -1, -1, int64(routine.TypeC),
		int64(routine.TypeZ), -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
}

// noType is the type of a datatype that hipSOLVER does not have.
const noType = routine.Type(255)

// withNarrowInfo are the families that functions with 64-bit sizes call, because their info is an int.
var withNarrowInfo = map[routine.FamilyID]routine.FamilyID{routine.Getrf: routine.GetrfInfo32,
	routine.GetrfNpvt: routine.GetrfNpvtInfo32, routine.Potrf: routine.PotrfInfo32}

// only32Bits are the families that functions with 64-bit sizes call with the lower halves of sizes.
var only32Bits = []routine.FamilyID{routine.Potrs}

// converted returns rocSOLVER's value for a value of hipSOLVER; -1 for a value that hipSOLVER does not have.
func converted(k routine.Kind, v int64) int64 {
	if !k.IsEnum() {
		return v
	}
	values := routine.ConstantsOf(k)
	i := slices.IndexFunc(values, func(c routine.Constant) bool { return c.Value == v })
	switch list := conversions[k]; {
	case i < 0:
		return -1
	case list != nil:
		return list[i]
	}
	return v
}

// legal lists the values of an enumeration.
func legal(k routine.Kind) string {
	var names []string
	for _, c := range routine.ConstantsOf(k) {
		if converted(k, c.Value) < 0 {
			continue
		}
		names = append(names, fmt.Sprintf("%s (%d)", c.Name, c.Value))
	}
	return strings.Join(names, ", ")
}

// call makes the call of a routine for a call of a function: arguments that both have, those that set gives, and the
// smallest legal values of others.
func call(o *routine.Args, id routine.FamilyID, v routine.Variant, set func(o, inner *routine.Args)) *routine.Args {
	f, t := o.Routine, o.Routine.Type
	if t == routine.Mixed {
		if t = routine.Type(converted(routine.HipDatatype, o.Int(routine.AType))); t == noType {
			t = routine.TypeD // the call is refused, and routines of all types have the same arguments
		}
	}
	if narrow, ok := withNarrowInfo[id]; ok && f.Wide {
		id = narrow
	}
	halved := f.Wide && slices.Contains(only32Bits, id)
	r, ok := id.Family().Routine(t, v, f.Wide && !halved)
	if !ok {
		panic(fmt.Sprintf("workspace/hipsolver: %s calls a routine that does not exist", f.Name))
	}
	a := r.New()
	var missing []*routine.Param
	for i := range r.Params {
		p := &r.Params[i]
		if own, ok := f.ParamAt(p.Slot); ok && !p.Kind.IsPointer() {
			v := converted(own.Kind, o.Int(p.Slot))
			if halved {
				v = int64(int32(v))
			}
			a.SetInt(p.Slot, v)
		} else if !p.Kind.IsPointer() {
			missing = append(missing, p)
		}
	}
	complete(a, missing)
	if set != nil {
		set(o, a)
		complete(a, slices.DeleteFunc(missing, func(p *routine.Param) bool { return p.Role == routine.NoRole }))
	}
	return a
}

// complete gives parameters their defaults. The default of a leading dimension depends on other arguments.
func complete(a *routine.Args, params []*routine.Param) {
	for _, p := range params {
		d, ok := a.Routine.Default(p)
		if !ok {
			d, _, _ = a.Routine.BenchDefault(p)
		}
		d.Set(a)
	}
}

// ruleOf returns the rule of a function.
func ruleOf(f *routine.Routine) *rule {
	r, ok := rules[f.Family.Name]
	if !ok {
		panic("workspace/hipsolver: no rule for " + f.Name)
	}
	return &r
}
