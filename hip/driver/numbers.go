package driver

import (
	"strings"

	"roclua/hip/routine"
)

// NumberSearcher is a Device that searches arrays for NaN, zeros, infinities and denormal numbers, as rocBLAS does with
// ROCBLAS_CHECK_NUMERICS.
type NumberSearcher interface {
	// SearchNumbers queues a search of one array of a call in stream order. It writes a byte for each kind of number to
	// found, in the order of Numbers: 1 for a kind that the array has. Bytes of other kinds stay as they are.
	SearchNumbers(s Stream, a *routine.Args, array *routine.Param, found Ptr) error
}

// Numbers are the kinds of numbers that an array has.
type Numbers struct{ NaN, Zero, Inf, Denormal bool }

// NumbersBytes are the bytes that a search writes.
const NumbersBytes = 4

// Put adds the kinds to the bytes of a search.
func (n Numbers) Put(b []byte) {
	for i, has := range n.list() {
		if has {
			b[i] = 1
		}
	}
}

// NumbersOf returns the kinds from the bytes of a search.
func NumbersOf(b []byte) Numbers { return Numbers{b[0] != 0, b[1] != 0, b[2] != 0, b[3] != 0} }

func (n Numbers) list() [NumbersBytes]bool { return [...]bool{n.NaN, n.Zero, n.Inf, n.Denormal} }

// String returns the kinds: "NaN, infinity"; "nothing" for none.
func (n Numbers) String() string {
	var names []string
	for i, has := range n.list() {
		if has {
			names = append(names, [...]string{"NaN", "zero", "infinity", "denormal number"}[i])
		}
	}
	if names == nil {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
