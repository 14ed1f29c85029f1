package sequence

import (
	"math"
	"math/rand/v2"

	"roclua/hip/routine"
)

// DrawExecuted draws a call for execution, in one of several forms. On a device that does not run kernels, some calls
// are wide.
func DrawExecuted(r *rand.Rand, rt *routine.Routine, noKernels bool) *Call {
	if noKernels && takesWide(rt) && r.IntN(3) == 0 {
		return drawWide(r, rt)
	}
	return DrawCall(r, rt, Executed)
}

// takesWide reports whether wide calls of a routine are drawn: only 64-bit forms with a vector and without a result.
// For matrix products of such sizes the kernels depend on the library's build, or take minutes.
func takesWide(rt *routine.Routine) bool {
	_, vector := rt.ParamAt(routine.X)
	_, dimension := rt.ParamAt(routine.N)
	_, result := rt.ParamAt(routine.Result)
	return rt.Wide && rt.Library == routine.RocBLAS && vector && dimension && !result
}

// Numbers in wide calls: near the libraries' chunk sizes, and near 2^31 and 2^32.
var (
	wideNumbers = []int64{1<<28 - 1, 1 << 28, 1<<28 + 1, math.MaxInt32 - 1, math.MaxInt32, 1 << 31, 1<<31 + 1,
		math.MaxUint32, 1 << 32, 1<<32 + 1, 1<<32 + 100, 1 << 33}
	wideBatches  = []int64{65519, 65520, 65521, 2*65520 + 1}
	smallNumbers = []int64{0, 1, 2, 31, 32, 33, 64, 65, 130, 300}
)

// drawWide draws a call with one or two numbers beyond 32 bits, or near chunk sizes. Its arrays are smaller, so no
// kernel may run.
func drawWide(r *rand.Rand, rt *routine.Routine) *Call {
	d, a := DrawCall(r, rt, Executed), rt.New()
	var dimensions []*routine.Param
	for i := range rt.Params {
		if p := &rt.Params[i]; p.Of == 0 && isNumber(rt, p) {
			dimensions = append(dimensions, p)
			d.Ints[p.Slot] = pick(r, smallNumbers)
			if p.Slot == routine.BatchCount {
				d.Ints[p.Slot] = 1 + int64(r.IntN(batchSize))
			}
		}
	}
	for range 1 + r.IntN(2) {
		switch p := dimensions[r.IntN(len(dimensions))]; {
		case r.IntN(4) == 0: // only leading dimensions, increments and strides are wide
		case p.Slot == routine.BatchCount:
			d.Ints[p.Slot] = pick(r, wideBatches)
		default:
			d.Ints[p.Slot] = pick(r, wideNumbers)
		}
	}
	for i := range rt.Params {
		if p := &rt.Params[i]; !p.Kind.IsPointer() && p.Of == 0 {
			a.SetInt(p.Slot, d.Ints[p.Slot])
		}
	}
	for i := range rt.Params {
		if p := &rt.Params[i]; p.Of != 0 {
			d.Ints[p.Slot] = drawDistance(r, a, p, false, r.IntN(8) == 0)
			if isNumber(rt, p) && r.IntN(4) == 0 {
				d.Ints[p.Slot] = drawWideDistance(r, p)
			}
			a.SetInt(p.Slot, d.Ints[p.Slot])
		}
	}
	return d
}

// isNumber reports whether a parameter is an integer wider than 32 bits.
func isNumber(rt *routine.Routine, p *routine.Param) bool {
	return !p.Kind.IsPointer() && !p.Kind.IsEnum() && p.Kind != routine.Real && isWide(rt, p)
}

// drawWideDistance draws a leading dimension, a stride, or an increment, which can be negative.
func drawWideDistance(r *rand.Rand, p *routine.Param) int64 {
	n := pick(r, wideNumbers)
	if p.Role == routine.Increment && r.IntN(2) == 0 {
		return -n
	}
	return n
}

func pick(r *rand.Rand, list []int64) int64 { return list[r.IntN(len(list))] }
