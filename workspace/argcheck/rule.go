package argcheck

import (
	"slices"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// rule decides about a call when any of its conditions holds. All conditions of a rule have the same status, so their
// order only decides which of several errors is explained. Some entries of a list are not rules but mark the place
// where something happens between the checks.
type rule struct {
	in     situations
	status status.Status
	effect Effect
	any    []condition

	laterReleases bool // the rule does not apply with Mode.SymmetricOfAnyOrder

	mark        mark
	alpha, beta func(*routine.Args) bool // of a fetched mark: whether the scalar is copied
}

type mark uint8

const (
	noMark mark = iota
	queryReturnsMark
	allocatedMark
	fetchedMark
	numbersMark
)

// situations is a set of modes, one bit each.
type situations uint8

const (
	executedHost situations = 1 << iota
	executedDevice
	queriedHost
	queriedDevice
	noHandle

	executed       = executedHost | executedDevice
	queried        = queriedHost | queriedDevice
	hostPointers   = executedHost | queriedHost
	devicePointers = executedDevice | queriedDevice
	everywhere     = executed | queried
)

// The indexes of modes: the four situations with a handle, the same ones with SymmetricOfAnyOrder, and no handle.
const (
	anyOrder  = 4
	nullIndex = 2 * anyOrder
	modeCount = nullIndex + 1
)

// index numbers the modes, the situations in the order of their bits.
func (mode *Mode) index() int {
	i := 0
	if mode.SymmetricOfAnyOrder {
		i |= anyOrder
	}
	if mode.DevicePointers {
		i |= 1
	}
	if mode.Query {
		i |= 2
	}
	if mode.NoHandle {
		return nullIndex
	}
	return i
}

var (
	// queryReturns marks the place where a size query ends its checks and returns bytes.
	queryReturns = rule{mark: queryReturnsMark}

	// allocated marks the place where an executed call allocates its memory. The rules behind it are checked then.
	allocated = rule{mark: allocatedMark}

	// numbersChecked marks the place where an executed call checks the numbers of its arrays before it computes, in
	// families that do so before they allocate memory: see Mode.CheckNumbers. A family without the mark checks them
	// when it has its memory.
	numbersChecked = rule{mark: numbersMark, in: executed}

	// invalidHandle refuses the null handle. It follows the rules that a routine checks before its handle.
	invalidHandle = rule{status: status.InvalidHandle, effect: Ends, any: []condition{{
		test:    always,
		message: func(*routine.Args) string { return "the handle is null" },
	}}}
)

// fetched marks the place where, in device pointer mode, scalars are copied to the host, unless they are null.
func fetched(alphaIf, betaIf func(*routine.Args) bool) rule {
	return rule{
		mark:  fetchedMark,
		alpha: func(a *routine.Args) bool { return !a.Null(alpha) && alphaIf(a) },
		beta:  func(a *routine.Args) bool { return !a.Null(beta) && betaIf(a) },
	}
}

// value lists the conditions on enumerations. They come first where they are checked.
func value(c ...condition) rule {
	return rule{in: everywhere, status: status.InvalidValue, effect: Ends, any: c}
}

// size lists the conditions on dimensions, leading dimensions and increments.
func size(c ...condition) rule {
	return rule{in: everywhere, status: status.InvalidSize, effect: Ends, any: c}
}

// pointers lists the conditions on pointers.
func pointers(c ...condition) rule {
	return rule{in: everywhere, status: status.InvalidPointer, effect: Ends, any: c}
}

// notImplemented lists the conditions under which there is no kernel.
func notImplemented(c ...condition) rule {
	return rule{in: everywhere, status: status.NotImplemented, effect: Ends, any: c}
}

// quickReturn lists the conditions under which there is nothing to compute: success, in a query too.
func quickReturn(c ...condition) rule {
	return rule{in: everywhere, status: status.Success, effect: Ends, any: c}
}

// unchanged lists the conditions under which a query needs no memory.
func unchanged(c ...condition) rule {
	return rule{in: queried, status: status.SizeUnchanged, effect: Ends, any: c}
}

// only narrows a rule to some situations.
func (r rule) only(s situations) rule {
	r.in &= s
	return r
}

// beforeHandle makes a routine check a rule before its handle.
func (r rule) beforeHandle() rule {
	r.in |= noHandle
	return r
}

// with gives a rule an effect.
func (r rule) with(e Effect) rule {
	r.effect = e
	return r
}

// checks are the rules of a routine that apply in one mode, and the steps between them.
type checks struct {
	rules []rule
	steps []step
}

// step is what a call does between its checks, unless one of the rules before it ends the call: it checks numbers, or
// copies scalars to the host.
type step struct {
	after       int // rules
	numbers     bool
	alpha, beta func(*routine.Args) bool // whether a scalar is copied
}

// happens reports whether the mode has what the step needs.
func (s *step) happens(mode *Mode) bool {
	return s.numbers && mode.CheckNumbers != nil || !s.numbers && mode.Scalars != nil
}

// do makes the step. The library copies scalars with one wait for the stream.
func (s *step) do(mode *Mode, a *routine.Args) error {
	if s.numbers {
		return mode.CheckNumbers()
	}
	var list []routine.Slot
	if s.alpha(a) {
		list = append(list, alpha)
	}
	if s.beta(a) {
		list = append(list, beta)
	}
	if list == nil {
		return nil
	}
	return mode.Scalars.FetchScalars(a, list)
}

// byMode splits the list of a routine by the modes.
func byMode(r *routine.Routine, list []rule) *[modeCount]checks {
	for i := range list {
		list[i].any = slices.DeleteFunc(slices.Clone(list[i].any), func(c condition) bool { return !c.possible(r) })
	}
	out := new([modeCount]checks)
	for i := range anyOrder {
		out[i] = checksIn(1<<i, list)
	}
	copy(out[anyOrder:], out[:anyOrder])
	if later := func(r rule) bool { return r.laterReleases }; slices.ContainsFunc(list, later) {
		rest := slices.DeleteFunc(slices.Clone(list), later)
		for i := range anyOrder {
			out[anyOrder+i] = checksIn(1<<i, rest)
		}
	}
	out[nullIndex] = checksIn(noHandle, list)
	out[nullIndex].rules = append(out[nullIndex].rules, invalidHandle)
	return out
}

// checksIn returns the rules that apply in one situation, in their order.
func checksIn(s situations, list []rule) (c checks) {
	hasMemory := false
	for _, r := range list {
		switch {
		case r.mark == queryReturnsMark && s&queried != 0, r.mark == allocatedMark && s&executed == 0:
			return c
		case r.mark == allocatedMark:
			hasMemory = true
		case r.mark == fetchedMark && s&devicePointers != 0:
			c.steps = append(c.steps, step{after: len(c.rules), alpha: r.alpha, beta: r.beta})
		case r.mark == numbersMark && r.in&s != 0:
			c.steps = append(c.steps, step{after: len(c.rules), numbers: true})
		case r.mark == noMark && r.in&s != 0 && len(r.any) > 0:
			if hasMemory {
				r.effect = AfterAllocation
			}
			c.rules = append(c.rules, r)
		}
	}
	return c
}

// noWorkspace ends every query of a routine that never needs memory, whatever its arguments.
var noWorkspace = unchanged(needsNoWorkspace)

var needsNoWorkspace = condition{
	test:    always,
	message: func(a *routine.Args) string { return a.Routine.CName() + " needs no workspace" },
}

// kernelsFor ends an executed call of a 64-bit form with a dimension that has no kernels.
func kernelsFor(dims ...routine.Slot) []rule {
	var beyond []condition
	for _, d := range dims {
		beyond = append(beyond, beyond32(d))
	}
	return []rule{allocated, size(beyond...)}
}
