package behavior

import (
	"math"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Level 1: vectors and plane rotations.
func level1() []family {
	return []family{
		{ID: routine.Asum, also: ids{routine.Nrm2}, checks: reduction, size: realReduction, steps: reduces,
			numbers: before(vecX)},
		{ID: routine.Dot, also: ids{routine.Dotu, routine.Dotc}, checks: dotChecks, size: dot, steps: reducesLong,
			numbers: before(vecX, vecY).after(vecX, vecY)},
		{ID: routine.Iamax, also: ids{routine.Iamin}, checks: reduction, size: extremum, steps: reducesUnwaited,
			numbers: before(vecX)},
		{ID: routine.DotEx, also: ids{routine.DotcEx}, checks: productEx, size: reductionEx, steps: reducesLong,
			numbers: before(vecX, vecY).after(vecX, vecY), datatypes: &productTypes},
		{ID: routine.Nrm2Ex, checks: normEx, size: reductionEx, steps: reducesConverted,
			numbers: before(vecX).after(vecX), datatypes: &normTypes},

		{ID: routine.Axpy, checks: scaledAddition, size: noWorkspace, steps: noSteps,
			numbers: before(vecX, vecY).after(vecY)},
		{ID: routine.Copy, also: ids{routine.Swap}, checks: twoVectors, size: noWorkspace, steps: noSteps,
			numbers: before(vecX, vecY).after(vecX, vecY)},
		{ID: routine.Scal, also: ids{routine.RealScal}, checks: scaling, size: noWorkspace, steps: noSteps,
			numbers: before(vecX).after(vecX)},
		{ID: routine.Rot, also: ids{routine.RealRot}, checks: rotation, size: noWorkspace, steps: noSteps,
			numbers: before(vecX, vecY).after(vecX, vecY)},
		{ID: routine.Rotg, checks: generatedRotation, size: noWorkspace, steps: generatesRotation,
			numbers: before(matA, matB, matC, matD).after(matA, matB, matC, matD).unless(onHost)},
		{ID: routine.Rotm, checks: modifiedRotation, size: noWorkspace, steps: noSteps,
			numbers: before(vecX, vecY).after(vecX, vecY)},
		{ID: routine.Rotmg, checks: generatedRotation, size: noWorkspace, steps: generatesRotation,
			numbers: before(matA, matB, vecX, vecY).after(matA, matB, vecX, vecY).unless(onHost)},
		{ID: routine.AxpyEx, checks: scaledAdditionEx, size: noWorkspace, steps: noSteps,
			numbers: before(vecX, vecY).after(vecY), datatypes: &additionTypes},
		{ID: routine.ScalEx, checks: scalingEx, size: noWorkspace, steps: noSteps,
			numbers: before(vecX).after(vecX), datatypes: &scalingTypes},
		{ID: routine.RotEx, checks: rotationEx, size: noWorkspace, steps: noSteps,
			numbers: before(vecX, vecY).after(vecX, vecY), datatypes: &rotationTypes},
	}
}

// A vector with a negative increment is empty.
func reduction(operands) []rule {
	empty := []condition{none(n), none(incX), none(batchCount)}
	return []rule{
		unchanged(empty...),
		queryReturns,
		pointers(null(result)),
		quickReturn(empty...).with(ZeroResult),
		pointers(null(vecX)),
	}
}

// Any increment is legal, including zero and negative ones; an empty batch needs no results.
func dotChecks(operands) []rule {
	empty := []condition{none(n), none(batchCount)}
	return []rule{
		unchanged(empty...),
		queryReturns,
		pointers(null(result).unless(none(batchCount))),
		quickReturn(empty...).with(ZeroResult),
		pointers(null(vecX), null(vecY)),
	}
}

var (
	noVectors = quickReturn(none(n), none(batchCount))
	nullX     = null(vecX)
	nullY     = null(vecY)
)

func twoVectors(operands) []rule {
	return []rule{needsNone, noVectors, pointers(nullX, nullY)}
}

// In device pointer mode the vectors are not checked.
func scaledAddition(operands) []rule {
	return append([]rule{needsNone, noVectors}, addition()...)
}

func addition() []rule {
	return []rule{
		pointers(null(alpha)),
		quickReturn(alphaZero).only(hostPointers),
		pointers(nullX, nullY).only(hostPointers),
	}
}

// A vector with a negative increment is empty.
func scaling(operands) []rule {
	return []rule{
		needsNone,
		quickReturn(none(n), none(incX), none(batchCount)),
		pointers(nullX, null(alpha)),
		quickReturn(alphaOne).only(hostPointers),
	}
}

func productEx(o operands) []rule {
	return append(dotChecks(o), allocated, notImplemented(productTypes.missing()))
}

func normEx(o operands) []rule {
	return append(reduction(o), allocated, notImplemented(normTypes.missing()))
}

// The _ex forms check the combination of datatypes before the vectors and, except rot_ex, before the value of alpha.
func scaledAdditionEx(operands) []rule {
	return append([]rule{needsNone, noVectors, pointers(null(alpha)), notImplemented(additionTypes.missing())},
		addition()...)
}

func scalingEx(operands) []rule {
	return []rule{
		needsNone,
		quickReturn(none(n), none(incX), none(batchCount)),
		notImplemented(scalingTypes.missing()),
		pointers(null(alpha)),
		quickReturn(alphaOne).only(hostPointers),
		pointers(nullX),
	}
}

func rotationEx(o operands) []rule {
	return append(rotation(o), notImplemented(rotationTypes.missing()))
}

// The combinations of datatypes that have kernels, in the order of the arguments.
var (
	productTypes = types{
		slots: []routine.Slot{routine.XType, routine.YType, routine.ResultType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f16, f16}, {f16, f16, f16, f32}, {bf16, bf16, bf16, f32}, {f32, f32, f32, f32},
			{f32, f32, f64, f64}, {f64, f64, f64, f64}, {f32c, f32c, f32c, f32c}, {f64c, f64c, f64c, f64c},
		},
	}
	normTypes = types{
		slots: []routine.Slot{routine.XType, routine.ResultType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f32}, {bf16, bf16, f32}, {f32, f32, f32}, {f64, f64, f64}, {f32c, f32, f32}, {f64c, f64, f64},
		},
	}
	additionTypes = types{
		slots: []routine.Slot{routine.AlphaType, routine.XType, routine.YType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f16, f16}, {f16, f16, f16, f32}, {f32, f16, f16, f32}, {bf16, bf16, bf16, f32},
			{f32, bf16, bf16, f32}, {f32, f32, f32, f32}, {f64, f64, f64, f64}, {f32c, f32c, f32c, f32c},
			{f64c, f64c, f64c, f64c},
		},
	}
	scalingTypes = types{
		slots: []routine.Slot{routine.AlphaType, routine.XType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f16}, {f16, f16, f32}, {f32, f16, f32}, {bf16, bf16, f32}, {f32, bf16, f32}, {f32, f32, f32},
			{f64, f64, f64}, {f32c, f32c, f32c}, {f64c, f64c, f64c}, {f32, f32c, f32c}, {f64, f64c, f64c},
		},
	}
	rotationTypes = types{
		slots: []routine.Slot{routine.XType, routine.YType, routine.RotationType, routine.ExecutionType},
		combinations: [][]int64{
			{f16, f16, f16, f32}, {bf16, bf16, bf16, f32}, {f32, f32, f32, f32}, {f64, f64, f64, f64},
			{f32c, f32c, f32c, f32c}, {f32c, f32c, f32, f32c}, {f64c, f64c, f64c, f64c}, {f64c, f64c, f64, f64c},
		},
	}
)

