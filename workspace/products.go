package workspace

import (
	"roclua/hip/routine"
	"roclua/workspace/argcheck"
	"roclua/workspace/sizing"
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

// ChooseKernel returns the kernel that the library would use for a gemm or gemm_ex now, with the free bytes of the
// handle, or in a size query with any number. Without tuning files it is unknown.
func (h *Model) ChooseKernel(a *routine.Args) (sizing.Choice, error) {
	if err := h.check(a.Routine.CName()); err != nil {
		return sizing.Choice{}, err
	}
	if d := argcheck.Decide(a, argcheck.Mode{Query: true}); d.Refused() {
		return sizing.Choice{}, h.refusal(a.Routine.CName(), d.Status, d.Reason())
	}
	if h.target.Products.Tuning == nil {
		return sizing.Choice{Unknown: sizing.NeedsFiles}, nil
	}
	roundScalars(a)
	if h.OnDevice() { // the scalars are not known, and count as 1
		b := *a
		b.SetPtr(routine.Alpha, 0)
		b.SetPtr(routine.Beta, 0)
		a = &b
	}
	h.current.offer()
	return sizing.Choose(&h.target, a), nil
}
