// Package hipsolver reproduces the functions of hipSOLVER that return the size of the buffer of a call: the size
// queries of rocSOLVER that they make, what they add, the unit of the result, and the status.
package hipsolver

import (
	"fmt"
	"math"
	"slices"

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

// Result is what a function returns.
type Result struct {
	Lwork   uint64
	Each    uint64 // bytes in the unit of Lwork
	Element uint64 // bytes of an element; 0 for functions with a parameter in bytes in cuSOLVER
	Host    bool   // it also returns a size in host memory, which is 0
}

// ResultOf returns what a function returns for a buffer of some bytes, which are a multiple of 64.
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

// WithoutBuffer says what a call without a buffer does to the memory of a handle.
func WithoutBuffer(on *release.Release) string {
	if on.LayerSizesMemory {
		return "without a buffer, on " + on.Name + ", it sets the size of the handle's memory, which then does not grow"
	}
	return "without a buffer, on " + on.Name + ", it unbinds the buffer of an earlier call, and the memory grows"
}
