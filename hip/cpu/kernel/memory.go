package kernel

import (
	"fmt"
	"unsafe"

	"roclua/hip/cpu/blas"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// This file is the only one that converts bytes of the device into typed slices. Device addresses are aligned at least
// as the libraries' own kernels need it.

func sizeOf[E any]() int64 {
	var e E
	return int64(unsafe.Sizeof(e))
}

// slice returns n elements at a device address.
func slice[E any, T blas.Number](p *problem[T], at uint64, n int64) []E {
	if n <= 0 {
		return nil
	}
	raw, err := p.mem.Bytes(at, n*sizeOf[E]())
	if err != nil {
		panic(failure{err})
	}
	return unsafe.Slice((*E)(unsafe.Pointer(&raw[0])), n)
}

// apart reports whether two slices do not overlap.
func apart[T any](x, y []T) bool {
	if len(x) == 0 || len(y) == 0 {
		return true
	}
	after := func(x, y []T) bool { return uintptr(unsafe.Pointer(&x[0])) > uintptr(unsafe.Pointer(&y[len(y)-1])) }
	return after(x, y) || after(y, x)
}

// base returns the address of an array of this problem: the argument itself, an element of the batch's array of
// pointers, or the argument and a number of strides.
func (p *problem[T]) base(param *routine.Param) uint64 {
	at := p.args.Ptr(param.Slot)
	switch {
	case param.Kind == routine.ArrayOfArrays:
		pointers := slice[uint64](p, at+uint64(p.index)*8, 1)
		return pointers[0]
	case p.index == 0:
		return at
	}
	return at + uint64(p.index*p.stride(param)*p.args.ElementBytes(param))
}

// stride returns the elements between two problems' arrays: the argument, or the length of an array without a stride,
// such as info.
func (p *problem[T]) stride(param *routine.Param) int64 {
	if q, ok := p.args.Routine.Companion(param.Slot, routine.Stride); ok {
		return p.args.Int(q.Slot)
	}
	return param.Rows.Of(p.args)
}

// leading returns the leading dimension of a matrix argument.
func (p *problem[T]) leading(s routine.Slot) int {
	q, ok := p.args.Routine.Companion(s, routine.LeadingDimension)
	if !ok {
		return 0
	}
	return p.int(q.Slot)
}

// array returns n elements of an array argument of this problem.
func array[E any, T blas.Number](p *problem[T], s routine.Slot, n int64) []E {
	param, ok := p.args.Routine.ParamAt(s)
	if !ok || n <= 0 {
		return nil
	}
	at := p.base(param)
	return slice[E](p, at, n)
}

// matrix returns a matrix argument of rows x cols: its columns are a leading dimension apart, and the last one ends
// with its last row.
func (p *problem[T]) matrix(s routine.Slot, rows, cols int) blas.Matrix[T] {
	ld := p.leading(s)
	if rows <= 0 {
		return blas.Matrix[T]{LD: max(ld, 1)}
	}
	return blas.Matrix[T]{Data: array[T](p, s, int64(ld)*int64(cols-1)+int64(rows)), LD: ld}
}

// vector returns a vector argument of n elements.
func (p *problem[T]) vector(s, inc routine.Slot, n int) blas.Vector[T] {
	step := p.int(inc)
	return blas.Vector[T]{Data: array[T](p, s, int64(n-1)*int64(max(step, -step))+1), N: n, Inc: step}
}

// work returns the memory of a buffer as elements of a type; it is empty if the call does not have the buffer. It
// panics if the family does not declare the buffer.
func work[E any, T blas.Number](p *problem[T], id buffer.ID) []E {
	if f := p.args.Routine.Family; !f.Uses(id) {
		panic(fmt.Sprintf("hip/cpu/kernel: %s does not declare the buffer %q, which its kernel uses", f.Name, id))
	}
	span := p.launch.Buffer(id)
	if span.Bytes == 0 {
		return nil
	}
	return slice[E](p, uint64(span.Ptr), int64(span.Bytes)/sizeOf[E]())
}

// workFor returns this problem's share of a buffer, which has room for the given elements of each problem; nil if it is
// too small.
func workFor[E any, T blas.Number](p *problem[T], id buffer.ID, elements int) []E {
	all := work[E](p, id)
	from := int(p.index) * elements
	if from+elements > len(all) {
		return nil
	}
	return all[from : from+elements : from+elements]
}

// neededFor is workFor for a buffer without which the kernel cannot compute.
func neededFor[E any, T blas.Number](p *problem[T], id buffer.ID, elements int) []E {
	share := workFor[E](p, id, elements)
	if share == nil {
		p.fail("%s has no workspace for the %s", p.args.Routine.CName(), id.Purpose())
	}
	return share
}

// adjacent returns the elements of a vector argument in order.
func (p *problem[T]) adjacent(s, inc routine.Slot, n int) []T {
	return p.vector(s, inc, n).Adjacent()
}
