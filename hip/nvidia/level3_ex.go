package nvidia

import (
	"roclua/hip/driver"
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
func gemmEx(x *execution) error {
	if err := x.setPointerMode(x.launch.OnDevice); err != nil {
		return err
	}
	return x.problems(func(a *routine.Args) error {
		if err := copyAddend(x, a); err != nil {
			return err
		}
		list := x.values(a, routine.TransA, routine.TransB, routine.M, routine.N, routine.K, routine.Alpha, routine.A,
			routine.AType, routine.LDA, routine.B, routine.BType, routine.LDB, routine.Beta, routine.D, routine.DType,
			routine.LDD)
		return x.blas("cublasGemmEx"+wide(a), append(list, computeTypes[a.Int(routine.ComputeType)], gemmDefault)...)
	})
}

// copyAddend copies C into D, where cuBLAS reads it. A beta of zero on the host leaves C unread.
func copyAddend(x *execution, a *routine.Args) error {
	unread := !x.launch.OnDevice && x.args.Scalar(routine.Beta) == 0
	if a.Ptr(routine.C) == a.Ptr(routine.D) || a.Null(routine.C) || unread {
		return nil
	}
	size := element(x.args, routine.C)
	from, to := driver.Ptr(a.Ptr(routine.C)), driver.Ptr(a.Ptr(routine.D))
	return x.Copy2D(x.stream, to, uint64(a.Int(routine.LDD))*size, from, uint64(a.Int(routine.LDC))*size,
		uint64(a.Int(routine.M))*size, uint64(a.Int(routine.N)))
}

// trsmEx is trsm of the compute type. cuBLAS has no use for supplied inverted blocks.
func trsmEx(x *execution) error {
	if err := x.setPointerMode(x.launch.OnDevice); err != nil {
		return err
	}
	t := map[int64]routine.Type{
		routine.DatatypeF32: routine.TypeS, routine.DatatypeF64: routine.TypeD, routine.DatatypeF32C: routine.TypeC,
		routine.DatatypeF64C: routine.TypeZ,
	}[x.args.Int(routine.ComputeType)]
	return x.problems(func(a *routine.Args) error {
		return x.libs.cublas.callInts(function{"cublas<t>trsm_v2", t}, x.handles.cublas, x.values(a, routine.Side,
			routine.Uplo, routine.TransA, routine.Diag, routine.M, routine.N, routine.Alpha, routine.A, routine.LDA,
			routine.B, routine.LDB))
	})
}
