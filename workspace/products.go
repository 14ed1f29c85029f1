package workspace

import (
	"roclua/hip/routine"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
	"roclua/workspace/tuning"
)

// offer gives the size rules what the kernels of products may use.
func (c *call) offer() {
	p := &c.target.Products
	p.Executes, p.Free = !c.querying, c.size-c.inUse
	p.Deterministic, p.XF32 = c.atomics == routine.AtomicsNotAllowed, c.math == routine.XF32Math
	p.Metric = tuning.DeviceEfficiency
	if c.metric == routine.CUEfficiency {
		p.Metric = tuning.CUEfficiency
	}
}

// ChooseKernel returns the kernel that an executed gemm or gemm_ex would use now, with the free bytes of the handle, or
// in a size query with any number. Arrays and scalars that are null count as given: the result of a product then
// replaces C. The error is that of the call. Without tuning files the kernel is unknown.
func (h *Model) ChooseKernel(a *routine.Args) (behavior.Choice, error) {
	if err := h.check(a.Routine.CName()); err != nil {
		return behavior.Choice{}, err
	}
	given := *a
	a = &given
	mode := behavior.Mode{DevicePointers: h.OnDevice(), Scalars: &h.current}
	if a.Null(routine.Alpha) && a.Null(routine.Beta) {
		a.SetScalar(routine.Alpha, 1)
		a.SetScalar(routine.Beta, 0)
		mode = behavior.Mode{}
	}
	for _, s := range [...]routine.Slot{routine.A, routine.B, routine.C} {
		if a.Null(s) {
			a.SetPtr(s, routine.ArrayAddress(s))
		}
	}
	if a.Null(routine.D) {
		a.PlaceResult()
	}
	h.current.offer()
	return ChooseKernel(&h.target, a, mode)
}

// ChooseKernel returns the kernel that the library uses for an executed gemm or gemm_ex on a target. The error is that
// of the call.
func ChooseKernel(t *behavior.Target, a *routine.Args, mode behavior.Mode) (c behavior.Choice, err error) {
	name := a.Routine.CName()
	if st, reason := (modelled{t}).lacks(a.Routine); st != status.Success {
		return c, &Error{Status: st, Func: name, Reason: reason}
	}
	roundScalars(a)
	switch d := behavior.Decide(a, mode); {
	case d.Effect == behavior.Failed:
		return c, &Error{Status: statusOf(d.Err), Func: name, Cause: d.Err}
	case d.Refused():
		return c, &Error{Status: d.Status, Func: name, Reason: d.Reason()}
	case d.Ends():
		c.None = "there is nothing to compute: " + d.Reason()
		return c, nil
	case t.Products.Tuning == nil:
		c.Unknown = behavior.NeedsFiles
		return c, nil
	}
	if c = behavior.Choose(t, a); c.Missing() {
		err = &Error{Status: status.NotImplemented, Func: name, Reason: noKernel}
	}
	return c, err
}

const noKernel = "the tuning files have no kernel for this product"
