package randomcall

import (
	"fmt"
	"maps"
	"math/rand/v2"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/behavior"
	"roclua/workspace/sequence"
)

// Product is a call of gemm or gemm_ex with several workspaces, to compare the kernels that compute it.
type Product struct {
	Fn         string           `json:"fn"`
	Args       map[string]int64 `json:"args"` // without scalars and arrays
	Alpha      float64          `json:"alpha"`
	Beta       float64          `json:"beta"`
	InPlace    bool             `json:"in_place,omitzero"` // the result replaces C
	Atomics    int64            `json:"atomics,omitzero"`
	Metric     int64            `json:"metric,omitzero"`
	Workspaces []uint64         `json:"workspaces"`
}

// ample is more than any kernel wants. The workspaces of products are never used.
const ample = 1 << 44

// productSizes are sizes of random shapes and of the layers of transformers.
var productSizes = []func(r *rand.Rand) int64{
	func(r *rand.Rand) int64 { return 1 + r.Int64N(300) },
	func(r *rand.Rand) int64 { return 1 << r.IntN(15) },
	func(r *rand.Rand) int64 { return 128 * (1 + r.Int64N(130)) },
	func(r *rand.Rand) int64 { return 1 + r.Int64N(20000) },
	func(*rand.Rand) int64 { return 65536 },
	func(r *rand.Rand) int64 {
		return []int64{768, 1024, 2048, 3072, 4096, 5120, 6144, 8192, 14336, 32000}[r.IntN(10)]
	},
}

// DrawProduct draws a product of one of the routines. Most have the smallest leading dimensions, factors of one, and
// the result in C.
func DrawProduct(r *rand.Rand, routines []*routine.Routine) *Product {
	rt := routines[r.IntN(len(routines))]
	ints := map[routine.Slot]int64{routine.BatchCount: []int64{1, 2, 3, 8, 32, 100}[r.IntN(6)]}
	sizes := []routine.Slot{routine.M, routine.N, routine.K}
	for _, s := range sizes {
		ints[s] = productSizes[r.IntN(len(productSizes))](r)
	}
	if r.IntN(4) == 0 {
		ints[sizes[r.IntN(3)]] = r.Int64N(2)
	}
	for _, s := range []routine.Slot{routine.TransA, routine.TransB} {
		ints[s] = routine.OperationNone + r.Int64N(3)
	}
	if types := sequence.DrawDatatypes(r, rt, false); types != nil {
		maps.Copy(ints, types)
		ints[routine.Flags] = []int64{0, 0, 0, 0, 0, 2, 4, 0x14}[r.IntN(8)]
	}
	scalars := []float64{1, 1, 1, 1, 0, -1, 0.5}
	p := &Product{Fn: rt.CName(), Args: map[string]int64{}, Alpha: scalars[r.IntN(7)], Beta: scalars[r.IntN(7)],
		InPlace: r.IntN(5) > 0, Atomics: r.Int64N(2), Workspaces: []uint64{ample, 64, r.Uint64N(64 << 20)}}
	if r.IntN(8) == 0 {
		p.Metric = 1 + r.Int64N(2)
	}
	p.drawDistances(r, rt, ints)
	if r.IntN(4) == 0 {
		p.drawMistake(r, rt)
	}
	return p
}

// drawMistake changes an argument to one that the library refuses, or with which it has nothing to compute.
func (p *Product) drawMistake(r *rand.Rand, rt *routine.Routine) {
	q := &rt.Params[r.IntN(len(rt.Params))]
	switch {
	case q.Kind == routine.Datatype:
		types := []int64{routine.DatatypeF16, routine.DatatypeBF16, routine.DatatypeF32, routine.DatatypeF64,
			routine.DatatypeF32C, routine.DatatypeI8, routine.DatatypeI32, 0}
		p.Args[q.Name] = types[r.IntN(len(types))]
	case q.Slot == routine.Alpha || q.Slot == routine.Beta || q.Slot == routine.K:
		scalars := []float64{0, 1, 1e-50}
		p.Alpha, p.Beta = scalars[r.IntN(3)], scalars[r.IntN(3)]
		p.Args["k"] *= r.Int64N(2)
	case q.Role == routine.LeadingDimension || q.Role == routine.Stride:
		p.Args[q.Name] -= 1 + r.Int64N(2)
	case q.Kind == routine.Operation:
		p.Args[q.Name] = routine.OperationNone - 1 + 4*r.Int64N(2)
	case q.Slot == routine.M || q.Slot == routine.N || q.Slot == routine.BatchCount:
		p.Args[q.Name] = -r.Int64N(2)
	default:
		p.Args["k"] = -1
	}
}