func rotation(operands) []rule {
	return []rule{needsNone, noVectors, pointers(nullX, nullY, null(routine.Cosine), null(routine.Sine))}
}

// The library looks at the form of the rotation in host memory before it checks the vectors. This model does not know
// host memory and takes every form for one that changes the vectors.
func modifiedRotation(o operands) []rule {
	list := []rule{needsNone, noVectors, pointers(null(routine.RotationParam)), pointers(nullX, nullY)}
	if o.r.Variant != routine.Plain {
		list = append(list, numbersChecked, notImplemented(noHostRotation).only(executedHost))
	}
	return list
}

// noHostRotation holds for the batches that the library rotates only by numbers in device memory.
var noHostRotation = condition{
	test:    always,
	message: func(a *routine.Args) string { return a.Routine.CName() + " is implemented in device pointer mode only" },
}

// generatedRotation makes a rotation: every array is needed.
func generatedRotation(o operands) []rule {
	var missing []condition
	for i := range o.r.Params {
		if p := &o.r.Params[i]; p.Kind.IsPointer() {
			missing = append(missing, null(p.Slot))
		}
	}
	return []rule{needsNone, quickReturn(none(batchCount)), pointers(missing...)}
}

// Limits of the 64-bit forms: they process a vector in chunks of elements and a batch in chunks of problems.
const (
	ChunkLength = 1 << 28
	ChunkBatch  = 65520
)

