package record

import (
	"errors"
	"fmt"
)

// ProblemsShown is how many problems of one kind a record describes. A loop in a script can cause any number of them.
const ProblemsShown = 10

// AddProblems adds n problems of one kind: it describes the first ones, and if there are more how many, in a format of
// the number of the others and n.
func (r *Record) AddProblems(n int, describe func(i int) string, more string) {
	for i := range min(n, ProblemsShown) {
		r.Problems = append(r.Problems, describe(i))
	}
	if rest := n - ProblemsShown; rest > 0 {
		r.Problems = append(r.Problems, fmt.Sprintf(more, rest, n))
	}
}

// Failure describes an error of something that was done at the end of a case. The fault of an earlier kernel, which the
// next call that waits for the device returns, does not belong to that call.
func Failure(what string, err error) string {
	var fault interface {
		error
		OfKernel() bool
	}
	if errors.As(err, &fault) && fault.OfKernel() {
		return "a kernel failed: " + fault.Error()
	}
	return what + ": " + err.Error()
}

// Failures are errors of one kind. It keeps the first ones and counts all.
type Failures struct {
	first []error
	count int
}

// Add adds an error if it is not nil.
func (f *Failures) Add(err error) {
	if err == nil {
		return
	}
	if f.count++; f.count <= ProblemsShown {
		f.first = append(f.first, err)
	}
}

// AddFailures adds a problem for each error.
func (r *Record) AddFailures(what string, f Failures) {
	r.AddProblems(f.count, func(i int) string { return Failure(what, f.first[i]) }, what+": %d more; %d in all")
}
