package nvidia

import (
	"slices"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// reductionMethods are reductions to bidiagonal, tridiagonal and standard form, and factorizations of symmetric
// matrices.
var reductionMethods = map[routine.FamilyID]method{
	routine.Gebrd: bidiagonalMethod,
	routine.Gebd2: bidiagonalMethod,
	routine.Sytrd: tridiagonalMethod,
	routine.Sytd2: tridiagonalMethod,
	routine.Sytrf: indefiniteMethod,
	routine.Sytf2: indefiniteMethod,
	routine.Sygst: standardMethod,
	routine.Sygs2: standardMethod,
}

var (
	bidiagonalMethod = method{needs: bidiagonalNeeds, run: (*execution).gebrd,
		buffers: slices.Concat(scratchBuffers, arrangeBuffers),
		by:      by("cusolverDn<t>gebrd, for the adjoint matrix if it has more columns than rows")}

	tridiagonalMethod = denseMethod("cusolverDn<sy>trd", func(a *routine.Args) denseCall {
		m := matrixAt(a, routine.A)
		return denseCall{name: hermitian(a.Routine.Type, "sytrd"), args: words(enum(a, routine.Fill, routine.Uplo),
			a.Int(routine.N), int64(m.at), m.ld, pointer(a, routine.VecD), pointer(a, routine.VecE),
			pointer(a, routine.Tau))}
	})

	indefiniteMethod = denseMethod("cusolverDn<t>sytrf", func(a *routine.Args) denseCall {
		m := matrixAt(a, routine.A)
		return denseCall{name: functionName(a.Routine.Type, "sytrf", ""),
			args: words(enum(a, routine.Fill, routine.Uplo), a.Int(routine.N), int64(m.at), m.ld,
				pointer(a, routine.Ipiv)),
			sizedBy: words(a.Int(routine.N), 0, m.ld)}
	})

	standardMethod = method{needs: standardNeeds, run: (*execution).sygst,
		buffers: []buffer.ID{buffer.SquareCopy, buffer.ReorderedMatrix, buffer.PackedTriangle, buffer.One},
		by:      by("cublas<t>trsm_v2 or trmm_v2 for a copy of both triangles of A")}
)

// bidiagonalOrder is how gebrd has a matrix: cuSOLVER needs as many rows as columns.
func bidiagonalOrder(a *routine.Args) reflections {
	return reflections{inRows: a.Int(routine.M) < a.Int(routine.N)}
}

// bidiagonalCall is gebrd of an arranged matrix. The adjoint's rows are the columns of the matrix.
func bidiagonalCall(a *routine.Args, arranged matrix) denseCall {
	o := bidiagonalOrder(a)
	rows, columns := o.shape(a.Int(routine.M), a.Int(routine.N))
	left, right := pointer(a, routine.TauQ), pointer(a, routine.TauP)
	if o.inRows {
		left, right = right, left
	}
	return denseCall{name: functionName(a.Routine.Type, "gebrd", ""),
		args: words(rows, columns, int64(arranged.at), arranged.ld, pointer(a, routine.VecD), pointer(a, routine.VecE),
			left, right),
		sizedBy: words(rows, columns)}
}

func bidiagonalNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	m, n, t := a.Int(routine.M), a.Int(routine.N), a.Routine.Type
	bytes, err := d.scratchOf(t, bidiagonalCall(a, matrix{}))
	list := scratchNeeds(bytes)
	list.Buffers = append(list.Buffers, bidiagonalOrder(a).copies(t, m*n, 0)...)
	return list, err
}

func (x *execution) gebrd() error {
	return x.problems(func(a *routine.Args) error {
		o, from, m, n := bidiagonalOrder(a), matrixAt(a, routine.A), a.Int(routine.M), a.Int(routine.N)
		arranged, err := x.arrange(o, from, m, n)
		if err != nil {
			return err
		}
		if err := x.dense(bidiagonalCall(a, arranged), x.work(buffer.Info).Ptr); err != nil {
			return err
		}
		return x.restore(o, arranged, from, m, n)
	})
}

func standardNeeds(_ *device, a *routine.Args) (driver.Needs, error) {
	n, size := uint64(max(0, a.Int(routine.N))), uint64(a.Routine.Type.Size())
	return needs(
		driver.Buffer{ID: buffer.SquareCopy, Bytes: n * n * size},
		driver.Buffer{ID: buffer.ReorderedMatrix, Bytes: n * n * size},
		driver.Buffer{ID: buffer.PackedTriangle, Bytes: n * (n + 1) / 2 * size},
		driver.Buffer{ID: buffer.One, Bytes: size},
	), nil
}

// sygst computes in a copy of A with both triangles, which it gets by a product with the identity.
func (x *execution) sygst() error {
	if err := x.writeOne(); err != nil {
		return err
	}
	return x.problems(func(a *routine.Args) error {
		n, square := a.Int(routine.N), x.work(buffer.SquareCopy).Ptr
		identity := x.work(buffer.ReorderedMatrix).Ptr
		if err := x.identity(identity, n, n); err != nil {
			return err
		}
		one, zero, err := x.setOneAndZero()
		if err != nil {
			return err
		}
		from := matrixAt(a, routine.A)
		product := "symm_v2"
		if a.Routine.Type.IsComplex() {
			product = "hemm_v2"
		}
		err = x.blas(product, x.h.cublas, 0, uintptr(enum(a, routine.Fill, routine.Uplo)), uintptr(n), uintptr(n), one,
			uintptr(from.at), uintptr(from.ld), uintptr(identity), uintptr(n), zero, uintptr(square), uintptr(n))
		if err != nil {
			return err
		}
		if err := x.congruence(a, square, one); err != nil {
			return err
		}
		return x.copyTriangle(square, n, from.at, from.ld)
	})
}

// congruence multiplies a square matrix from both sides by the triangular factor of B, or by its inverse for the form
// A x = lambda B x.
func (x *execution) congruence(a *routine.Args, square driver.Ptr, one uintptr) error {
	n, uplo, factor := uintptr(a.Int(routine.N)), uintptr(enum(a, routine.Fill, routine.Uplo)), matrixAt(a, routine.B)
	adjoint := adjointOf(a.Routine.Type)
	upper := uplo == 1
	solves := a.Int(routine.Itype) == routine.EformAx
	// inv(U^H) A inv(U), inv(L) A inv(L^H), U A U^H or L^H A L
	left, right := uintptr(0), adjoint
	if upper == solves {
		left, right = adjoint, 0
	}
	for side, op := range []uintptr{left, right} {
		args := []uintptr{x.h.cublas, uintptr(side), uplo, op, 0, n, n, one, uintptr(factor.at), uintptr(factor.ld),
			uintptr(square), n}
		name := "trsm_v2"
		if !solves {
			name, args = "trmm_v2", append(args, uintptr(square), n)
		}
		if err := x.blas(name, args...); err != nil {
			return err
		}
	}
	return nil
}
