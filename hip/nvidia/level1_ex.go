package nvidia

import (
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// level1ExMethods are operations on vectors whose datatypes are arguments.
var level1ExMethods = map[routine.FamilyID]method{
	routine.DotEx:  reductionMethod("cublasDotEx"),
	routine.DotcEx: reductionMethod("cublasDotcEx"),
	routine.Nrm2Ex: reductionMethod("cublasNrm2Ex"),
	routine.AxpyEx: axpyMethod,
	routine.ScalEx: scaledMethod("cublasScalEx", routine.X),
	routine.RotEx:  {needs: noNeeds, run: rotEx, by: by("cublasRotEx" + mixedLimits)},
}

const mixedLimits = ", which computes 16-bit numbers in float; other combinations of datatypes are not implemented"

var (
	halfDot = reductionMethod("cublasDotEx")

	// axpyMethod is axpy_ex, and haxpy, which cuBLAS does not have.
	axpyMethod = scaledMethod("cublasAxpyEx", routine.X, routine.Y)
)

// reductionMethod computes dot_ex, dotc_ex, nrm2_ex, hdot or bfdot by a function of cuBLAS.
func reductionMethod(function string) method {
	return method{needs: directNeeds, run: func(x *execution) { reductionEx(x, function) },
		buffers: []buffer.ID{buffer.Results}, by: by(function + mixedLimits)}
}

func reductionEx(x *execution, function string) {
	x.setPointerMode(true)
	result, _ := x.args.Routine.ParamAt(routine.Result)
	problem := int64(-1)
	x.problems(func(a *routine.Args) {
		problem++
		to := a.Int(routine.Result)
		if !x.launch.OnDevice {
			to = int64(x.launch.Result) + problem*x.args.ElementBytes(result)
		}
		list := append(ints(a.Int(routine.N)), typedVectors(a, routine.X, routine.Y)...)
		x.blas(function+wide(a),
			append(list, to, cudaTypes[x.args.Datatype(result)], cudaTypes[computedType(a)])...)
	})
}

// computedType returns the datatype that cuBLAS computes vectors in: the execution type, but float for 16-bit
// elements, because cuBLAS has no other there.
func computedType(a *routine.Args) int64 {
	if !has(a, routine.ExecutionType) {
		return routine.DatatypeF32
	}
	if t := a.Int(routine.ExecutionType); t != routine.DatatypeF16 && t != routine.DatatypeBF16 {
		return t
	}
	return routine.DatatypeF32
}

// typedVectors returns the arguments of vectors: addresses, datatypes and increments.
func typedVectors(a *routine.Args, slots ...routine.Slot) (list []int64) {
	for _, s := range slots {
		if p, ok := a.Routine.ParamAt(s); ok {
			inc, _ := a.Routine.Companion(s, routine.Increment)
			list = append(list, a.Int(s), cudaTypes[a.Datatype(p)], a.Int(inc.Slot))
		}
	}
	return list
}

// alphaAs returns the address of alpha in the type that cuBLAS computes in. An alpha of that type may be on the device;
// another one is converted on the host, which waits for the stream if alpha has to be copied.
func alphaAs(x *execution, computed int64) int64 {
	p, _ := x.args.Routine.ParamAt(routine.Alpha)
	if x.launch.OnDevice {
		if x.args.Datatype(p) == computed {
			x.setPointerMode(true)
			return x.args.Int(routine.Alpha)
		}
		raw := make([]byte, 16)
		x.fetch(raw[:element(x.args, routine.Alpha)], driver.Ptr(x.args.Ptr(routine.Alpha)))
		x.args.SetFetched(routine.Alpha, number.Load(x.args.Datatype(p), raw))
	}
	x.setPointerMode(false)
	return x.scalarAs(routine.Alpha, computed)
}

// scaledMethod calls a function with alpha, vectors, and the type that it computes in.
func scaledMethod(function string, vectors ...routine.Slot) method {
	return method{needs: noNeeds, by: by(function + mixedLimits), run: func(x *execution) {
		computed := computedType(x.args)
		alpha := alphaAs(x, computed)
		x.problems(func(a *routine.Args) {
			list := append(ints(a.Int(routine.N), alpha, cudaTypes[computed]), typedVectors(a, vectors...)...)
			x.blas(function+wide(a), append(list, cudaTypes[computed])...)
		})
	}}
}

func rotEx(x *execution) {
	x.setPointerMode(x.launch.OnDevice)
	x.problems(func(a *routine.Args) {
		list := append(ints(a.Int(routine.N)), typedVectors(a, routine.X, routine.Y)...)
		list = append(list, x.values(a, routine.Cosine, routine.Sine, routine.RotationType)...)
		x.blas("cublasRotEx"+wide(a), append(list, cudaTypes[computedType(a)])...)
	})
}
