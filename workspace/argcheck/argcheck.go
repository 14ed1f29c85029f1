// Package argcheck answers the calls that end before any memory is asked for: arguments that the libraries refuse, and
// calls that have nothing to compute. What is checked, in which order, and where a size query stops checking is data,
// one ordered list of rules per family of routines; the same rule that refuses an argument says why in words.
//
// The lists follow the published source of rocBLAS and rocSOLVER and were compared with the answers of the real
// libraries of ROCm 6.4 and 7.2, which agree in every one: no rule depends on the release.
package argcheck

import (
	"roclua/hip/routine"
	"roclua/workspace/status"
)

// Mode is the state of the handle that a call is made on, as far as checks depend on it.
type Mode struct {
	Query          bool // between start and stop of a device-memory size query
	DevicePointers bool // rocblas_pointer_mode_device: alpha, beta and results lie in device memory
}

// Effect is what a call that ends without computing still does.
type Effect uint8

const (
	// None means that nothing happens, or that the call goes on.
	None Effect = iota
	// ZeroResult means that the result of a reduction of nothing is stored as zero, one for each problem of the batch.
	ZeroResult
	// Crash means that the library reads a null pointer here and takes the process with it; the status that comes with
	// it, invalid_pointer, is the one that a missing pointer deserves.
	Crash
	// Unborrowed means that the call goes on, but asks for no memory, and a size query is answered with the status: a
	// triangular solve with a host alpha of 0 sets B to zero, even inside a query.
	Unborrowed
)

// Check decides what becomes of a call on a valid handle. done means that the call ends here with st: an error, success
// or, in a size query, size_unchanged because there is nothing to compute. Otherwise the call goes on: a query is
// answered with the bytes the routine needs, an executed call borrows them and runs, unless the effect is Unborrowed.
//
// In device pointer mode the caller first asks Fetches; the values it names must be in a.Scalar.
func Check(a *routine.Args, mode Mode) (st status.Status, effect Effect, done bool) {
	if r, _ := first(rulesOf(a).bySituation[mode.index()], a); r != nil {
		return r.status, r.effect, r.effect != Unborrowed
	}
	return status.Success, None, false
}

// Limits decides about an executed call once its memory is borrowed: the 64-bit forms take some dimensions for which
// they have no kernels, and only then say invalid_size.
func Limits(a *routine.Args) (st status.Status, done bool) {
	if r, _ := first(rulesOf(a).borrowed, a); r != nil {
		return r.status, true
	}
	return status.Success, false
}

// Fetches tells which scalars the library copies to the host, each with a copy and a wait for the stream, before it
// decides about a call. It does so in device pointer mode, in level 3 alone, and not if the call ends before.
func Fetches(a *routine.Args, mode Mode) (alpha, beta bool) {
	f := &rulesOf(a).fetch
	if f.alpha == nil || mode != (Mode{DevicePointers: true}) {
		return false, false
	}
	if r, _ := first(f.after, a); r != nil {
		return false, false
	}
	return f.alpha(a), f.beta(a)
}

// Explain says in words why Check or Limits ends the call, naming argument, value and what is wanted: "lda is 3, must be
// at least max(1, m) = 8". It is empty for a call that goes on.
func Explain(a *routine.Args, mode Mode) string {
	rules := rulesOf(a)
	r, c := first(rules.bySituation[mode.index()], a)
	if r == nil && !mode.Query {
		r, c = first(rules.borrowed, a)
	}
	switch {
	case r == nil || r.effect == Unborrowed:
		return ""
	case r.effect == Crash:
		return c.says(a) + ", and the library reads it unchecked: the process dies"
	}
	return c.says(a)
}

// first finds the first rule that ends a call, and the condition that makes it do so. The loop repeats what
// condition.holds does, which is too large to be inlined.
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
