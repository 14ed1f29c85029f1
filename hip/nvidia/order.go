package nvidia

import (
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// cuSOLVER has reflections only as QR stores them: in columns, the first one in the first column. LQ stores them in
// rows, which are the columns of the adjoint matrix. QL stores the last one in the last column: with rows and columns
// in reverse order, it is QR. RQ is both.

// order says how a routine stores reflections.
type order struct{ inRows, backward bool }

var (
	qrOrder = order{}
	qlOrder = order{backward: true}
	lqOrder = order{inRows: true}
	rqOrder = order{inRows: true, backward: true}
)

// blockOrder returns the order that a call with a block of reflections names.
func blockOrder(a *routine.Args) order {
	return order{inRows: a.Int(routine.Storev) == routine.StorevRows,
		backward: a.Int(routine.Direct) == routine.DirectBackward}
}

// likeQR reports whether cuSOLVER stores the reflections in the same way.
func (o order) likeQR() bool { return o == qrOrder }

// shape returns the rows and columns of an m x n matrix as QR has it.
func (o order) shape(m, n int64) (rows, columns int64) {
	if o.inRows {
		return n, m
	}
	return m, n
}

// sized returns an m x n matrix without an address as QR has it.
func (o order) sized(a matrix, m, n int64) matrix {
	if o.likeQR() {
		return matrix{0, a.ld}
	}
	rows, _ := o.shape(m, n)
	return matrix{0, rows}
}

// arrangeBuffers are the buffers of copies.
var arrangeBuffers = []buffer.ID{buffer.ReorderedMatrix, buffer.ReversedMatrix, buffer.ReflectionScalars}

// copies returns the workspace to arrange matrices of so many elements with k reflections.
func (o order) copies(t routine.Type, count, k int64) []driver.Buffer {
	var list []driver.Buffer
	if !o.likeQR() {
		list = append(list, elements(buffer.ReorderedMatrix, t, count))
	}
	if o.backward {
		list = append(list, elements(buffer.ReversedMatrix, t, count), elements(buffer.ReflectionScalars, t, k))
	}
	return list
}

// arrange returns an m x n matrix as QR has it: itself, or a copy in the workspace.
func (o order) arrange(x *execution, a matrix, m, n int64) matrix {
	if o.likeQR() {
		return a
	}
	rows, columns := o.shape(m, n)
	arranged, copied := matrix{x.at(buffer.ReorderedMatrix), rows}, copyMatrix
	if o.inRows {
		copied = adjoint
	}
	copied(x, arranged, a, rows, columns)
	if !o.backward {
		return arranged
	}
	reversed := matrix{x.at(buffer.ReversedMatrix), rows}
	reverse(x, reversed.at, arranged.at, rows*columns)
	return reversed
}

// restore is the inverse of arrange: it stores the arranged m x n matrix in a.
func (o order) restore(x *execution, arranged, a matrix, m, n int64) {
	if o.backward {
		forward := matrix{x.at(buffer.ReorderedMatrix), arranged.ld}
		reverse(x, forward.at, arranged.at, m*n)
		arranged = forward
	}
	switch {
	case o.inRows:
		adjoint(x, a, arranged, m, n)
	case o.backward:
		copyMatrix(x, a, arranged, m, n)
	}
}

// scalarsLikeQR returns where the scalars of reflections are, or will be, in QR's order.
func (o order) scalarsLikeQR(x *execution, tau int64) int64 {
	if o.backward {
		return x.at(buffer.ReflectionScalars)
	}
	return tau
}

// arrangeScalars returns the scalars of k reflections in QR's order.
func (o order) arrangeScalars(x *execution, tau, k int64) int64 {
	arranged := o.scalarsLikeQR(x, tau)
	if o.backward {
		reverse(x, arranged, tau, k)
	}
	return arranged
}

// restoreScalars is the inverse of arrangeScalars.
func (o order) restoreScalars(x *execution, arranged, tau, k int64) {
	if o.backward {
		reverse(x, tau, arranged, k)
	}
}
