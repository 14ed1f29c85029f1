package verify

import (
	"roclua/hip/routine"
	"roclua/workspace/sequence"
)

// group is a set of operations compared together: a query, a call or a sequence.
type group struct {
	kind    Kind
	family  string // "" for sequences
	routine *routine.Routine
	call    *sequence.Call // nil for sequences
	seed    uint64         // of a sequence
	ops     []*sequence.Operation
}

// disagreement is an operation with different results.
type disagreement struct {
	op         *sequence.Operation
	want, have string // results of the model and of the library
}

// replies are the results of the library by operation number. An operation that did not return has no result.
type replies struct {
	ops     []*sequence.Operation
	results map[int]sequence.Result
	handle  *disagreement // the memory of a new handle differs; nil if it does not
}
