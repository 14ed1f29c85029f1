package nvidia

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// level3Methods are products that cuBLAS lacks.
var level3Methods = map[routine.FamilyID]method{
	routine.Gemmt: {needs: gemmtNeeds, run: gemmt, buffers: []buffer.ID{buffer.SquareCopy, buffer.PackedTriangle},
		by: by("cublas<t>gemm_v2 in a copy of C, one triangle of which is copied back")},
}

// gemmtNeeds returns a square copy of C and its packed triangle.
func gemmtNeeds(_ *gpu, a *routine.Args) driver.Needs {
	n, t := max(0, a.Int(routine.N)), a.Routine.Type
	return needs(elements(buffer.SquareCopy, t, n*n), elements(buffer.PackedTriangle, t, n*(n+1)/2))
}

// gemmt computes all of C in a copy and copies one triangle back.
func gemmt(x *execution) {
	x.setPointerMode(x.launch.OnDevice)
	x.problems(func(a *routine.Args) {
		n, c := a.Int(routine.N), matrixAt(a, routine.C)
		square := matrix{x.at(buffer.SquareCopy), n}
		copyMatrix(x, square, c, n, n)
		list := x.values(a, routine.TransA, routine.TransB, routine.N, routine.N, routine.K, routine.Alpha, routine.A,
			routine.LDA, routine.B, routine.LDB, routine.Beta)
		x.blas("cublas<t>gemm_v2"+wide(a), append(list, square.at, n)...)
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

// complexSpr is spr of complex numbers, which cuBLAS has only for matrices that are not packed.
var complexSpr = method{needs: sprNeeds, run: spr, buffers: []buffer.ID{buffer.SquareCopy},
	by: by("cublas<t>syr_v2 in an unpacked copy of A")}

// sprNeeds returns a square matrix.
func sprNeeds(_ *gpu, a *routine.Args) driver.Needs {
	n := max(0, a.Int(routine.N))
	return needs(elements(buffer.SquareCopy, a.Routine.Type, n*n))
}

// spr unpacks A, updates it, and packs it again.
func spr(x *execution) {
	x.setPointerMode(x.launch.OnDevice)
	x.problems(func(a *routine.Args) {
		n, uplo, packed, square := a.Int(routine.N), value(a, routine.Uplo), a.Int(routine.A), x.at(buffer.SquareCopy)
		x.blas("cublas<t>tpttr", uplo, n, packed, square, n)
		list := x.values(a, routine.Uplo, routine.N, routine.Alpha, routine.X, routine.IncX)
		x.blas("cublas<t>syr_v2"+wide(a), append(list, square, n)...)
		x.blas("cublas<t>trttp", uplo, n, square, n, packed)
	})
}
