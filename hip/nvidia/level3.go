package nvidia

import (
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// gemmt computes all of C in a copy and copies one triangle back.
func gemmt(x *execution) {
	x.setPointerMode(x.launch.OnDevice)
	x.problems(func(a *routine.Args) {
		n, c := a.Int(routine.N), matrixAt(a, routine.C)
		square := x.matrix(buffer.SquareCopy, n, n)
		copyMatrix(x, square, c, n, n)
		list := x.values(a, routine.TransA, routine.TransB, routine.N, routine.N, routine.K, routine.Alpha, routine.A,
			routine.LDA, routine.B, routine.LDB, routine.Beta)
		x.blas("cublas<t>gemm_v2"+wide(a), append(list, square.at, square.ld)...)
		copyTriangle(x, value(a, routine.Uplo), n, c, square)
	})
}

// trsm solves by the function of the same parameters. An alpha of 0 makes X zero whatever A and B hold, but
// cublas<t>trsmBatched reads both from an order of 65 on, so that a NaN there reaches X. A product without terms stores
// the zeros of a batch instead.
func trsm(x *execution) {
	a := x.args
	if a.Routine.Variant != routine.Batched || x.launch.OnDevice || a.Scalar(routine.Alpha) != 0 {
		direct(x)
		return
	}
	m, n, b, ldb := a.Int(routine.M), a.Int(routine.N), a.Int(routine.B), a.Int(routine.LDB)
	one, zero := x.oneAndZero()
	x.blas("cublas<t>gemmBatched"+wide(a), 0, 0, m, n, 0, one, b, ldb, b, ldb, zero, b, ldb, a.Batch())
}

// computeTypes are the numbers of cublasComputeType_t.
var computeTypes = map[int64]int64{
	routine.DatatypeF16: 64, routine.DatatypeF32: 68, routine.DatatypeF64: 70, routine.DatatypeI32: 72,
	routine.DatatypeF32C: 68, routine.DatatypeF64C: 70,
}

const gemmDefault = -1 // CUBLAS_GEMM_DEFAULT

// gemmEx computes in D, into which it copies C first unless they are the same matrix.
func gemmEx(x *execution) {
	x.setPointerMode(x.launch.OnDevice)
	x.problems(func(a *routine.Args) {
		copyAddend(x, a)
		list := x.values(a, routine.TransA, routine.TransB, routine.M, routine.N, routine.K, routine.Alpha, routine.A,
			routine.AType, routine.LDA, routine.B, routine.BType, routine.LDB, routine.Beta, routine.D, routine.DType,
			routine.LDD)
		x.blas("cublasGemmEx"+wide(a), append(list, computeTypes[a.Int(routine.ComputeType)], gemmDefault)...)
	})
}

// copyAddend copies C into D, where cuBLAS reads it. A beta of zero on the host leaves C unread.
func copyAddend(x *execution, a *routine.Args) {
	unread := !x.launch.OnDevice && x.args.Scalar(routine.Beta) == 0
	if a.Ptr(routine.C) == a.Ptr(routine.D) || a.Null(routine.C) || unread {
		return
	}
	to, from := matrix{a.Int(routine.D), a.Int(routine.LDD)}, matrix{a.Int(routine.C), a.Int(routine.LDC)}
	copyElements(x, int64(element(x.args, routine.C)), to, from, a.Int(routine.M), a.Int(routine.N))
}

// trsmEx is trsm of the compute type. cuBLAS has no use for supplied inverted blocks.
func trsmEx(x *execution) {
	x.setPointerMode(x.launch.OnDevice)
	t := map[int64]routine.Type{
		routine.DatatypeF32: routine.TypeS, routine.DatatypeF64: routine.TypeD, routine.DatatypeF32C: routine.TypeC,
		routine.DatatypeF64C: routine.TypeZ,
	}[x.args.Int(routine.ComputeType)]
	x.problems(func(a *routine.Args) {
		x.blasOf(t, "cublas<t>trsm_v2", x.values(a, routine.Side, routine.Uplo, routine.TransA, routine.Diag, routine.M,
			routine.N, routine.Alpha, routine.A, routine.LDA, routine.B, routine.LDB)...)
	})
}

// spr unpacks A, updates it, and packs it again.
func spr(x *execution) {
	x.setPointerMode(x.launch.OnDevice)
	x.problems(func(a *routine.Args) {
		n, uplo, packed := a.Int(routine.N), value(a, routine.Uplo), a.Int(routine.A)
		square := x.vector(buffer.SquareCopy, n*n)
		x.blas("cublas<t>tpttr", uplo, n, packed, square, n)
		list := x.values(a, routine.Uplo, routine.N, routine.Alpha, routine.X, routine.IncX)
		x.blas("cublas<t>syr_v2"+wide(a), append(list, square, n)...)
		x.blas("cublas<t>trttp", uplo, n, square, n, packed)
	})
}

// reductionMethod computes dot_ex, dotc_ex, nrm2_ex, hdot or bfdot by a function of cuBLAS.
func reductionMethod(function string) method {
	return method{function + mixedLimits, func(x *execution) { reductionEx(x, function) }, directNeeds}
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
	if !a.Routine.Has(routine.ExecutionType) {
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
	return method{by: function + mixedLimits, needs: noNeeds, run: func(x *execution) {
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
