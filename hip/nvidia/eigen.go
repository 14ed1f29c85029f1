package nvidia

import (
	"encoding/binary"
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// cuSOLVER does not report how many sweeps Jacobi's method has made before the stream has computed them, so both
// reports of rocSOLVER's functions are zero.

// problem is a kind of eigenvalue problem: how the names of its functions begin, and their arguments before and after
// the job.
type problem struct {
	name       string
	form, rest []routine.Slot
}

var (
	standard = problem{"cusolverDn<sy>ev", nil,
		[]routine.Slot{routine.Uplo, routine.N, routine.A, routine.LDA}}
	generalized = problem{"cusolverDn<sy>gv", []routine.Slot{routine.Itype},
		[]routine.Slot{routine.Uplo, routine.N, routine.A, routine.LDA, routine.B, routine.LDB}}
)

// args returns the arguments up to the matrices, with others after the job.
func (p problem) args(job ...routine.Slot) []routine.Slot {
	list := append([]routine.Slot{}, p.form...)
	return append(append(append(list, routine.Evect), job...), p.rest...)
}

// divideMethod computes all eigenvalues by divide and conquer.
func divideMethod(p problem, note string) method {
	return solverMethod(note, step{name: p.name + "d", args: append(p.args(), routine.VecD),
		clears: []routine.Slot{routine.VecE, routine.Residual, routine.Sweeps}})
}

// jacobiMethod computes all eigenvalues by Jacobi's method.
func jacobiMethod(p problem) method {
	return solverMethod(", with its own tolerance"+unreported, step{name: p.name + "j", jacobi: true,
		args:   append(p.args(), routine.VecW),
		clears: []routine.Slot{routine.VecE, routine.Residual, routine.Sweeps}})
}

// partialMethod computes the eigenvalues in a range. cuSOLVER stores the vectors in A.
func partialMethod(p problem, note string) method {
	before := p.args(routine.Erange)
	s := step{name: p.name + "dx",
		args: append(before, routine.LowerIndex, routine.UpperIndex, zero, routine.VecW)}
	return method{by: s.name + note + "; a range of values waits for their number", run: func(x *execution) {
		x.problems(func(a *routine.Args) {
			c := s.call(x.gpu, a)
			c.setRange(len(before), a.Real(routine.LowerBound), a.Real(routine.UpperBound), &x.found)
			if x.sizing {
				c.setRange(len(before), 0, 1, &x.libs.found) // the size does not depend on the bounds
			}
			partialEigen(x, a, &c)
		})
	}}
}

// setRange sets the bounds, which follow the given number of arguments, and where cuSOLVER stores the number of
// eigenvalues in host memory.
func (c *solverCall) setRange(before int, low, high float64, found *int32) {
	c.bounds, c.boundsAt = []float64{low, high}, before
	c.args[before+2] = int64(uintptr(unsafe.Pointer(found)))
}

func partialEigen(x *execution, a *routine.Args, c *solverCall) {
	x.solve(*c, x.infoOf(a))
	count := eigenvaluesIn(x, a)
	x.write(driver.Ptr(a.Ptr(routine.Nev)), binary.NativeEndian.AppendUint32(nil, uint32(count)))
	if value(a, routine.Evect) != 0 && count > 0 {
		copyMatrix(x, matrixAt(a, routine.MatZ), matrixAt(a, routine.A), a.Int(routine.N), count)
	}
	if a.Routine.Has(routine.Ifail) && !a.Null(routine.Ifail) {
		x.zero(a.Int(routine.Ifail), uint64(count)*infoBytes)
	}
}

// eigenvaluesIn returns how many eigenvalues the range of a call contains. For a range of values it waits for the
// stream.
func eigenvaluesIn(x *execution, a *routine.Args) int64 {
	switch a.Int(routine.Erange) {
	case routine.ErangeAll:
		return a.Int(routine.N)
	case routine.ErangeIndex:
		return a.Int(routine.UpperIndex) - a.Int(routine.LowerIndex) + 1
	}
	x.fetch(make([]byte, infoBytes), driver.Ptr(x.infoOf(a)))
	return min(max(0, int64(x.found)), a.Int(routine.N))
}

// sygst works on a copy of A with both triangles, made by a product with the identity.
func sygst(x *execution) {
	writeOne(x)
	x.problems(func(a *routine.Args) {
		n, from := a.Int(routine.N), triangleAt(a)
		square, ones := x.matrix(buffer.SquareCopy, n, n), x.matrix(buffer.ReorderedMatrix, n, n)
		identity(x, ones, n)
		one, zero := x.oneAndZero()
		x.blas("cublas<sy>mm_v2", 0, from.uplo, n, n, one, from.at, from.ld, ones.at, n, zero, square.at, n)
		congruence(x, a, square, one)
		copyTriangle(x, from.uplo, n, from.matrix, square)
	})
}

// congruence multiplies a square matrix from both sides by the triangular factor of B, or by its inverse for the form
// A x = lambda B x.
func congruence(x *execution, a *routine.Args, square matrix, one int64) {
	n, uplo, b := a.Int(routine.N), value(a, routine.Uplo), matrixAt(a, routine.B)
	solves := a.Int(routine.Itype) == routine.EformAx
	// inv(U^H) A inv(U), inv(L) A inv(L^H), U A U^H or L^H A L
	left, right := int64(0), adjointOf(a.Routine.Type)
	if (uplo == upper) == solves {
		left, right = right, left
	}
	for side, op := range []int64{left, right} {
		name, args := "cublas<t>trsm_v2", ints(int64(side), uplo, op, nonUnit, n, n, one, b.at, b.ld, square.at, n)
		if !solves {
			name, args = "cublas<t>trmm_v2", append(args, square.at, n)
		}
		x.blas(name, args...)
	}
}

// steqr is sterf, steqr or stedc, of a dense matrix with a lower triangle.
func steqr(x *execution) {
	a, n := x.args, x.args.Int(routine.N)
	job, vectors := value(a, routine.Evect), diagonals(x, a, false)
	x.solve(solverCall{name: "cusolverDn<sy>evd", args: ints(job, lower, n, vectors.at, vectors.ld,
		a.Int(routine.VecD))}, x.infoOf(a))
	x.clear(a, routine.VecE)
	if job == 0 {
		return
	}
	c := matrixAt(a, routine.C)
	if a.Int(routine.Evect) == routine.EvectOriginal && n > 1 { // the library does not multiply a C of order 1
		replaceByProduct(x, c, n, n, n, factor{c, 0}, factor{vectors, 0})
	} else {
		copyMatrix(x, c, vectors, n, n)
	}
}
