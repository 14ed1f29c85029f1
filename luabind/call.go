package luabind

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/luabind/api"
	"roclua/workspace"
	"roclua/workspace/status"
)

// binding is a declared function with the Go function that is called for it. What its status means for the script,
// returned or raised, is the same for all bindings.
type binding struct {
	*api.Function
	run func(c *call) error
}

// call is one call of a binding: its arguments and its results.
type call struct {
	s      *state
	l      *lua.LState
	fn     *api.Function
	outs   []lua.LValue
	none   bool       // the declared results are not returned: device memory receives them
	status lua.LValue // nil means success
	counts *statusCounts
	room   [3]lua.LValue // for outs
}

// newCall returns a call without results. reuse makes it available again. A call that raises an error is not
// reused.
func (s *state) newCall(l *lua.LState, fn *api.Function, counts *statusCounts) *call {
	var c *call
	if last := len(s.calls) - 1; last >= 0 {
		c, s.calls = s.calls[last], s.calls[:last]
	} else {
		c = &call{}
	}
	c.s, c.l, c.fn, c.counts = s, l, fn, counts
	c.outs = c.room[:0]
	return c
}

// callsKept is how many calls are kept for reuse: more than are active at a time, in most scripts.
const callsKept = 16

func (s *state) reuse(c *call) {
	if len(s.calls) < callsKept {
		*c = call{}
		s.calls = append(s.calls, c)
	}
}

// bind returns the Lua function of a binding. With try it returns an error status instead of raising it.
func (s *state) bind(b *binding, try bool) *lua.LFunction {
	usesDevice, usesHandle, counts := b.usesDevice(), b.usesHandle(), s.countsOf(b.C)
	return s.vm.Function(b.Title(), func(l *lua.LState) int {
		c := s.newCall(l, b.Function, counts)
		c.dropStatus()
		var err error
		if usesHandle && s.hostFuncs.running != nil {
			err = s.hostFuncs.forbidden()
		} else {
			err = b.run(c)
		}
		if usesDevice {
			s.checkDevice(l)
		}
		if s.hostFuncs.failed != nil && s.hostFuncs.running == nil {
			s.raise(l, s.hostFuncs.takeError())
		}
		if err == nil {
			n := c.succeed(try)
			s.reuse(c)
			return n
		}
		if b.Owner == "hip" && !isMismatch(err) {
			err = &hipError{b.callName(), err}
		}
		if usesHandle && c.lacksHandle() {
			err = fmt.Errorf("%w; call it as handle:%s, with a colon, or pass a handle", err, b.Name)
		}
		detail, code, isStatus := isStatusError(err)
		if detail != nil {
			c.countStatus(s.statuses.value(detail.Status))
		}
		if try && isStatus {
			return c.fail(err, detail, code)
		}
		s.raise(l, err)
		return 0
	})
}

// usesDevice reports whether calls of the function may allocate device memory.
func (b *binding) usesDevice() bool {
	switch b.Receiver {
	case api.Array, api.Test:
		return false
	}
	return b.Owner != "array" && b.Owner != "os"
}

// usesHandle reports whether the function is called with a handle.
func (b *binding) usesHandle() bool { return len(b.Params) > 0 && b.Params[0].Kind == api.Handle }

// lacksHandle reports whether a script left out the handle, rather than pass the null handle.
func (c *call) lacksHandle() bool {
	top := c.l.GetTop()
	if top == 1 && c.fn.Routine != nil {
		named, ok := c.l.Get(1).(*lua.LTable)
		return ok && named.RawGetString("handle") == lua.LNil
	}
	return top < c.fn.Required() && c.l.Get(1) == lua.LNil
}

// callName returns the C name, or the name in scripts of a function that C does not have.
func (b *binding) callName() string {
	if b.C != "" {
		return b.C
	}
	return b.Title()
}

