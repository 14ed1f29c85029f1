package sequence

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/workspace/behavior"
)

// Call is a call without addresses, because they differ between the model and the library.
type Call struct {
	Routine *routine.Routine
	Ints    map[routine.Slot]int64 // integers and enumerations
	Scalars map[routine.Slot]complex128
	Reals   map[routine.Slot]float64
	Null    map[routine.Slot]bool // null pointers
}

// NewCall returns a call with integers and enumerations and no null pointers.
func NewCall(r *routine.Routine, ints map[routine.Slot]int64) *Call {
	return &Call{Routine: r, Ints: ints, Scalars: map[routine.Slot]complex128{}, Reals: map[routine.Slot]float64{},
		Null: map[routine.Slot]bool{}}
}

// Form is the purpose of a drawn call.
type Form int

const (
	// Bare calls are for size queries: all arrays are null, scalars are 1, and most arguments are valid. Some sizes are
	// too large for any device, because nothing is computed.
	Bare Form = iota
	// Queried calls are for size queries, with any arguments.
	Queried
	// Executed calls have any arguments, and arrays that fit into the memory of a Side.
	Executed
	// Modelled calls have valid arguments and few problems, for a model whose device has room for all of them.
	Modelled
)

// DrawCall draws arguments, most of them valid.
func DrawCall(r *rand.Rand, rt *routine.Routine, form Form) *Call {
	d := NewCall(rt, map[routine.Slot]int64{})
	a, executed := rt.New(), form == Executed
	odd := (form == Queried || executed) && r.IntN(4) == 0 // calls with invalid arguments
	for slot, datatype := range DrawDatatypes(r, rt, odd) {
		d.Ints[slot] = datatype
		a.SetInt(slot, datatype)
	}
	for i := range rt.Params {
		p := &rt.Params[i]
		switch {
		case form == Bare && p.Kind == routine.Scalar:
			d.Scalars[p.Slot] = 1
		case form == Bare && p.Kind.IsPointer():
			d.Null[p.Slot] = p.Kind != routine.Output
		case p.Kind == routine.Scalar:
			d.Scalars[p.Slot] = []complex128{0, 1, 1, 1, complex(r.NormFloat64(), 0)}[r.IntN(5)]
			d.Null[p.Slot] = odd && r.IntN(8) == 0
		case p.Kind == routine.Real:
			d.Reals[p.Slot] = []float64{0, 0, 1e-6, r.NormFloat64()}[r.IntN(4)]
		case p.Kind.IsPointer():
			d.Null[p.Slot] = odd && r.IntN(6) == 0 || !executed && r.IntN(2) == 0
		case p.Kind.IsEnum():
			if _, drawn := d.Ints[p.Slot]; !drawn && p.Kind != routine.Datatype {
				d.Ints[p.Slot] = drawEnum(r, p.Kind, odd)
			}
		case p.Of == 0:
			d.Ints[p.Slot] = drawSize(r, rt, p, form, odd)
		}
		a.SetInt(p.Slot, d.Ints[p.Slot])
	}
	for i := range rt.Params {
		if p := &rt.Params[i]; p.Of != 0 {
			d.Ints[p.Slot] = drawDistance(r, a, p, executed, odd)
			a.SetInt(p.Slot, d.Ints[p.Slot])
		}
	}
	return d
}

// DrawDatatypes draws one of the combinations of datatypes that a routine has, if its calls have datatypes. If odd is
// true, some are others.
func DrawDatatypes(r *rand.Rand, rt *routine.Routine, odd bool) map[routine.Slot]int64 {
	arguments, combinations := behavior.Datatypes(rt)
	if len(combinations) == 0 {
		return nil
	}
	drawn := map[routine.Slot]int64{}
	for i, datatype := range combinations[r.IntN(len(combinations))] {
		if odd && r.IntN(6) == 0 {
			datatype = drawEnum(r, routine.Datatype, true)
		}
		p, ok := rt.ParamAt(arguments[i])
		if !ok { // of the result of gemm_ex, which hipBLAS does not have
			continue
		}
		switch p.Kind {
		case routine.HipDatatype:
			datatype = routine.HipDatatypeOf(datatype)
		case routine.BlasCompute:
			datatype = routine.ComputeOf(datatype)
		}
		drawn[arguments[i]] = datatype
	}
	return drawn
}

func drawEnum(r *rand.Rand, kind routine.Kind, odd bool) int64 {
	if odd && r.IntN(10) == 0 {
		return int64(r.IntN(200))
	}
	var list []int64
	for _, c := range routine.ConstantsOf(kind) {
		if !c.Reserved || odd {
			list = append(list, c.Value)
		}
	}
	return list[r.IntN(len(list))]
}