// drawDistances fills in the arguments, with leading dimensions and strides.
func (p *Product) drawDistances(r *rand.Rand, rt *routine.Routine, ints map[routine.Slot]int64) {
	a := rt.New()
	for s, v := range ints {
		a.SetInt(s, v)
	}
	for i := range rt.Params {
		q := &rt.Params[i]
		if q.Role != routine.NoRole && q.Slot != routine.BatchCount {
			a.SetInt(q.Slot, routine.Smallest(a, q)+[]int64{0, 0, 0, 0, 1, 64}[r.IntN(6)])
		}
		if q.Slot == routine.LDD && r.IntN(4) > 0 {
			a.SetInt(q.Slot, a.Int(routine.LDC))
		}
		if q.Kind != routine.Array && q.Kind != routine.Scalar {
			p.Args[q.Name] = a.Int(q.Slot)
		}
	}
}

// args returns the arguments, with arrays in a block of device memory.
func (p *Product) args(block driver.Ptr) (*routine.Args, error) {
	rt, ok := routine.Lookup(p.Fn)
	if !ok {
		return nil, fmt.Errorf("no routine %s", p.Fn)
	}
	a := rt.New()
	for i := range rt.Params {
		a.SetInt(rt.Params[i].Slot, p.Args[rt.Params[i].Name])
	}
	for i, s := range []routine.Slot{routine.A, routine.B, routine.C, routine.D} {
		if _, ok := rt.ParamAt(s); ok {
			a.SetPtr(s, uint64(block)+uint64(i)<<12)
		}
	}
	if p.InPlace {
		a.SetPtr(routine.D, a.Ptr(routine.C))
	}
	a.SetScalar(routine.Alpha, complex(p.Alpha, 0))
	a.SetScalar(routine.Beta, complex(p.Beta, 0))
	return a, nil
}

// Run makes the product in a size query and with each workspace, and reports the results, and the kernels that a model
// chose, in lines. ChooseKernel of a model must agree with the calls, or there is a line more. The block of device
// memory needs 16 KiB.
func (p *Product) Run(h workspace.Handle, block driver.Ptr, report func(line string)) error {
	a, err := p.args(block)
	if err != nil {
		return err
	}
	for _, set := range []func() error{func() error { return h.SetAtomicsMode(p.Atomics) },
		func() error { return h.SetPerformanceMetric(p.Metric) }, h.StartQuery} {
		if err := set(); err != nil {
			return err
		}
	}
	out, _ := h.Call(a)
	bytes, err := h.StopQuery(false)
	if err != nil {
		return err
	}
	report(fmt.Sprintf("query %s %d", out.Status.Short(), bytes))
	for _, size := range p.Workspaces {
		if err := h.SetWorkspace(block, size); err != nil {
			return err
		}
		var choice behavior.Choice
		var refused error
		model, modelled := h.(*workspace.Model)
		if modelled {
			choice, refused = model.ChooseKernel(a)
		}
		out, failed := h.Call(a)
		if modelled && (choice.Kernel != out.Kernel || (refused == nil) != (failed == nil)) {
			report(fmt.Sprintf("ChooseKernel: %+v, %v", choice, refused))
		}
		if out.Kernel != nil {
			report(out.Kernel.Name)
		}
		report(fmt.Sprintf("%d bytes: %s", size, out.Status.Short()))
	}
	return nil
}

// RecordedProduct is a product, and what the library reported and printed.
type RecordedProduct struct {
	Product
	Lines []string `json:"lines"`
}
