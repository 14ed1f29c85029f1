package nvidia

import (
	"slices"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// tridiagonalMethods are eigenvalues of tridiagonal matrices and singular values of bidiagonal matrices, which cuSOLVER
// has only for dense matrices.
var tridiagonalMethods = map[routine.FamilyID]method{
	routine.Sterf: tridiagonalEigen,
	routine.Steqr: tridiagonalEigen,
	routine.Stedc: tridiagonalEigen,
	routine.Bdsqr: {needs: bidiagonalSingularNeeds, run: (*execution).bdsqr,
		buffers: slices.Concat(scratchBuffers, []buffer.ID{buffer.SquareCopy, buffer.UntransposedLeft,
			buffer.UntransposedRight, buffer.ReversedProduct}),
		by: by("cusolverDn<t>gesvd of the dense matrix")},
}

var tridiagonalEigen = method{needs: tridiagonalEigenNeeds, run: (*execution).steqr,
	buffers: slices.Concat(scratchBuffers, []buffer.ID{buffer.SquareCopy, buffer.ReversedProduct}),
	by:      by("cusolverDn<sy>evd of the dense matrix")}

// denseOf stores a matrix with two diagonals in the square copy: d on the main one, and e above or below it.
func (x *execution) denseOf(a *routine.Args, upper bool) (matrix, error) {
	t, n := a.Routine.Type, a.Int(routine.N)
	square := matrix{x.work(buffer.SquareCopy).Ptr, n}
	if err := x.Fill(x.stream, square.at, 0, uint64(n*n*t.Size())); err != nil {
		return square, err
	}
	name, parts := "cublasDcopy_v2", t.Size()/t.RealSize() // d and e are the real parts of the matrix
	if t.RealSize() == 4 {
		name = "cublasScopy_v2"
	}
	other := square.from(t, 1, 0)
	if upper {
		other = square.from(t, 0, 1)
	}
	step := uintptr((n + 1) * parts)
	err := x.call(name, x.h.cublas, uintptr(n), uintptr(a.Ptr(routine.VecD)), 1, uintptr(square.at), step)
	if err != nil || n == 1 {
		return square, err
	}
	return square, x.call(name, x.h.cublas, uintptr(n-1), uintptr(a.Ptr(routine.VecE)), 1, uintptr(other.at), step)
}

// tridiagonalCall is syevd of the lower triangle of a dense matrix.
func tridiagonalCall(a *routine.Args, square driver.Ptr) denseCall {
	mode := int64(0)
	if _, ok := a.Routine.ParamAt(routine.Evect); ok {
		mode = eigenMode(a)
	}
	n := a.Int(routine.N)
	return denseCall{name: hermitian(a.Routine.Type, "syevd"),
		args: words(mode, 0, n, int64(square), max(1, n), pointer(a, routine.VecD))}
}

func tridiagonalEigenNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	bytes, err := d.scratchOf(a.Routine.Type, tridiagonalCall(withoutPointers(a), 0))
	list, square := scratchNeeds(bytes), uint64(a.Int(routine.N)*a.Int(routine.N)*a.Routine.Type.Size())
	list.Buffers = append(list.Buffers, driver.Buffer{ID: buffer.SquareCopy, Bytes: square})
	if multipliesVectors(a) {
		list.Buffers = append(list.Buffers, driver.Buffer{ID: buffer.ReversedProduct, Bytes: square})
	}
	return list, err
}

// multipliesVectors reports whether a matrix is multiplied by the eigenvectors.
func multipliesVectors(a *routine.Args) bool {
	_, ok := a.Routine.ParamAt(routine.Evect)
	return ok && a.Int(routine.Evect) == routine.EvectOriginal
}

// steqr is sterf, steqr or stedc.
func (x *execution) steqr() error {
	a, n := x.args, x.args.Int(routine.N)
	vectors, err := x.denseOf(a, false)
	if err != nil {
		return err
	}
	call := tridiagonalCall(a, vectors.at)
	if err := x.dense(call, x.infoOf(a)); err != nil {
		return err
	}
	if err := x.clear(a, routine.VecE); err != nil {
		return err
	}
	_, ok := a.Routine.ParamAt(routine.Evect)
	switch {
	case !ok || a.Int(routine.Evect) == routine.EvectNone:
		return nil
	case multipliesVectors(a):
		return x.replaceByProduct(matrixAt(a, routine.C), n, n, matrixAt(a, routine.C), 0, vectors, n)
	}
	return x.copyMatrix(matrixAt(a, routine.C), vectors, n, n)
}

