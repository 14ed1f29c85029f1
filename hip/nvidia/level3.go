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
