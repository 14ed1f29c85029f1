package nvidia

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// level3ExMethods are products and solutions whose datatypes are arguments.
var level3ExMethods = map[routine.FamilyID]method{
	routine.GemmEx: {needs: directNeeds, run: gemmEx, buffers: []buffer.ID{buffer.LibraryWorkspace},
		by: by("cublasGemmEx in d, into which c is copied; 8-bit factors need leading dimensions that are multiples " +
			"of 4")},
	routine.TrsmEx: {needs: directNeeds, run: trsmEx, buffers: []buffer.ID{buffer.LibraryWorkspace},
		by: by("cublas's trsm_v2 of the compute type; supplied inverses are not used")},
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
