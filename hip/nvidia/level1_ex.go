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
	routine.ScalEx: {needs: noNeeds, run: scalEx, by: by("cublasScalEx" + mixedLimits)},
	routine.RotEx:  {needs: noNeeds, run: rotEx, by: by("cublasRotEx" + mixedLimits)},
}

const mixedLimits = ", which computes 16-bit numbers in float; other combinations of datatypes are not implemented"

var (
	halfDot = reductionMethod("cublasDotEx")

	// axpyMethod is axpy_ex, and haxpy, which cuBLAS does not have.
	axpyMethod = method{needs: noNeeds, run: axpyEx, by: by("cublasAxpyEx" + mixedLimits)}
)

// reductionMethod computes dot_ex, dotc_ex, nrm2_ex, hdot or bfdot by a function of cuBLAS.
func reductionMethod(function string) method {
	return method{needs: directNeeds, run: func(x *execution) error { return reductionEx(x, function) },
		buffers: []buffer.ID{buffer.Results}, by: by(function + mixedLimits)}
}

func reductionEx(x *execution, function string) error {
	if err := x.setPointerMode(true); err != nil {
		return err
	}
	result, _ := x.args.Routine.ParamAt(routine.Result)
	problem := int64(-1)
	return x.problems(func(a *routine.Args) error {
		problem++
		to := a.Int(routine.Result)
		if !x.launch.OnDevice {
			to = int64(x.launch.Result) + problem*x.args.ElementBytes(result)
		}
		list := append(ints(a.Int(routine.N)), typedVector(a, routine.X)...)
		if has(a, routine.Y) {
			list = append(list, typedVector(a, routine.Y)...)
		}
		return x.blas(function+wide(a),
			append(list, to, cudaTypes[x.args.Datatype(result)], cudaTypes[computedType(a)])...)
	})
}

// computedType returns the datatype in which cuBLAS computes on vectors: the execution type, but float for 16-bit
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

// typedVector returns the arguments of a vector: its address, datatype and increment.
func typedVector(a *routine.Args, s routine.Slot) []int64 {
	p, _ := a.Routine.ParamAt(s)
	inc, _ := a.Routine.Companion(s, routine.Increment)
	return ints(a.Int(s), cudaTypes[a.Datatype(p)], a.Int(inc.Slot))
}

// alphaAs returns the address of alpha in the type that cuBLAS computes in. An alpha of that type may be on the device;
// another one is converted on the host, which waits for the stream if alpha has to be copied.
func alphaAs(x *execution, computed int64) (int64, error) {
	p, _ := x.args.Routine.ParamAt(routine.Alpha)
	if x.launch.OnDevice {
		if x.args.Datatype(p) == computed {
			return x.args.Int(routine.Alpha), x.setPointerMode(true)
		}
		raw := make([]byte, 16)
		err := x.fetch(raw[:element(x.args, routine.Alpha)], driver.Ptr(x.args.Ptr(routine.Alpha)))
		if err != nil {
			return 0, err
		}
		x.args.SetFetched(routine.Alpha, number.Load(x.args.Datatype(p), raw))
	}
	return x.scalarAs(routine.Alpha, computed), x.setPointerMode(false)
}

// axpyEx computes axpy_ex or haxpy.
func axpyEx(x *execution) error {
	return scaled(x, "cublasAxpyEx", func(a *routine.Args) []int64 {
		return append(typedVector(a, routine.X), typedVector(a, routine.Y)...)
	})
}

func scalEx(x *execution) error {
	return scaled(x, "cublasScalEx", func(a *routine.Args) []int64 { return typedVector(a, routine.X) })
}

// scaled calls a function with alpha, vectors, and the type that it computes in.
func scaled(x *execution, function string, vectors func(*routine.Args) []int64) error {
	computed := computedType(x.args)
	alpha, err := alphaAs(x, computed)
	if err != nil {
		return err
	}
	return x.problems(func(a *routine.Args) error {
		list := append(ints(a.Int(routine.N), alpha, cudaTypes[computed]), vectors(a)...)
		return x.blas(function+wide(a), append(list, cudaTypes[computed])...)
	})
}

func rotEx(x *execution) error {
	if err := x.setPointerMode(x.launch.OnDevice); err != nil {
		return err
	}
	return x.problems(func(a *routine.Args) error {
		list := append(append(ints(a.Int(routine.N)), typedVector(a, routine.X)...), typedVector(a, routine.Y)...)
		list = append(list, x.values(a, routine.Cosine, routine.Sine, routine.RotationType)...)
		return x.blas("cublasRotEx"+wide(a), append(list, cudaTypes[computedType(a)])...)
	})
}
