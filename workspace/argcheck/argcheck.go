// Package argcheck decides about the calls that end before any memory is allocated: arguments that the libraries
// refuse, and calls that have nothing to compute.
//
// What is checked, in which order, and where a size query stops checking is data: one ordered list of rules per family
// of routines, in a table by family. The rule that refuses an argument also explains it in words. The lists follow the
// published source of rocBLAS and rocSOLVER and agree with every recorded result of the real libraries of ROCm 6.4 and
// 7.2. One rule depends on the release: see Mode.
package argcheck

import (
	"roclua/hip/routine"
	"roclua/workspace/status"
)

// Mode is the state of the handle of a call, as far as checks depend on it.
type Mode struct {
	Query          bool // between start and stop of a device-memory size query
	DevicePointers bool // rocblas_pointer_mode_device: alpha, beta and results lie in device memory

	// SymmetricOfAnyOrder is that of the release, the only one of its behaviors on which a rule depends.
	SymmetricOfAnyOrder bool
}

// Effect is what a call that ends without computing still does.
type Effect uint8

const (
	// None means that nothing happens, or that the call continues.
	None Effect = iota
	// ZeroResult means that the result of a reduction without elements is stored as zero, one for each problem of the
	// batch.
	ZeroResult
	// Crash means that the library reads a null pointer here and the process crashes. The status of the call is then
	// invalid_pointer, the one for a missing pointer.
	Crash
	// WithoutWorkspace means that the call continues but needs no memory, and a size query returns the status: a
	// triangular solve with a host alpha of 0 sets B to zero, even inside a query.
	WithoutWorkspace
)

// Check checks the arguments of a call on a valid handle. done means that the call ends here with st: an error,
// success or, in a size query, size_unchanged because there is nothing to compute. Otherwise the call continues: a
// query returns the bytes that the routine needs, an executed call allocates them and runs, unless the effect is
// WithoutWorkspace.
//
// In device pointer mode the caller calls Fetches first and stores the values that it names in a.Scalar.
func Check(a *routine.Args, mode Mode) (st status.Status, effect Effect, done bool) {
	if r, _ := first(rulesOf(a).byMode[mode.index()], a.Received()); r != nil {
		return r.status, r.effect, r.effect != WithoutWorkspace
	}
	return status.Success, None, false
}

// Limits checks an executed call once its memory is allocated: the 64-bit forms take some dimensions for which they
// have no kernels, and return invalid_size only then.
func Limits(a *routine.Args) (st status.Status, done bool) {
	if r, _ := first(rulesOf(a).allocated, a); r != nil {
		return r.status, true
	}
	return status.Success, false
}

// Fetches reports which scalars the library copies to the host before it checks a call, each with a copy and a wait for
// the stream. It does so only in device pointer mode and in level 3, and not if the call ends before, as most queries
// do.
func Fetches(a *routine.Args, mode Mode) (alpha, beta bool) {
	f := &rulesOf(a).fetches[mode.index()]
	if f.alpha == nil {
		return false, false
	}
	if r, _ := first(f.after, a); r != nil {
		return false, false
	}
	return f.alpha(a), f.beta(a)
}

// Explain says why Check or Limits ends the call, with the argument, its value and what is expected: "lda is 3, must be
// at least max(1, m) = 8". It is empty for a call that continues.
func Explain(a *routine.Args, mode Mode) string {
	rules, received := rulesOf(a), a.Received()
	r, c := first(rules.byMode[mode.index()], received)
	if r == nil && !mode.Query {
		r, c = first(rules.allocated, received)
	}
	switch {
	case r == nil || r.effect == WithoutWorkspace:
		return ""
	case received != a:
		return c.message(received) + ", in the lower 32 bits of the arguments, which the library uses alone"
	case r.effect == Crash:
		return c.message(a) + ", and the library reads it unchecked: the process crashes"
	}
	return c.message(a)
}

// first returns the first rule that ends a call, and its condition that holds. The loop repeats condition.holds, which
// is too large to be inlined.
func first(rules []rule, a *routine.Args) (*rule, *condition) {
	for i := range rules {
		r := &rules[i]
		for j := range r.any {
			c := &r.any[j]
			if c.signs == 0 && c.test(a) || c.signs.include(a.Int(c.slot)) {
				return r, c
			}
		}
	}
	return nil, nil
}
