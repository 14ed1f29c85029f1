package behavior

import (
	"sync"
	"sync/atomic"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// Mode is the state of the handle of a call, as far as checks depend on it.
type Mode struct {
	NoHandle       bool // the handle is null
	Query          bool // between start and stop of a device-memory size query
	DevicePointers bool // rocblas_pointer_mode_device: alpha, beta and results are in device memory

	// SymmetricOfAnyOrder is the behavior of the release with this name, the only one that a rule depends on.
	SymmetricOfAnyOrder bool

	// Scalars copies scalars to the host in device pointer mode. If it is nil, the arguments have their values.
	Scalars Fetcher

	// CheckNumbers checks the numbers of arrays before a call computes. It is called at its place between the checks
	// if the family does so before it allocates memory. nil checks nothing.
	CheckNumbers func() error
}

// Fetcher copies alpha and beta, or one of them, from device memory to the host, and stores their values in the
// arguments. The library does so before it checks a call of level 3.
type Fetcher interface {
	// allocates is for a call that allocates its memory before.
	FetchScalars(a *routine.Args, scalars []routine.Slot, allocates bool) error
}

// Effect is how a call continues or ends.
type Effect uint8

// The effects. Calls with an effect after AfterAllocation end before they allocate memory.
const (
	// Continues means that a size query returns the bytes that the routine needs, and that an executed call allocates
	// them and runs.
	Continues Effect = iota
	// WithoutWorkspace means that the call continues but needs no memory, and that a size query returns the status: a
	// triangular solve with a host alpha of 0 sets B to zero, even inside a query.
	WithoutWorkspace
	// AfterAllocation means that an executed call allocates its memory and then ends with the status: the 64-bit forms
	// accept some dimensions that they have no kernels for.
	AfterAllocation
	// Ends means that the call ends with the status and has no other effect.
	Ends
	// ZeroResult means that the call ends, and that the result of a reduction without elements is stored as zero, one
	// for each problem of the batch.
	ZeroResult
	// Crash means that the library reads a null pointer, and the process crashes. The status is then invalid_pointer,
	// the one for a missing pointer.
	Crash
	// Failed means that the copy of the scalars or the check of numbers failed.
	Failed
)

// Decision is how a call continues or ends.
type Decision struct {
	// Status is the status of a call that ends: an error, success or, in a size query, size_unchanged if there is
	// nothing to compute.
	Status status.Status
	Effect Effect
	Err    error // of Mode.Scalars or Mode.CheckNumbers, with the effect Failed

	Checked bool // Mode.CheckNumbers was called

	by             *condition
	args, received *routine.Args
}

// Ends reports whether the call ends before it allocates memory.
func (d *Decision) Ends() bool { return d.Effect > AfterAllocation }

// Refused reports whether the call ends with an error before it allocates memory.
func (d *Decision) Refused() bool { return d.Ends() && !d.Status.OK() }

// Reason says why the call ends, with the argument, its value and the expected one: "lda is 3, must be at least max(1,
// m) = 8". It is empty for a call that continues.
func (d *Decision) Reason() string {
	switch {
	case d.by == nil || d.Effect == WithoutWorkspace:
		return ""
	case d.received != d.args:
		return d.by.message(d.received) + ", in the lower 32 bits of the arguments, which the library uses alone"
	case d.Effect == Crash:
		return d.by.message(d.args) + ", and the library reads it unchecked: the process crashes"
	}
	return d.by.message(d.args)
}

// Decide checks the arguments of a call.
func Decide(a *routine.Args, mode Mode) Decision {
	c := &checksOf(a.Routine)[mode.index()]
	done, checked := 0, false
	for i := range c.steps {
		s := &c.steps[i]
		if !s.happens(&mode) {
			continue
		}
		if r, by := first(c.rules[done:s.after], a); r != nil {
			return Decision{Status: r.status, Effect: r.effect, Checked: checked, by: by, args: a, received: a}
		}
		if err := s.do(&mode, a); err != nil {
			return Decision{Effect: Failed, Checked: checked, Err: err}
		}
		done, checked = s.after, checked || s.numbers
	}
	received := a.Received()
	if r, by := first(c.rules[done:], received); r != nil {
		return Decision{Status: r.status, Effect: r.effect, Checked: checked, by: by, args: a, received: received}
	}
	return Decision{Checked: checked}
}

// first returns the first rule that applies to a call, and its condition that holds. The loop repeats condition.holds,
// which is too large to be inlined.
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

// byRoutine holds the checks of the routines that were called, by their index.
var byRoutine = sync.OnceValue(func() []atomic.Pointer[[modeCount]checks] {
	return make([]atomic.Pointer[[modeCount]checks], routine.Count())
})

// checksOf returns the checks of a routine in each mode. They are built when the routine is first called, because the
// table has many more routines than a program calls.
func checksOf(r *routine.Routine) *[modeCount]checks {
	if c := byRoutine()[r.Index].Load(); c != nil {
		return c
	}
	return build(r)
}

func build(r *routine.Routine) *[modeCount]checks {
	built := byMode(r, familyOf(r).checks(operands{r}))
	byRoutine()[r.Index].Store(built)
	return built
}
