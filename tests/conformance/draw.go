package conformance

import (
	"math/rand/v2"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/argcheck"
)

// arena is device memory for the arrays of calls. Sizes of executed calls are drawn so that every array fits.
type arena struct {
	base  driver.Ptr
	bytes uint64
}

const (
	arenaBytes   = 64 << 20
	executedSize = 400 // largest dimension of an executed call
	batchSize    = 6
)

// callTemplate is a call without addresses, which differ between the model and the library.
type callTemplate struct {
	r       *routine.Routine
	ints    map[routine.Slot]int64
	scalars map[routine.Slot]complex128
	reals   map[routine.Slot]float64
	null    map[routine.Slot]bool
}

// drawCall draws arguments, most of them valid. The arrays of an executed call fit into the arena.
func drawCall(r *rand.Rand, rt *routine.Routine, executed bool) *callTemplate {
	d := &callTemplate{r: rt, ints: map[routine.Slot]int64{}, scalars: map[routine.Slot]complex128{},
		reals: map[routine.Slot]float64{},
		null:  map[routine.Slot]bool{}}
	a := rt.New()
	odd := r.IntN(4) == 0 // calls with invalid arguments
	d.drawDatatypes(r, a, odd)
	for i := range rt.Params {
		p := &rt.Params[i]
		switch {
		case p.Kind == routine.Scalar:
			d.scalars[p.Slot] = []complex128{0, 1, 1, 1, complex(r.NormFloat64(), 0)}[r.IntN(5)]
			d.null[p.Slot] = odd && r.IntN(8) == 0
		case p.Kind == routine.Real:
			d.reals[p.Slot] = []float64{0, 0, 1e-6, r.NormFloat64()}[r.IntN(4)]
		case p.Kind.IsPointer() && rt.Family.ID == routine.Rotm:
			// In host pointer mode the library looks at the contents of param before it checks the other arrays.
		case p.Kind.IsPointer():
			d.null[p.Slot] = odd && r.IntN(6) == 0 || !executed && r.IntN(2) == 0
		case p.Kind.IsEnum():
			if p.Kind != routine.Datatype {
				d.ints[p.Slot] = drawEnum(r, p.Kind, odd)
			}
		case p.Of == 0:
			d.ints[p.Slot] = drawSize(r, p, executed, odd)
		}
		a.SetInt(p.Slot, d.ints[p.Slot])
	}
	for i := range rt.Params {
		if p := &rt.Params[i]; p.Of != 0 {
			d.ints[p.Slot] = drawDistance(r, a, p, executed, odd)
			a.SetInt(p.Slot, d.ints[p.Slot])
		}
	}
	return d
}

func (d *callTemplate) drawDatatypes(r *rand.Rand, a *routine.Args, odd bool) {
	arguments, combinations := argcheck.Datatypes(d.r)
	if len(combinations) == 0 {
		return
	}
	for i, datatype := range combinations[r.IntN(len(combinations))] {
		if odd && r.IntN(6) == 0 {
			datatype = drawEnum(r, routine.Datatype, true)
		}
		d.ints[arguments[i]] = datatype
		a.SetInt(arguments[i], datatype)
	}
}

func drawEnum(r *rand.Rand, kind routine.Kind, odd bool) int64 {
	if odd && r.IntN(10) == 0 {
		return int64(r.IntN(200))
	}
	var list []int64
	for _, c := range routine.Constants {
		if c.Enum == kind && (!c.Reserved || odd) {
			list = append(list, c.Value)
		}
	}
	return list[r.IntN(len(list))]
}

// drawSize prefers sizes around the blocks of the libraries.
func drawSize(r *rand.Rand, p *routine.Param, executed, odd bool) int64 {
	if odd && r.IntN(8) == 0 {
		return int64(-r.IntN(3))
	}
	if p.Slot == routine.SolutionIndex || p.Slot == routine.Flags {
		return 0
	}
	if p.Slot == routine.InvASize {
		return []int64{0, 16, 128 * 128, 4 * 128 * 128}[r.IntN(4)]
	}
	if p.Slot == routine.BatchCount {
		if executed {
			return 1 + int64(r.IntN(batchSize))
		}
		return []int64{1, 2, 3, 15, 16, 17, 64, 100, 65519, 65520, 70000}[r.IntN(11)]
	}
	blocks := []int64{1, 2, 16, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 192, 255, 256, 257, 340, 384}
	if !executed {
		blocks = append(blocks, 480, 511, 512, 513, 640, 1000, 1009, 1010, 1024, 1185, 2048, 2049, 4096, 8192, 8193,
			20000)
	}
	if r.IntN(3) == 0 {
		limit := executedSize
		if !executed {
			limit = 10000
		}
		return int64(r.IntN(limit))
	}
	return blocks[r.IntN(len(blocks))]
}

// drawDistance draws a leading dimension, an increment or a stride.
func drawDistance(r *rand.Rand, a *routine.Args, p *routine.Param, executed, odd bool) int64 {
	least := routine.Smallest(a, p)
	switch {
	case odd && r.IntN(8) == 0:
		return least - 1
	case p.Role == routine.Increment:
		list := []int64{1, 1, 1, 2, -1, -2}
		if odd {
			list = append(list, 0)
		}
		return list[r.IntN(len(list))]
	case executed && p.Role == routine.Stride:
		return min(least, 200_000) // six problems of 16 bytes an element fit the arena
	}
	return least + int64(r.IntN(3))
}

// args returns the call with the addresses of one implementation.
func (d *callTemplate) args(where arena, pointers driver.Ptr) *routine.Args {
	a := d.r.New()
	for i := range d.r.Params {
		p := &d.r.Params[i]
		switch {
		case d.null[p.Slot]:
		case p.Kind == routine.Scalar:
			a.SetScalar(p.Slot, d.scalars[p.Slot])
		case p.Kind == routine.Real:
			a.SetReal(p.Slot, d.reals[p.Slot])
		case p.Kind == routine.Output:
			a.SetInt(p.Slot, routine.Host)
		case p.Kind == routine.ArrayOfArrays:
			a.SetPtr(p.Slot, uint64(pointers))
		case p.Kind == routine.Array:
			a.SetPtr(p.Slot, uint64(where.base)+4096*uint64(p.Slot))
		default:
			a.SetInt(p.Slot, d.ints[p.Slot])
		}
	}
	return a
}