// drawSize prefers sizes near the libraries' block sizes.
func drawSize(r *rand.Rand, rt *routine.Routine, p *routine.Param, form Form, odd bool) int64 {
	executed := form == Executed
	if odd && r.IntN(8) == 0 {
		if p.Kind == routine.Uint32 || p.Kind == routine.Size { // they have no sign
			return int64(r.IntN(4))
		}
		return int64(-r.IntN(3))
	}
	if p.Slot == routine.SolutionIndex || p.Slot == routine.Flags {
		return 0
	}
	if p.Slot == routine.InvASize {
		return []int64{0, 16, 128 * 128, 4 * 128 * 128}[r.IntN(4)]
	}
	if p.Slot == routine.BatchCount {
		if form >= Executed {
			return 1 + int64(r.IntN(batchSize))
		}
		return []int64{1, 2, 3, 15, 16, 17, 64, 100, 65519, 65520, 70000}[r.IntN(11)]
	}
	if form == Bare && !rt.Family.RunsInQueries && r.IntN(10) == 0 {
		return drawHuge(r, rt, p)
	}
	blocks := []int64{1, 2, 16, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 192, 255, 256, 257, 340, 384}
	if !executed && p.Slot != routine.NBlocks { // a model waits for each block
		blocks = append(blocks, 480, 511, 512, 513, 640, 1000, 1009, 1010, 1024, 1185, 2048, 2049, 4096, 8192, 8193,
			20000)
	}
	if r.IntN(3) == 0 {
		limit := largest
		if !executed && p.Slot != routine.NBlocks {
			limit = 10000
		}
		return int64(r.IntN(limit))
	}
	return blocks[r.IntN(len(blocks))]
}

// drawHuge draws a size that may overflow the library's arithmetic, usually next to a power of two.
func drawHuge(r *rand.Rand, rt *routine.Routine, p *routine.Param) int64 {
	bits := 31
	if isWide(rt, p) {
		bits = hugeBits
	}
	limit := int64(1)<<bits - 1
	if r.IntN(3) == 0 {
		return r.Int64N(limit)
	}
	return min(int64(1)<<(hugeFrom+r.IntN(bits-hugeFrom+1))+int64(r.IntN(3)-1), limit)
}

// largestDistance bounds drawn leading dimensions and strides of 64 bits.
const largestDistance = 1 << 53

// Exponents of the powers of two near huge sizes.
const (
	hugeFrom = 12
	hugeBits = 40 // of 64-bit parameters
)

// isWide reports whether a parameter has more than 32 bits.
func isWide(rt *routine.Routine, p *routine.Param) bool {
	return rt.CheckRange(p, math.MaxUint32+1) == nil
}

// drawDistance draws a leading dimension, an increment or a stride.
func drawDistance(r *rand.Rand, a *routine.Args, p *routine.Param, executed, odd bool) int64 {
	least := routine.Smallest(a, p) // overflows for strides of huge arrays
	if isWide(a.Routine, p) {
		least = max(-largestDistance, min(least, largestDistance-2))
	} else {
		least = min(least, math.MaxInt32-2)
	}
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
		return min(least, problemBytes/16)
	}
	return least + int64(r.IntN(3))
}

// args returns the call with the addresses of one side. In device pointer mode scalars are 1.
func (d *Call) args(m memory, onDevice bool) *routine.Args {
	a, at := d.integers(), places(d.Routine)
	for i := range d.Routine.Params {
		p := &d.Routine.Params[i]
		switch where, isArray := at[p.Slot]; {
		case d.Null[p.Slot]:
		case p.Kind == routine.Scalar && onDevice:
			a.SetPtr(p.Slot, uint64(m.scalars)+uint64(offsetOfScalar(a, p)))
		case p.Kind == routine.Output && onDevice:
			a.SetPtr(p.Slot, uint64(m.scalars)+resultAt)
		case p.Kind == routine.Scalar:
			a.SetScalar(p.Slot, d.Scalars[p.Slot])
		case p.Kind == routine.Real:
			a.SetReal(p.Slot, d.Reals[p.Slot])
		case p.Kind == routine.Output:
			a.SetInt(p.Slot, routine.Host)
		case isArray && where.inLists:
			a.SetPtr(p.Slot, uint64(m.lists)+uint64(where.offset))
		case isArray:
			a.SetPtr(p.Slot, uint64(m.arrays)+uint64(where.offset))
		}
	}
	return a
}

// integers returns the call with only its integers and enumerations.
func (d *Call) integers() *routine.Args {
	a := d.Routine.New()
	for i := range d.Routine.Params {
		if p := &d.Routine.Params[i]; !p.Kind.IsPointer() && p.Kind != routine.Real {
			a.SetInt(p.Slot, d.Ints[p.Slot])
		}
	}
	return a
}

