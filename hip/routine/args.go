package routine

import (
	"math"
	"slices"
	"sync/atomic"
)

// Host marks a Scalar or Output argument as present in host memory: the value itself is in Args.Scalar, and the call
// returns the result.
const Host = 1

// NumberBytes are the bytes of memory for each number that a call returns in host memory: see Param.IsNumber.
const NumberBytes = 16

// marks is the number of marks so far.
var marks atomic.Uint64

// Mark makes Equal fast for copies, until the arguments or the copy is changed: it reads one number instead of all
// arguments, which are far apart in memory.
func (a *Args) Mark() {
	if a.mark == 0 {
		a.mark = marks.Add(1)
	}
}

func (a *Args) set(s Slot, v int64) { a.mark, a.values[s] = 0, v }

// New returns arguments for r, all zero: null pointers and zero sizes.
func (r *Routine) New() *Args { return &Args{Routine: r} }

// Reset makes a the arguments that New returns.
func (a *Args) Reset(r *Routine) {
	a.Routine, a.mark = r, 0
	clear(a.values[:])
	clear(a.scalars[:])
}

// CopyFrom makes a the same call as b. It is faster than = if a was a call of the same routine.
func (a *Args) CopyFrom(b *Args) {
	if a.Routine != b.Routine {
		*a = *b
		return
	}
	a.mark, a.scalars = b.mark, b.scalars
	for _, s := range b.Routine.places.slots {
		a.values[s] = b.values[s]
	}
}

// Equal reports whether two lists of arguments are the same call. It is faster than ==.
func (a *Args) Equal(b *Args) bool {
	if a.mark != 0 && a.mark == b.mark {
		return true
	}
	if a.Routine != b.Routine || a.scalars != b.scalars {
		return false
	}
	for _, s := range a.Routine.places.slots {
		if a.values[s] != b.values[s] {
			return false
		}
	}
	return true
}

// Int returns an integer or enumeration.
func (a *Args) Int(s Slot) int64 { return a.values[s] }

// SetInt sets an integer or enumeration.
func (a *Args) SetInt(s Slot, v int64) { a.set(s, v) }

// Ptr returns an address; 0 is null.
func (a *Args) Ptr(s Slot) uint64 { return uint64(a.values[s]) }

// SetPtr sets an address.
func (a *Args) SetPtr(s Slot, p uint64) { a.set(s, int64(p)) }

// Real returns a floating-point number that is passed by value.
func (a *Args) Real(s Slot) float64 { return math.Float64frombits(uint64(a.values[s])) }

// SetReal sets a floating-point number that is passed by value. It is kept in double precision for every type of
// routine.
func (a *Args) SetReal(s Slot, v float64) { a.set(s, int64(math.Float64bits(v))) }

// Null reports whether a pointer argument is null.
func (a *Args) Null(s Slot) bool { return a.values[s] == 0 }

// Scalar returns the value of a scalar as far as the host knows it: a host scalar, or one that was fetched from the
// device.
func (a *Args) Scalar(s Slot) complex128 { return a.scalars[ScalarIndex(s)] }

// SetScalar sets a scalar to a host value.
func (a *Args) SetScalar(s Slot, v complex128) {
	a.set(s, Host)
	a.SetFetched(s, v)
}

// SetFetched records the value at the device address of a scalar, for code that needs it in device pointer mode too.
// The address stays.
func (a *Args) SetFetched(s Slot, v complex128) { a.mark, a.scalars[ScalarIndex(s)] = 0, v }

// Received returns the arguments as the library's code receives them. They are a, unless the routine is a 64-bit form
// that calls the 32-bit code, which receives the lower halves of larger integers.
func (a *Args) Received() *Args {
	if f := a.Routine.Family; !f.narrowBatched || !a.Routine.Wide || a.Routine.Variant != Batched {
		return a
	}
	received := *a
	for i := range a.Routine.Params {
		if p := &a.Routine.Params[i]; p.Kind == Int32 {
			received.values[p.Slot] = int64(int32(a.values[p.Slot]))
		}
	}
	if received == *a {
		return a
	}
	received.mark = 0
	return &received
}

// ArrayAddress returns an address for an array: the arrays of a planned call are not null and do not overlap.
func ArrayAddress(s Slot) uint64 { return uint64(1+s) << 40 }

// PlaceResult gives the result D of a planned product an address: C's if both have the same layout, because
// applications and rocblas-bench let the result replace C. Other calls have no D.
func (a *Args) PlaceResult() {
	if !a.Routine.Has(LDD) {
		return
	}
	address := a.Ptr(C)
	if a.Int(LDC) != a.Int(LDD) || a.Int(StrideC) != a.Int(StrideD) || a.Int(CType) != a.Int(DType) {
		address = ArrayAddress(D)
	}
	a.SetPtr(D, address)
}

// Batch returns the number of problems: batch_count, or 1 for a plain routine.
func (a *Args) Batch() int64 {
	if a.Routine.Variant == Plain {
		return 1
	}
	return a.values[BatchCount]
}

// Empty reports whether a rocSOLVER call has nothing to compute because a dimension, the batch count or the number
// of rotations is 0. Such a call succeeds. It reads no arrays, and writes those that Zeroed reports.
func (a *Args) Empty() bool {
	if a.Routine.Library != RocSOLVER {
		return false
	}
	for _, s := range [...]Slot{M, N, NRHS, BatchCount} {
		if a.Routine.Has(s) && a.Int(s) == 0 {
			return true
		}
	}
	return slices.ContainsFunc(a.Routine.Family.idle, func(e Extent) bool { return e.Of(a) == 0 })
}

// Zeroed reports whether an empty call sets an array to zeros: a result of one element, such as info or the number of
// eigenvalues, unless the library leaves it, or the solution of a system without equations or unknowns.
func (a *Args) Zeroed(p *Param) bool {
	f := a.Routine.Family
	return p.Access == Out && p.Rows.Text == length1.Text && !slices.Contains(f.leaves, p.Slot) ||
		slices.Contains(f.zeroes, p.Slot)
}

// LaunchesNothing reports whether a rocSOLVER call is empty and sets nothing to zeros either.
func (a *Args) LaunchesNothing() bool {
	if !a.Empty() {
		return false
	}
	zeroed := func(p Param) bool { return a.Zeroed(&p) }
	return a.Batch() == 0 || !slices.ContainsFunc(a.Routine.Params, zeroed)
}
