// Package buffer names the pieces of workspace that calls use.
//
// A size rule says how many bytes each buffer of a call has, and the kernel of the routine reads the buffer under the
// same name. A family of routines declares the buffers that its calls may use; a name that it does not declare is an
// error in the program, which tests and kernels report.
package buffer

import (
	"fmt"
	"slices"
)

// Purpose returns what the buffer is for, in a few words: "copy of B".
func (id ID) Purpose() string { return purposes[id] }

// String returns the purpose.
func (id ID) String() string { return id.Purpose() }

// Set is a set of buffers. The zero value is empty.
type Set struct{ bits [(Count + 63) / 64]uint64 }

// SetOf returns the set of the given buffers.
func SetOf(list ...ID) (s Set) {
	for _, id := range list {
		s.bits[id/64] |= 1 << (id % 64)
	}
	return s
}

// Has reports whether the set contains a buffer.
func (s *Set) Has(id ID) bool { return s.bits[id/64]>>(id%64)&1 != 0 }

// Join returns the buffers of several lists in one list, each once. Families use it to include the buffers of the
// building blocks that they share.
func Join(lists ...[]ID) []ID {
	var joined []ID
	for _, list := range lists {
		for _, id := range list {
			if !slices.Contains(joined, id) {
				joined = append(joined, id)
			}
		}
	}
	return joined
}

func init() {
	for id := range Count {
		if purposes[id] == "" {
			panic(fmt.Sprintf("hip/routine/buffer: buffer %d has no purpose", id))
		}
	}
}
