package argcheck

import (
	"slices"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// rule ends a call with one status when any of its conditions holds. All conditions of a rule have the same status, so
// their order only decides which of several errors is explained. Some entries of a list are not checks but marks of the
// place where something happens between the checks.
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
)

// situations is a set of Modes, one bit each.
type situations uint8

const (
	executedHost situations = 1 << iota
	executedDevice
	queriedHost
	queriedDevice

	executed       = executedHost | executedDevice
	queried        = queriedHost | queriedDevice
	hostPointers   = executedHost | queriedHost
	devicePointers = executedDevice | queriedDevice
	everywhere     = executed | queried
)

// modeCount is the number of modes: the four situations without and with SymmetricOfAnyOrder.
const modeCount = 8

// index numbers the modes, the four situations in the order of their bits.
func (mode Mode) index() int {
	i := 0
	if mode.SymmetricOfAnyOrder {
		i |= 4
	}
	if mode.DevicePointers {
		i |= 1
	}
	if mode.Query {
		i |= 2
	}
	return i
}

var (
	// queryReturns marks the place where a size query ends its checks and returns bytes.
	queryReturns = rule{mark: queryReturnsMark}

	// allocated marks the place where an executed call allocates its memory; the rules behind it are checked after
	// that.
	allocated = rule{mark: allocatedMark}
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
	return rule{in: everywhere, status: status.InvalidValue, any: c}
}

// size lists the conditions on dimensions, leading dimensions and increments.
func size(c ...condition) rule {
	return rule{in: everywhere, status: status.InvalidSize, any: c}
}

// pointers lists the conditions on pointers.
func pointers(c ...condition) rule {
	return rule{in: everywhere, status: status.InvalidPointer, any: c}
}

// quickReturn lists the conditions under which there is nothing to compute: success, in a query too.
func quickReturn(c ...condition) rule {
	return rule{in: everywhere, status: status.Success, any: c}
}

// unchanged lists the conditions under which a query needs no memory.
func unchanged(c ...condition) rule {
	return rule{in: queried, status: status.SizeUnchanged, any: c}
}

// only narrows a rule to some situations.
func (r rule) only(s situations) rule {
	r.in &= s
	return r
}

// with gives a rule an effect.
func (r rule) with(e Effect) rule {
	r.effect = e
	return r
}

// rules is a routine's list, split by the time at which its parts are needed.
type rules struct {
	byMode    [modeCount][]rule // before memory is allocated, indexed by Mode.index
	fetches   [modeCount]fetch  // before or between them
	allocated []rule            // after memory is allocated, executed calls only
}

// fetch is the copy of scalars to the host, unless a rule before it ends the call. The zero fetch copies none.
type fetch struct {
	after       []rule
	alpha, beta func(*routine.Args) bool
}

// split splits the list of a routine's family.
func split(r *routine.Routine, list []rule) *rules {
	for i := range list {
		list[i].any = slices.DeleteFunc(slices.Clone(list[i].any), func(c condition) bool { return !c.possible(r) })
	}
	out := new(rules)
	out.addSituations(0, list)
	if slices.ContainsFunc(list, func(r rule) bool { return r.laterReleases }) {
		anyOrder := slices.DeleteFunc(slices.Clone(list), func(r rule) bool { return r.laterReleases })
		out.addSituations(modeCount/2, anyOrder)
	} else {
		copy(out.byMode[modeCount/2:], out.byMode[:])
		copy(out.fetches[modeCount/2:], out.fetches[:])
	}
	if i := indexOf(list, allocatedMark); i >= 0 {
		out.allocated = before(list[i+1:], executed)
	}
	return out
}

// addSituations adds what a list contains for the modes of the four situations, whose first one has the given index.
func (x *rules) addSituations(first int, list []rule) {
	for i := range modeCount / 2 {
		x.byMode[first+i] = before(list, 1<<i)
		if devicePointers&(1<<i) != 0 {
			x.fetches[first+i] = fetchOf(list, 1<<i)
		}
	}
}

// fetchOf returns the fetch of a list in one situation.
func fetchOf(list []rule, s situations) fetch {
	i := indexOf(list, fetchedMark)
	if i < 0 || s&queried != 0 && indexOf(list[:i], queryReturnsMark) >= 0 {
		return fetch{}
	}
	return fetch{before(list[:i], s), list[i].alpha, list[i].beta}
}

// indexOf returns the index of the first rule with a mark, or -1.
func indexOf(list []rule, m mark) int {
	return slices.IndexFunc(list, func(r rule) bool { return r.mark == m })
}

// before returns the rules that apply in one situation before memory is allocated, in their order.
func before(list []rule, s situations) []rule {
	var out []rule
	for _, r := range list {
		if r.mark == allocatedMark || r.mark == queryReturnsMark && s&queried != 0 {
			break
		}
		if r.mark == noMark && r.in&s != 0 && len(r.any) > 0 {
			out = append(out, r)
		}
	}
	return out
}
