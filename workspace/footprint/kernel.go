package footprint

import (
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/behavior"
)

// Args returns the arguments of call i of a sequence without axes.
func (s *Sequence) Args(i int) *routine.Args { return s.programs[i].at(s.Axes, nil) }

// KernelOf returns the kernel of an executed gemm or gemm_ex with a number of free bytes. The error for a call that
// fails is a *workspace.Error.
func KernelOf(t Target, a *routine.Args, free uint64) (behavior.Choice, error) {
	target := t.sizing()
	target.Products.Executes, target.Products.Free = true, free
	return workspace.ChooseKernel(target, a, behavior.Mode{})
}

// ComputeUnits returns the compute units of the device of a target.
func (t Target) ComputeUnits() int { return t.sizing().Products.Device.ComputeUnits }
