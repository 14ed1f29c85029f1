// Package hipsolver reproduces the functions of hipSOLVER that return the size of the buffer of a call: the size
// queries of rocSOLVER that they make, the bytes that they add, the unit of the result, and the status.
package hipsolver

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
)

// Refusal is why a function returns no size.
type Refusal struct {
	Status status.HipSOLVER // success if the size is not known
	Reason string
}

// Size computes the buffer that a function reports. It returns nil if the function succeeds.
func Size(t *behavior.Target, o *routine.Args, d *behavior.Demand) *Refusal {
	*d = behavior.Demand{}
	if refusal := checkEnums(o); refusal != nil {
		return refusal
	}
	r := ruleOf(o.Routine)
	for i, a := range r.calls(o) {
		reason, s := check(t, a)
		switch {
		case reason != "" && i == 0:
			return &Refusal{s.InHipSOLVER(), fmt.Sprintf("rocSOLVER returns %s: %s", s.Short(), reason)}
		case reason == "":
			r.raise(d, t, a, i)
		}
	}
	if r.adds != nil {
		for _, b := range r.adds(o) {
			d.Optimal.Add(b)
		}
	}
	if d.Endless || d.Unknown != "" {
		return &Refusal{Reason: d.NoSize()}
	}
	result := ResultOf(t.Release, o.Routine, d.Optimal.Total())
	if result.Lwork > math.MaxInt32 && !r.anySize && !o.Routine.Wide {
		return &Refusal{status.HipSOLVERInternalError, fmt.Sprintf("lwork is an int, which %d %s do not fit",
			result.Lwork, result.Unit())}
	}
	if text := d.NoSize(); text != "" {
		return &Refusal{Reason: text}
	}
	return nil
}

// check returns why a call in a size query fails, with the status; "" if it succeeds.
func check(t *behavior.Target, a *routine.Args) (string, status.Status) {
	mode := behavior.Mode{Query: true, SymmetricOfAnyOrder: t.Release.SymmetricOfAnyOrder}
	if decision := behavior.Decide(a, mode); decision.Refused() {
		return decision.Reason(), decision.Status
	}
	return "", status.Success
}

// raise makes the demand the larger one of itself and call i.
func (r *rule) raise(d *behavior.Demand, t *behavior.Target, a *routine.Args, i int) {
	var of behavior.Demand
	of.Set(t, a)
	of.CanDegrade, of.Unreported = false, behavior.Buffer{} // the function reports one size
	if i == 0 || of.Endless || of.Unknown != "" ||
		of.Optimal.Total() > d.Optimal.Total() {
		*d = of
	}
}

// Result is the result of a function.
type Result struct {
	Lwork   uint64
	Each    uint64 // bytes in the unit of Lwork
	Element uint64 // bytes of an element; 0 for functions with a parameter in bytes in cuSOLVER
	Host    bool   // it also returns a size in host memory, which is 0
}

// ResultOf returns a function's result for a buffer of some bytes, a multiple of 64.
func ResultOf(on *release.Release, f *routine.Routine, bytes uint64) Result {
	r := ruleOf(f)
	result := Result{Each: 1, Host: f.Wide}
	if !r.anySize && !f.Wide {
		result.Element = uint64(f.Type.Size())
	}
	if !r.inBytes && !on.BuffersInBytes {
		result.Each = result.Element
	}
	result.Lwork = bytes / result.Each
	return result
}

// InBytes returns the result if the variable HIPSOLVER_BUFFERSIZE_RETURN_BYTES is set.
func (r Result) InBytes() Result {
	r.Lwork, r.Each = r.Lwork*r.Each, 1
	return r
}

// Unit returns "bytes", or "elements of 8 bytes".
func (r Result) Unit() string {
	if r.Each == 1 {
		return "bytes"
	}
	return fmt.Sprintf("elements of %d bytes", r.Each)
}

// checkEnums refuses a value that an enumeration does not have. hipSOLVER converts them before it calls rocSOLVER.
func checkEnums(o *routine.Args) *Refusal {
	for i := range o.Routine.Params {
		p := &o.Routine.Params[i]
		if !p.Kind.IsEnum() {
			continue
		}
		v := o.Int(p.Slot)
		if converted(p.Kind, v) < 0 {
			s := status.HipSOLVERInvalidEnum
			if p.Kind == routine.VectorLetter {
				s = status.HipSOLVERInvalidValue
			}
			return &Refusal{s, fmt.Sprintf("%s is %d, which is none of %s", p.Name, v, legal(p.Kind))}
		}
		if p.Kind == routine.HipDatatype && v != o.Int(routine.AType) {
			return &Refusal{status.HipSOLVERInvalidEnum, p.Name + " is not dataTypeA"}
		}
	}
	return nil
}

// Calls returns the calls for which a function returns the size of a buffer.
func Calls(o *routine.Args) []*routine.Args { return ruleOf(o.Routine).calls(o) }

// Routines returns the C names of the routines that a function calls.
func Routines(f *routine.Routine) (list []string) {
	for _, a := range Calls(f.New()) {
		if name := a.Routine.CName(); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// WithoutBuffer describes the effect of a call without a buffer on the memory of a handle.
func WithoutBuffer(on *release.Release) string {
	if on.LayerSizesMemory {
		return "without a buffer, on " + on.Name + ", it sets the size of the handle's memory, which then does not grow"
	}
	return "without a buffer, on " + on.Name + ", it unbinds the buffer of an earlier call, and the memory grows"
}

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

// call makes the routine call for a call of a function: arguments that both have, those that set gives, and the
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

func ruleOf(f *routine.Routine) *rule {
	r, ok := rules[f.Family.Name]
	if !ok {
		panic("workspace/hipsolver: no rule for " + f.Name)
	}
	return &r
}