// reduces is a reduction, which copies its results to the host in host pointer mode.
func reduces(w *Steps) { w.reduce(w.resultBytes(), false) }

// reducesConverted is nrm2_ex, which converts the result of a single vector on the host.
func reducesConverted(w *Steps) {
	bytes := w.resultBytes()
	if w.batch == 1 {
		bytes, _ = routine.SizeofDatatype(w.Int(routine.ExecutionType))
	}
	w.reduce(bytes, false)
}

// reducesUnwaited is a search for an extreme element, whose 64-bit form ignores that a captured stream cannot be waited
// for.
func reducesUnwaited(w *Steps) { w.reduce(w.resultBytes(), w.Routine.Wide) }

// reducesLong is a dot product, which ignores it with an increment beyond 32 bits.
func reducesLong(w *Steps) {
	w.reduce(w.resultBytes(), w.Routine.Wide && (exceeds32Bits(w.Int(incX)) || exceeds32Bits(w.Int(incY))))
}

func (w *Steps) resultBytes() int64 {
	p, _ := w.Routine.ParamAt(result)
	return w.ElementBytes(p)
}

// reduce launches a reduction and copies its results, unless they stay on the device.
func (w *Steps) reduce(bytes int64, waitIgnored bool) {
	w.launch()
	if w.Reduces = true; !w.OnDevice {
		w.List = append(w.List, Step{Do: CopyResult, ScalarBytes: bytes, WaitIgnored: waitIgnored})
	}
}

// generatesRotation computes on the host in host pointer mode.
func generatesRotation(w *Steps) {
	w.Launch.First, w.Launch.Later = !w.OnDevice, !w.OnDevice
	w.launch()
}

// realReduction is asum and nrm2: a partial sum for every 512 elements and the result, in the real type.
func realReduction(r *request) { r.partialSums(r.real, 512) }

// dot is dot, dotu and dotc: a partial sum for every block of elements and the result, in the routine's type. Only
// bfloat16 is summed in float.
func dot(r *request) {
	switch r.Routine.Type {
	case routine.TypeBF:
		r.partialSums(routine.TypeS.Size(), 4096)
	case routine.TypeH:
		r.partialSums(r.element, 4096)
	case routine.TypeS:
		r.partialSums(r.element, 2048)
	default:
		r.partialSums(r.element, 1024)
	}
}

// partialSums has the cells of a reduction (rocblas_reduction.hpp): one for each block and one for the result. The
// 64-bit forms add a cell for each pass when a size exceeds 32 bits or the batch its largest chunk.
func (r *request) partialSums(element, block int64) {
	cells, batch := ceilDiv(r.n, block)+1, r.batch
	if r.Routine.Wide && r.chunked() {
		batch = min(batch, ChunkBatch)
		cells = ceilDiv(min(r.n, ChunkLength), block) + 1 + ceilDiv(r.n, ChunkLength)
	}
	r.add(buffer.PartialSums, product(element, cells, batch))
}

// chunked reports whether a 64-bit reduction works in chunks.
func (r *callSizes) chunked() bool {
	return r.n > math.MaxInt32 || r.batch >= ChunkBatch ||
		exceeds32Bits(r.Int(routine.IncX)) || exceeds32Bits(r.Int(routine.IncY))
}

func exceeds32Bits(inc int64) bool { return inc > math.MaxInt32 || inc < -math.MaxInt32 }

// extremum is iamax and iamin: pairs of value and index. The 64-bit forms have wider pairs for every type, and always
// bound length and batch.
func extremum(r *request) {
	pair, n, batch := 2*r.real, r.n, r.batch
	if r.Routine.Wide {
		pair, n, batch = 16, min(n, ChunkLength), min(batch, ChunkBatch)
	}
	r.add(buffer.Extrema, product(pair, ceilDiv(n, 1024)+1, batch))
}

// reductionEx is dot_ex, dotc_ex and nrm2_ex: a partial sum for every 512 elements and the result, in the execution
// type (rocblas_reduction.hpp). The types of the vectors do not matter.
func reductionEx(r *request) {
	switch execution := r.Int(routine.ExecutionType); execution {
	case f16, bf16, f32, f64, f32c, f64c:
		element, _ := routine.SizeofDatatype(execution)
		r.partialSums(element, 512)
	}
}
