package nvidia

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// cuSOLVER has reflections only as QR stores them: in columns, the first one in the first column. LQ stores them in
// rows, which are the columns of the adjoint matrix. QL stores the last one in the last column: with rows and columns
// in reverse order, it is QR. RQ is both.

// reflections says how a routine stores reflections.
type reflections struct{ inRows, backward bool }

var (
	qrOrder = reflections{}
	qlOrder = reflections{backward: true}
	lqOrder = reflections{inRows: true}
	rqOrder = reflections{inRows: true, backward: true}
)

// likeQR reports whether cuSOLVER stores the reflections in the same way.
func (o reflections) likeQR() bool { return o == qrOrder }

// shape returns the rows and columns of an m x n matrix as QR has it.
func (o reflections) shape(m, n int64) (rows, columns int64) {
	if o.inRows {
		return n, m
	}
	return m, n
}

// sized returns an m x n matrix without an address as QR has it.
func (o reflections) sized(a matrix, m, n int64) matrix {
	if o.likeQR() {
		return matrix{0, a.ld}
	}
	rows, _ := o.shape(m, n)
	return matrix{0, rows}
}

// copies returns the workspace in which matrices of so many elements, with k reflections, are arranged.
func (o reflections) copies(t routine.Type, elements, k int64) []driver.Buffer {
	size := uint64(t.Size())
	var list []driver.Buffer
	if !o.likeQR() {
		list = append(list, driver.Buffer{ID: buffer.ReorderedMatrix, Bytes: uint64(elements) * size})
	}
	if o.backward {
		list = append(list, driver.Buffer{ID: buffer.ReversedMatrix, Bytes: uint64(elements) * size},
			driver.Buffer{ID: buffer.ReflectionScalars, Bytes: uint64(k) * size})
	}
	return list
}

// arrangeBuffers are those of copies.
var arrangeBuffers = []buffer.ID{buffer.ReorderedMatrix, buffer.ReversedMatrix, buffer.ReflectionScalars}

// arrange returns an m x n matrix as QR has it: itself, or a copy in the workspace.
func (x *execution) arrange(o reflections, a matrix, m, n int64) (matrix, error) {
	if o.likeQR() {
		return a, nil
	}
	rows, columns := o.shape(m, n)
	arranged := matrix{x.work(buffer.ReorderedMatrix).Ptr, rows}
	var err error
	if o.inRows {
		err = x.adjoint(arranged, a, rows, columns)
	} else {
		err = x.copyMatrix(arranged, a, rows, columns)
	}
	if err != nil || !o.backward {
		return arranged, err
	}
	reversed := matrix{x.work(buffer.ReversedMatrix).Ptr, rows}
	return reversed, x.reverse(reversed.at, arranged.at, rows*columns)
}

// restore is the inverse of arrange: it stores the arranged m x n matrix in a.
func (x *execution) restore(o reflections, arranged, a matrix, m, n int64) error {
	if o.likeQR() {
		return nil
	}
	if o.backward {
		forward := matrix{x.work(buffer.ReorderedMatrix).Ptr, arranged.ld}
		if err := x.reverse(forward.at, arranged.at, m*n); err != nil {
			return err
		}
		arranged = forward
	}
	if o.inRows {
		return x.adjoint(a, arranged, m, n)
	}
	return x.copyMatrix(a, arranged, m, n)
}

// scalarsLikeQR returns where the scalars of reflections are, or will be, in QR's order.
func (x *execution) scalarsLikeQR(o reflections, tau driver.Ptr) driver.Ptr {
	if o.backward {
		return x.work(buffer.ReflectionScalars).Ptr
	}
	return tau
}

// arrangeScalars returns the scalars of k reflections in QR's order.
func (x *execution) arrangeScalars(o reflections, tau driver.Ptr, k int64) (driver.Ptr, error) {
	arranged := x.scalarsLikeQR(o, tau)
	if !o.backward {
		return arranged, nil
	}
	return arranged, x.reverse(arranged, tau, k)
}

// restoreScalars is the inverse of arrangeScalars.
func (x *execution) restoreScalars(o reflections, arranged, tau driver.Ptr, k int64) error {
	if !o.backward {
		return nil
	}
	return x.reverse(tau, arranged, k)
}

// adjoint stores the conjugate transpose of a matrix, which has the given rows and columns.
func (x *execution) adjoint(to, from matrix, rows, columns int64) error {
	one, zero, err := x.setOneAndZero()
	if err != nil {
		return err
	}
	return x.blas("geam", x.h.cublas, adjointOf(x.args.Routine.Type), 0, uintptr(rows), uintptr(columns), one,
		uintptr(from.at), uintptr(from.ld), zero, uintptr(to.at), uintptr(to.ld), uintptr(to.at), uintptr(to.ld))
}

// adjointOf returns cuBLAS's operation of the conjugate transpose.
func adjointOf(t routine.Type) uintptr {
	if t.IsComplex() {
		return 2
	}
	return 1
}

// copyMatrix copies the given rows and columns of a matrix.
func (x *execution) copyMatrix(to, from matrix, rows, columns int64) error {
	size := x.args.Routine.Type.Size()
	return x.Copy2D(x.stream, to.at, uint64(to.ld*size), from.at, uint64(from.ld*size), uint64(rows*size),
		uint64(columns))
}

// reverse copies adjacent elements in reverse order.
func (x *execution) reverse(to, from driver.Ptr, elements int64) error {
	return x.blas("copy_v2_64", x.h.cublas, uintptr(elements), uintptr(from), 1, uintptr(to), ^uintptr(0))
}