// Memory of array arguments. The arrays of an executed drawn call never overlap. Integer arrays have a separate part
// that calls never overwrite with other numbers, so pivots stay small on a device that computes.
const (
	largest      = 400                       // largest dimension of an executed call
	batchSize    = 6                         // maximum problems of an executed call
	problemBytes = 2816 << 10                // bytes of one problem: (largest + 2)^2 elements of 16 bytes
	arrayBytes   = batchSize * problemBytes  // bytes of one array
	arrayCount   = 14                        // arrays of numbers
	integerBytes = 1 << 20                   // bytes of one array of integers
	integersAt   = arrayCount * arrayBytes   // offset of the arrays of integers
	integersSize = 16 * integerBytes         // bytes of all arrays of integers
	listBytes    = 8 * batchSize             // bytes of the addresses of a batch
	listsBytes   = arrayCount * listBytes    // bytes of all lists
	pointerBytes = 8                         // bytes of an address
	addressCount = listsBytes / pointerBytes // addresses of all problems
	doubleAt     = 16                        // offset of a double-precision 1, after a single-precision 1
	resultAt     = 64                        // offset of results in device memory
	scalarsBytes = 4096                      // bytes of scalars and results in device memory
)

// ArenaBytes and WorkspaceBytes are the bytes that Prepare allocates for array arguments and for set_workspace.
const (
	ArenaBytes     = integersAt + integersSize
	WorkspaceBytes = 16 << 20
)

// memory has the addresses used by operations.
type memory struct{ arrays, lists, workspace, scalars driver.Ptr }

// allocate allocates the memory and writes the addresses of the problems of batches.
func (m *memory) allocate(dev *hip.Device) (err error) {
	for _, part := range []struct {
		at    *driver.Ptr
		bytes uint64
	}{{&m.arrays, ArenaBytes}, {&m.workspace, WorkspaceBytes}, {&m.lists, listsBytes}, {&m.scalars, scalarsBytes}} {
		if *part.at, err = dev.Malloc(part.bytes); err != nil {
			return err
		}
	}
	list := make([]byte, listsBytes)
	for i := range addressCount {
		binary.NativeEndian.PutUint64(list[pointerBytes*i:], uint64(m.arrays)+problemBytes*uint64(i))
	}
	if err := dev.Write(m.lists, list); err != nil {
		return err
	}
	scalars := make([]byte, scalarsBytes)
	binary.NativeEndian.PutUint32(scalars, math.Float32bits(1))
	binary.NativeEndian.PutUint64(scalars[doubleAt:], math.Float64bits(1))
	return dev.Write(m.scalars, scalars)
}

// offsetOfScalar returns the offset of a scalar in device pointer mode. Its value is 1 in the datatypes of most
// routines.
func offsetOfScalar(a *routine.Args, p *routine.Param) int {
	if t := routine.RealOf(a.Datatype(p)); t == routine.DatatypeF64 {
		return doubleAt
	}
	return 0
}

// place is the position of an array: bytes from the start of the arrays, or of the lists of addresses.
type place struct {
	inLists bool
	offset  int64
}

func places(r *routine.Routine) map[routine.Slot]place {
	list := map[routine.Slot]place{}
	numbers, integers := int64(0), int64(0)
	for i := range r.Params {
		p := &r.Params[i]
		switch {
		case p.Kind == routine.ArrayOfArrays:
			numbers++
			list[p.Slot] = place{true, numbers % arrayCount * listBytes}
		case p.Kind == routine.Array && (p.Elem == routine.OfInt || p.Elem == routine.OfInt32):
			list[p.Slot] = place{false, integersAt + integers%16*integerBytes}
			integers++
		case p.Kind == routine.Array:
			numbers++
			list[p.Slot] = place{false, numbers % arrayCount * arrayBytes}
		}
	}
	return list
}

// DrawExecuted draws a call for execution, in one of several forms. On a device that does not run kernels, some calls
// are wide.
func DrawExecuted(r *rand.Rand, rt *routine.Routine, noKernels bool) *Call {
	if noKernels && takesWide(rt) && r.IntN(3) == 0 {
		return drawWide(r, rt)
	}
	return DrawCall(r, rt, Executed)
}

// takesWide reports whether wide calls to a routine are drawn: only 64-bit forms with a vector and without a result.
// For matrix products of such sizes the kernels depend on the library's build, or take minutes.
func takesWide(rt *routine.Routine) bool {
	return rt.Wide && rt.Library == routine.RocBLAS && rt.Has(routine.X) && rt.Has(routine.N) &&
		!rt.Has(routine.Result)
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
