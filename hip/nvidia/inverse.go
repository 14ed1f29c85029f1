package nvidia

import (
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Inverses. cuSOLVER inverts only triangles, and only in place. Other inverses are computed by solving for the
// identity.

// cudaTypes are the numbers of cudaDataType.
var cudaTypes = map[int64]uintptr{
	routine.DatatypeF16: 2, routine.DatatypeBF16: 14, routine.DatatypeF32: 0, routine.DatatypeF64: 1,
	routine.DatatypeF32C: 4, routine.DatatypeF64C: 5, routine.DatatypeI8: 3, routine.DatatypeI32: 10,
}

// triangleScratch returns the scratch bytes of inverting a triangle in place, on the device and on the host.
func (d *device) triangleScratch(
	r *routine.Routine, uplo, diag uintptr, n, ld int64,
) (onDevice, onHost uint64, err error) {
	h, err := d.use()
	if err != nil {
		return 0, 0, err
	}
	sizes := new([2]uint64)
	err = d.libs.cusolver.call("cusolverDnXtrtri_bufferSize", h.cusolver, uplo, diag, uintptr(n),
		cudaTypes[r.Type.Datatype()], 0, uintptr(ld),
		uintptr(unsafe.Pointer(&sizes[0])), uintptr(unsafe.Pointer(&sizes[1])))
	return sizes[0], sizes[1], err
}

// invertTriangle inverts a triangle in place.
func (x *execution) invertTriangle(uplo, diag uintptr, n int64, p driver.Ptr, ld int64, info driver.Ptr) error {
	scratch := x.work(buffer.InversionScratch)
	_, onHost, err := x.triangleScratch(x.args.Routine, uplo, diag, n, ld)
	if err != nil {
		return err
	}
	if err := x.setSolverStream(x.h, streamHandle(x.stream)); err != nil {
		return err
	}
	return x.libs.cusolver.call("cusolverDnXtrtri", x.h.cusolver, uplo, diag, uintptr(n),
		cudaTypes[x.args.Routine.Type.Datatype()], uintptr(p), uintptr(ld), uintptr(scratch.Ptr),
		uintptr(scratch.Bytes), uintptr(unsafe.Pointer(x.hostScratch(onHost))), uintptr(onHost), uintptr(info))
}

func triangleNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	uplo, diag := enumeration(routine.Fill, a.Int(routine.Uplo)), enumeration(routine.Diagonal, a.Int(routine.Diag))
	onDevice, _, err := d.triangleScratch(a.Routine, uplo, diag, a.Int(routine.N), max(1, a.Int(routine.LDA)))
	return needs(
		driver.Buffer{ID: buffer.InversionScratch, Bytes: onDevice},
		driver.Buffer{ID: buffer.Info, Bytes: infoBytes},
		driver.Buffer{ID: buffer.One, Bytes: uint64(a.Routine.Type.Size())},
	), err
}

// trtri inverts in place, or solves A X = I into another matrix, whose other triangle stays zero.
func (x *execution) trtri() error {
	if err := x.writeOne(); err != nil {
		return err
	}
	uplo := enumeration(routine.Fill, x.args.Int(routine.Uplo))
	diag := enumeration(routine.Diagonal, x.args.Int(routine.Diag))
	return x.problems(func(a *routine.Args) error {
		n, from, to := a.Int(routine.N), driver.Ptr(a.Ptr(routine.A)), driver.Ptr(a.Ptr(routine.InvA))
		if from == to {
			return x.invertTriangle(uplo, diag, n, to, a.Int(routine.LDA), x.work(buffer.Info).Ptr)
		}
		if err := x.identity(to, n, a.Int(routine.LDInvA)); err != nil {
			return err
		}
		return x.triangularSolve(uplo, diag, n, from, a.Int(routine.LDA), to, a.Int(routine.LDInvA))
	})
}

// writeOne stores the number one of the routine's type in the workspace.
func (x *execution) writeOne() error {
	to := x.work(buffer.One)
	one := make([]byte, to.Bytes)
	number.Store(x.args.Routine.Type.Datatype(), one, 1)
	return x.Write(x.stream, to.Ptr, one)
}

// identity makes a matrix the identity: zeros, and the number one copied along the diagonal.
func (x *execution) identity(p driver.Ptr, n, ld int64) error {
	one, size := x.work(buffer.One).Ptr, uint64(x.args.Routine.Type.Size())
	if err := x.Clear2D(x.stream, p, uint64(ld)*size, uint64(n)*size, uint64(n)); err != nil {
		return err
	}
	return x.blas("copy_v2", x.h.cublas, uintptr(n), uintptr(one), 0, uintptr(p), uintptr(ld+1))
}

// triangularSolve replaces the n x n matrix at b by the solution X of A X = B.
func (x *execution) triangularSolve(
	uplo, diag uintptr, n int64, a driver.Ptr, lda int64, b driver.Ptr, ldb int64,
) error {
	if err := x.setPointerMode(x.h, false); err != nil {
		return err
	}
	number.Store(x.args.Routine.Type.Datatype(), x.scalars[0][:], 1)
	return x.blas("trsm_v2", x.h.cublas, 0, uplo, 0, diag, uintptr(n), uintptr(n),
		uintptr(unsafe.Pointer(&x.scalars[0])), uintptr(a), uintptr(lda), uintptr(b), uintptr(ldb))
}

func inverseNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	n, size := a.Int(routine.N), uint64(a.Routine.Type.Size())
	onDevice, _, err := d.triangleScratch(a.Routine, 1, 0, n, max(1, n))
	return needs(
		driver.Buffer{ID: buffer.FactorCopy, Bytes: uint64(n*n) * size},
		driver.Buffer{ID: buffer.InversionScratch, Bytes: onDevice},
		driver.Buffer{ID: buffer.Info, Bytes: infoBytes},
		driver.Buffer{ID: buffer.One, Bytes: size},
	), err
}

var inverseBuffers = []buffer.ID{buffer.FactorCopy, buffer.InversionScratch, buffer.Info, buffer.One}

// getri solves L U X = P from a copy of the factors, into A or C. Inverting the copy of U reports a zero on its
// diagonal.
func (x *execution) getri() error {
	if err := x.writeOne(); err != nil {
		return err
	}
	return x.problems(func(a *routine.Args) error {
		n, to := a.Int(routine.N), matrixAt(a, routine.A)
		factors := matrix{x.work(buffer.FactorCopy).Ptr, n}
		if err := x.copyMatrix(factors, to, n, n); err != nil {
			return err
		}
		if _, ok := a.Routine.ParamAt(routine.C); ok {
			to = matrixAt(a, routine.C)
		}
		if err := x.identity(to.at, n, to.ld); err != nil {
			return err
		}
		if err := x.solveFactors(a, factors, to); err != nil {
			return err
		}
		return x.invertTriangle(1, 0, n, factors.at, n, driver.Ptr(a.Ptr(routine.Info)))
	})
}

// solveFactors replaces a square matrix B by the solution of L U X = P B, or of L U X = B without pivots.
func (x *execution) solveFactors(a *routine.Args, factors, b matrix) error {
	n := a.Int(routine.N)
	if _, pivots := a.Routine.ParamAt(routine.Ipiv); pivots {
		return x.solver("getrs", x.h.cusolver, 0, uintptr(n), uintptr(n), uintptr(factors.at), uintptr(n),
			uintptr(a.Ptr(routine.Ipiv)), uintptr(b.at), uintptr(b.ld), uintptr(x.work(buffer.Info).Ptr))
	}
	if err := x.triangularSolve(0, 1, n, factors.at, n, b.at, b.ld); err != nil {
		return err
	}
	return x.triangularSolve(1, 0, n, factors.at, n, b.at, b.ld)
}

// inverseMethods are inverses of the solver, and lauum.
var inverseMethods = map[routine.FamilyID]method{
	routine.Potri: denseMethod("cusolverDn<t>potri", func(a *routine.Args) denseCall {
		return denseCall{name: functionName(a.Routine.Type, "potri", ""), args: triangleArgs(a)}
	}),
	routine.Lauum: denseMethod("cusolverDn<t>lauum", func(a *routine.Args) denseCall {
		return denseCall{name: functionName(a.Routine.Type, "lauum", ""), args: triangleArgs(a)}
	}),
	routine.SolverTrtri: {solverTrtriNeeds, (*execution).solverTrtri,
		[]buffer.ID{buffer.InversionScratch, buffer.Info, buffer.One, buffer.Diagonal}, by("cusolverDnXtrtri")},
	routine.GetriNpvt: {inverseNeeds, (*execution).getri, inverseBuffers,
		by("cublas<t>trsm_v2 for the identity, and cusolverDnXtrtri for info")},
	routine.GetriOutOfPlace: {inverseNeeds, (*execution).getri, inverseBuffers,
		by("cusolverDn<t>getrs for the identity, and cusolverDnXtrtri for info")},
	routine.GetriNpvtOutOfPlace: {inverseNeeds, (*execution).getri, inverseBuffers,
		by("cublas<t>trsm_v2 for the identity, and cusolverDnXtrtri for info")},
}

// triangleArgs are the arguments of a function for a triangle of a matrix.
func triangleArgs(a *routine.Args) []dl.Arg {
	m := matrixAt(a, routine.A)
	return words(enum(a, routine.Fill, routine.Uplo), a.Int(routine.N), int64(m.at), m.ld)
}

// solverTrtri inverts in place. cuSOLVER stores the ones of a unit diagonal, which rocSOLVER does not touch: the old
// diagonal is stored again.
func (x *execution) solverTrtri() error {
	uplo := enumeration(routine.Fill, x.args.Int(routine.Uplo))
	diag := enumeration(routine.Diagonal, x.args.Int(routine.Diag))
	return x.problems(func(a *routine.Args) error {
		n, to := uintptr(a.Int(routine.N)), matrixAt(a, routine.A)
		invert := func() error {
			return x.invertTriangle(uplo, diag, a.Int(routine.N), to.at, to.ld, driver.Ptr(a.Ptr(routine.Info)))
		}
		if diag == 0 {
			return invert()
		}
		diagonal, step := uintptr(x.work(buffer.Diagonal).Ptr), uintptr(to.ld+1)
		if err := x.blas("copy_v2", x.h.cublas, n, uintptr(to.at), step, diagonal, 1); err != nil {
			return err
		}
		if err := invert(); err != nil {
			return err
		}
		return x.blas("copy_v2", x.h.cublas, n, diagonal, 1, uintptr(to.at), step)
	})
}

func solverTrtriNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	list, err := triangleNeeds(d, a)
	if a.Int(routine.Diag) == routine.DiagonalUnit {
		list.Buffers = append(list.Buffers,
			driver.Buffer{ID: buffer.Diagonal, Bytes: uint64(a.Int(routine.N) * a.Routine.Type.Size())})
	}
	return list, err
}
