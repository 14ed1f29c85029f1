package api

import (
	"strings"

	"roclua/hip/routine"
)

// Of returns the declaration of a routine: the handle, then the parameters in C order. The result of a reduction is
// a result in host pointer mode.
func Of(r *routine.Routine) *Function {
	f := &Function{Owner: r.Library.String(), Name: r.Name, C: r.CName(), About: r.Family.About, Status: RocBLASStatus,
		Params: []Param{handle()}, Method: !r.IsLayer(), Routine: r}
	if r.IsLayer() {
		f.Status, f.Params[0].Nil = layerStatus(r.Library), "the null handle"
	}
	for i := range r.Params {
		p := &r.Params[i]
		if p.Kind == routine.Output {
			about := p.About
			if !p.IsNumber() {
				about += "; nil inside a size query"
			}
			f.Results = append(f.Results, Result{p.Name, resultType(r, p), about})
			continue
		}
		f.Params = append(f.Params, paramOf(p))
	}
	return f
}

// paramOf returns the declaration of a routine's parameter.
func paramOf(p *routine.Param) Param {
	q := Param{Name: p.Name, About: p.About}
	switch {
	case p.Kind.IsEnum():
		q.Kind, q.Enum = Enum, p.Kind
	case p.Kind.IsInteger():
		q.Kind, q.Low, q.High = Integer, MinInteger, MaxInteger
	case p.Kind == routine.Real:
		q.Kind = Number
	case p.Slot == routine.LayerInfo && p.Object == "hipsolverDnParams_t":
		q.Kind, q.Nil = Params, "the null pointer"
	case p.Slot == routine.LayerInfo:
		q.Kind, q.Nil = Jacobi, "the null pointer"
	case p.Kind == routine.Object && strings.HasSuffix(p.Object, "*"):
		q.Kind, q.Nil = Array, "the null pointer"
	case p.Kind == routine.Object:
		q.Kind, q.Nil = Rfinfo, "the null pointer"
	case p.Kind == routine.Scalar:
		q.Kind = Element
	default:
		q.Kind, q.Nil = Pointer, "the null pointer"
	}
	return q
}

// resultType returns the type of the result of a reduction: an array for a batch.
func resultType(r *routine.Routine, p *routine.Param) string {
	switch {
	case p.IsNumber():
		return "integer"
	case r.Variant != routine.Plain:
		return "roclua.array?"
	case p.Elem == routine.OfInt:
		return "integer?"
	case p.Elem == routine.OfArgument, p.Elem == routine.OfType && r.Type.IsComplex():
		return "number|number[]|nil"
	}
	return "number?"
}
