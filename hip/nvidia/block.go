package nvidia

import (
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// blockMethods apply blocks of reflections.
var blockMethods = map[routine.FamilyID]method{
	routine.Larfb: {needs: larfbNeeds, run: (*execution).larfb,
		buffers: []buffer.ID{buffer.ReorderedMatrix, buffer.SquareCopy, buffer.PackedTriangle, buffer.AppliedReflection,
			buffer.One},
		by: by("cublas<t>gemm_v2 and cublas<t>trmm_v2, with a copy of V that has its ones and zeros")},
}

// block is H = I - V T V^H, or its adjoint, of a call of larfb. V has k columns and as many rows as H.
type block struct {
	left, inRows, backward bool
	order, m, n, k         int64
}

func blockOf(a *routine.Args) block {
	b := block{left: a.Int(routine.Side) == routine.SideLeft, inRows: a.Int(routine.Storev) == routine.StorevRows,
		backward: a.Int(routine.Direct) == routine.DirectBackward,
		m:        a.Int(routine.M), n: a.Int(routine.N), k: a.Int(routine.K)}
	b.order = b.n
	if b.left {
		b.order = b.m
	}
	return b
}

func larfbNeeds(_ *device, a *routine.Args) (driver.Needs, error) {
	b, size := blockOf(a), a.Routine.Type.Size()
	return needs(
		driver.Buffer{ID: buffer.ReorderedMatrix, Bytes: uint64(b.order * b.k * size)},
		driver.Buffer{ID: buffer.SquareCopy, Bytes: uint64(b.k * b.k * size)},
		driver.Buffer{ID: buffer.PackedTriangle, Bytes: uint64(b.k * (b.k + 1) / 2 * size)},
		driver.Buffer{ID: buffer.AppliedReflection, Bytes: uint64((b.m + b.n - b.order) * b.k * size)},
		driver.Buffer{ID: buffer.One, Bytes: uint64(size)},
	), nil
}

// larfb computes A - V op(T) (V^H A) or A - (A V) op(T) V^H.
func (x *execution) larfb() error {
	a, b := x.args, blockOf(x.args)
	v, err := x.completeVectors(a, &b)
	if err != nil {
		return err
	}
	one, zero, err := x.setOneAndZero()
	if err != nil {
		return err
	}
	to, t := matrixAt(a, routine.A), matrixAt(a, routine.MatT)
	product, adjoint := matrix{x.work(buffer.AppliedReflection).Ptr, b.m}, adjointOf(a.Routine.Type)
	gemm := func(opA, opB uintptr, m, n, k int64, alpha uintptr, f, g matrix, beta uintptr, c matrix) error {
		return x.blas("gemm_v2", x.h.cublas, opA, opB, uintptr(m), uintptr(n), uintptr(k), alpha, uintptr(f.at),
			uintptr(f.ld), uintptr(g.at), uintptr(g.ld), beta, uintptr(c.at), uintptr(c.ld))
	}
	rows, columns, side := b.m, b.k, uintptr(1)
	if b.left {
		product.ld, rows, columns, side = b.k, b.k, b.n, 0
		err = gemm(adjoint, 0, b.k, b.n, b.m, one, v, to, zero, product)
	} else {
		err = gemm(0, 0, b.m, b.k, b.n, one, to, v, zero, product)
	}
	if err != nil {
		return err
	}
	uplo := uintptr(1)
	if b.backward {
		uplo = 0
	}
	err = x.blas("trmm_v2", x.h.cublas, side, uplo, enumeration(routine.Operation, a.Int(routine.TransA)), 0,
		uintptr(rows), uintptr(columns), one, uintptr(t.at), uintptr(t.ld), uintptr(product.at), uintptr(product.ld),
		uintptr(product.at), uintptr(product.ld))
	if err != nil {
		return err
	}
	number.Store(a.Routine.Type.Datatype(), x.scalars[1][:], -1)
	minus := uintptr(unsafe.Pointer(&x.scalars[1]))
	if b.left {
		return gemm(0, 0, b.m, b.n, b.k, minus, v, product, one, to)
	}
	return gemm(0, adjoint, b.m, b.n, b.k, minus, product, v, one, to)
}

// completeVectors returns a copy of V in columns with the ones and zeros that are not stored: those of the upper
// triangle of its first rows, or, backward, of the lower triangle of its last rows.
func (x *execution) completeVectors(a *routine.Args, b *block) (matrix, error) {
	if err := x.writeOne(); err != nil {
		return matrix{}, err
	}
	v, from := matrix{x.work(buffer.ReorderedMatrix).Ptr, b.order}, matrixAt(a, routine.MatV)
	var err error
	if b.inRows {
		err = x.adjoint(v, from, b.order, b.k)
	} else {
		err = x.copyMatrix(v, from, b.order, b.k)
	}
	if err != nil {
		return v, err
	}
	square, packed, k := x.work(buffer.SquareCopy).Ptr, uintptr(x.work(buffer.PackedTriangle).Ptr), uintptr(b.k)
	if err := x.identity(square, b.k, b.k); err != nil {
		return v, err
	}
	uplo, triangle := uintptr(1), v
	if b.backward {
		uplo, triangle = 0, v.from(a.Routine.Type, b.order-b.k, 0)
	}
	if err := x.blas("trttp", x.h.cublas, uplo, k, uintptr(square), k, packed); err != nil {
		return v, err
	}
	return v, x.blas("tpttr", x.h.cublas, uplo, k, packed, uintptr(triangle.at), uintptr(triangle.ld))
}