// replaceByProduct stores op(F) G, a matrix with the given rows and columns, in a matrix that may be a factor.
func (x *execution) replaceByProduct(
	to matrix, rows, columns int64, f matrix, op uintptr, g matrix, inner int64,
) error {
	one, zero, err := x.setOneAndZero()
	if err != nil {
		return err
	}
	product := matrix{x.work(buffer.ReversedProduct).Ptr, max(1, rows)}
	err = x.blas("gemm_v2", x.h.cublas, op, 0, uintptr(rows), uintptr(columns), uintptr(inner), one, uintptr(f.at),
		uintptr(f.ld), uintptr(g.at), uintptr(g.ld), zero, uintptr(product.at), uintptr(product.ld))
	if err != nil {
		return err
	}
	return x.copyMatrix(to, product, rows, columns)
}

// bidiagonalVectors returns cuSOLVER's job of a decomposition: vectors are computed if there is a matrix to multiply.
func bidiagonalVectors(a *routine.Args) int64 {
	if a.Int(routine.NV) == 0 && a.Int(routine.NU) == 0 && a.Int(routine.NC) == 0 {
		return 'N'
	}
	return 'A'
}

func bidiagonalSingularCall(a *routine.Args, square, u, v driver.Ptr) denseCall {
	n, job := a.Int(routine.N), bidiagonalVectors(a)
	return denseCall{name: functionName(a.Routine.Type, "gesvd", ""),
		args:    words(job, job, n, n, int64(square), n, pointer(a, routine.VecD), int64(u), n, int64(v), n),
		sizedBy: words(n, n), between: []dl.Arg{dl.Word(0)}}
}

func bidiagonalSingularNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	bytes, err := d.scratchOf(a.Routine.Type, bidiagonalSingularCall(a, 0, 0, 0))
	n, size := a.Int(routine.N), a.Routine.Type.Size()
	square := uint64(n * n * size)
	list := scratchNeeds(bytes)
	list.Buffers = append(list.Buffers, driver.Buffer{ID: buffer.SquareCopy, Bytes: square})
	if bidiagonalVectors(a) == 'A' {
		longest := max(a.Int(routine.NV), a.Int(routine.NU), a.Int(routine.NC))
		list.Buffers = append(list.Buffers, driver.Buffer{ID: buffer.UntransposedLeft, Bytes: square},
			driver.Buffer{ID: buffer.UntransposedRight, Bytes: square},
			driver.Buffer{ID: buffer.ReversedProduct, Bytes: uint64(n * longest * size)})
	}
	return list, err
}

// bdsqr decomposes a bidiagonal matrix and multiplies: P^H V, U Q and Q^H C.
func (x *execution) bdsqr() error {
	a, n := x.args, x.args.Int(routine.N)
	square, err := x.denseOf(a, a.Int(routine.Uplo) == routine.FillUpper)
	if err != nil {
		return err
	}
	q, p := matrix{x.work(buffer.UntransposedLeft).Ptr, n}, matrix{x.work(buffer.UntransposedRight).Ptr, n}
	if err := x.dense(bidiagonalSingularCall(a, square.at, q.at, p.at), x.infoOf(a)); err != nil {
		return err
	}
	if err := x.clear(a, routine.VecE); err != nil {
		return err
	}
	if nv, v := a.Int(routine.NV), matrixAt(a, routine.MatV); nv > 0 {
		if err := x.replaceByProduct(v, n, nv, p, 0, v, n); err != nil {
			return err
		}
	}
	if nu, u := a.Int(routine.NU), matrixAt(a, routine.MatU); nu > 0 {
		if err := x.replaceByProduct(u, nu, n, u, 0, q, n); err != nil {
			return err
		}
	}
	if nc, c := a.Int(routine.NC), matrixAt(a, routine.C); nc > 0 {
		return x.replaceByProduct(c, n, nc, q, adjointOf(a.Routine.Type), c, n)
	}
	return nil
}
