package record

import "fmt"

// ProblemsShown is how many problems of one kind a record describes. A loop in a script can cause any number of them.
const ProblemsShown = 10

// AddProblems adds n problems of one kind: it describes the first ones, and summarizes all if there are more.
func (r *Record) AddProblems(n int, describe func(i int) string, summarize func(rest int) string) {
	for i := range min(n, ProblemsShown) {
		r.Problems = append(r.Problems, describe(i))
	}
	if rest := n - ProblemsShown; rest > 0 {
		r.Problems = append(r.Problems, summarize(rest))
	}
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
	r.AddProblems(f.count, func(i int) string { return what + ": " + f.first[i].Error() },
		func(rest int) string { return fmt.Sprintf("%s: %d more; %d in all", what, rest, f.count) })
}