// dropStatus removes statuses from the end of the arguments that the function does not accept there. Lua passes all
// results of a call in the last place, so t:equal(10, rocblas.dasum(handle, n, x, 1)) passes a sum and a status.
func (c *call) dropStatus() {
	for top := c.l.GetTop(); top > 1; top-- {
		ud, ok := c.l.Get(top).(*lua.LUserData)
		if !ok {
			return
		}
		if _, ok := ud.Value.(code); !ok || acceptsStatus(c.fn, top) {
			return
		}
		c.l.Pop(1)
	}
}

// acceptsStatus reports whether a function accepts a status in a position, from 1.
func acceptsStatus(f *api.Function, position int) bool {
	if f.IsMethod() {
		position--
	}
	if len(f.Params) == 0 {
		return false
	}
	p := &f.Params[min(position, len(f.Params))-1]
	return (p.Kind == api.Any || p.Kind == api.Status) && (position <= len(f.Params) || p.Variadic)
}

// succeed pushes the results of a call that api.Function.Returns lists.
func (c *call) succeed(try bool) int {
	n, declared := len(c.outs), len(c.results())
	if c.fn.Reason && c.outs[0] != lua.LNil {
		declared--
	}
	if n != declared {
		panic(fmt.Sprintf("%s: %d results, declared are %d", c.fn.Title(), n, declared))
	}
	for _, v := range c.outs {
		c.l.Push(v)
	}
	if c.fn.Status == api.NoStatus {
		return n
	}
	if c.status == nil {
		c.status = c.s.success(c.fn)
	}
	c.countStatus(c.status)
	switch {
	case try:
		c.l.Push(c.status)
		c.l.Push(lua.LNil)
		return n + 2
	case c.fn.ReturnsStatus():
		c.l.Push(c.status)
		return n + 1
	}
	return n
}

// results lists the declared results that the call returns.
func (c *call) results() []api.Result {
	if c.none {
		return nil
	}
	return c.fn.Results
}

// statusCounts counts the statuses that a function of rocBLAS or rocSOLVER returned. It is nil for other functions. A
// function returns few different ones.
type statusCounts []statusCount

type statusCount struct {
	status status.Status
	n      int
}

// add counts a status.
func (c *statusCounts) add(st status.Status) {
	for i := range *c {
		if (*c)[i].status == st {
			(*c)[i].n++
			return
		}
	}
	*c = append(*c, statusCount{st, 1})
}

// countsOf returns the counts of a function by its C name, which is "" for those that C does not have.
func (s *state) countsOf(function string) *statusCounts {
	if function == "" {
		return nil
	}
	if s.statusCounts[function] == nil {
		s.statusCounts[function] = &statusCounts{}
	}
	return s.statusCounts[function]
}

// countStatus counts a status that the function returned.
func (c *call) countStatus(v lua.LValue) {
	if c.counts == nil {
		return
	}
	if ud, ok := v.(*lua.LUserData); ok {
		if st, ok := ud.Value.(rocblasStatus); ok {
			c.counts.add(status.Status(st))
		}
	}
}

func (s *state) success(f *api.Function) lua.LValue {
	if f.Status == api.HIPStatus {
		return s.statuses.hip(driver.Success)
	}
	return s.statuses.value(0)
}

// fail pushes the results of a try form that failed: nil for each out-parameter, the status, and the error object.
func (c *call) fail(err error, detail *workspace.Error, code driver.Error) int {
	results := c.results()
	for range results {
		c.l.Push(lua.LNil)
	}
	if detail != nil {
		c.l.Push(c.s.statuses.value(detail.Status))
	} else {
		c.l.Push(c.s.statuses.hip(code))
	}
	c.l.Push(c.s.vm.ErrorObject(c.l, err))
	return len(results) + 2
}

// out adds a result.
func (c *call) out(v lua.LValue) { c.outs = append(c.outs, v) }

// bad raises an error about one parameter.
func (c *call) bad(param, format string, args ...any) {
	c.s.vm.Raisef(c.l, "%s: %s: %s", c.fn.Title(), param, fmt.Sprintf(format, args...))
}
