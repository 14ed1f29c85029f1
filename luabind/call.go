package luabind

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/luabind/vm"
	"roclua/workspace"
	"roclua/workspace/status"
)

// binding is one C function as a script sees it. Its run reads the arguments, calls, and sets the out-parameters; what
// a status means for the script, returned or raised, is the same for all and done in one place.
type binding struct {
	module  string // "rocblas"
	name    string // "set_workspace"
	cName   string // "rocblas_set_workspace"
	outputs int    // out-parameters, which come before the status
	bare    bool   // returns its outputs alone, without a status
	hip     bool   // answers a hipError_t
	status  bool   // takes a status as an argument
	run     func(c *call) error
}

// call is one call of a binding: a reader of its arguments and the place of its answers.
type call struct {
	s      *State
	l      *lua.LState
	fn     *binding
	next   int // index of the next positional argument
	outs   []lua.LValue
	status lua.LValue // nil means success
}

// bind makes the Lua function of a binding; with try a status is returned where it would be raised.
func (s *State) bind(b *binding, try bool) *lua.LFunction {
	return s.vm.Function(b.module+"."+b.name, func(l *lua.LState) int {
		c := &call{s: s, l: l, fn: b, next: 1}
		c.dropStatus()
		err := b.run(c)
		s.checkDevice(l)
		if err == nil {
			return c.succeed(try)
		}
		if b.hip {
			err = &hipError{b.cName, err}
		}
		detail, code, isStatus := isStatusError(err)
		if detail != nil {
			c.answered(s.status(detail.Status))
		}
		if try && isStatus {
			return c.fail(err, detail, code)
		}
		s.raise(l, err)
		return 0
	})
}

// dropStatus forgets a status in last place. hip.stream_synchronize(rocblas.get_stream(handle)) hands it on with the
// stream, for Lua passes every result of a call that stands last.
func (c *call) dropStatus() {
	for !c.fn.status && c.l.GetTop() > 1 {
		ud, ok := c.l.Get(-1).(*lua.LUserData)
		if !ok {
			return
		}
		if _, ok := ud.Value.(code); !ok {
			return
		}
		c.l.Pop(1)
	}
}

func (c *call) succeed(try bool) int {
	for _, v := range c.outs {
		c.l.Push(v)
	}
	if c.fn.bare {
		return len(c.outs)
	}
	if c.status == nil {
		c.status = c.s.success(c.fn)
	}
	c.answered(c.status)
	c.l.Push(c.status)
	n := len(c.outs) + 1
	if try {
		c.l.Push(lua.LNil)
		n++
	}
	return n
}

// answered counts the statuses that the functions of the libraries gave.
func (c *call) answered(v lua.LValue) {
	if ud, ok := v.(*lua.LUserData); ok && !c.fn.hip {
		if st, ok := ud.Value.(rocblasStatus); ok {
			c.s.answers[answer{c.fn, status.Status(st)}]++
		}
	}
}

// answer is a function with a status that it gave.
type answer struct {
	fn     *binding
	status status.Status
}

func (s *State) success(b *binding) lua.LValue {
	if b.hip {
		return s.hipStatus(driver.Success)
	}
	return s.status(0)
}

// fail is what try returns: nil for each output, the status, and the error object with its details.
func (c *call) fail(err error, detail *workspace.Error, code driver.Error) int {
	for range c.fn.outputs {
		c.l.Push(lua.LNil)
	}
	if detail != nil {
		c.l.Push(c.s.status(detail.Status))
	} else {
		c.l.Push(c.s.hipStatus(code))
	}
	c.l.Push(c.s.vm.ErrorObject(c.l, err))
	return c.fn.outputs + 2
}

func (c *call) out(v lua.LValue) { c.outs = append(c.outs, v) }

// bad ends the call with a message about one argument.
func (c *call) bad(param, format string, args ...any) {
	c.s.vm.Raisef(c.l, "%s.%s: %s: %s", c.fn.module, c.fn.name, param, fmt.Sprintf(format, args...))
}

// take returns the next positional argument.
func (c *call) take() lua.LValue {
	v := c.l.Get(c.next)
	c.next++
	return v
}

// end checks that no argument is left over.
func (c *call) end() {
	if extra := c.l.GetTop() - c.next + 1; extra > 0 {
		c.s.vm.Raisef(c.l, "%s.%s: takes %d arguments, got %d", c.fn.module, c.fn.name, c.next-1, c.l.GetTop())
	}
}

// whole checks that a Lua value is an integer that a number holds exactly.
func (c *call) whole(param string, v lua.LValue, want string) int64 {
	n, err := vm.Integer(v, want)
	if err != nil {
		c.bad(param, "%s", err)
	}
	return n
}

// size reads a number of bytes.
func (c *call) size(param string) uint64 {
	n := c.whole(param, c.take(), "a number of bytes")
	if n < 0 {
		c.bad(param, "got %d, want a number of bytes, which is not negative", n)
	}
	return uint64(n)
}

// integer reads a whole number between two bounds.
func (c *call) integer(param string, low, high int64) int64 {
	n, err := vm.IntegerBetween(c.take(), low, high)
	if err != nil {
		c.bad(param, "%s", err)
	}
	return n
}

// enum reads a constant, or a number or status in its place.
func (c *call) enum(param string, kind routine.Kind) int64 {
	return c.enumValue(param, kind, c.take())
}

func (c *call) enumValue(param string, kind routine.Kind, v lua.LValue) int64 {
	return c.whole(param, v, "a constant such as "+example(kind))
}

func example(kind routine.Kind) string {
	for _, k := range routine.Constants {
		if k.Enum == kind {
			return "rocblas." + k.Name
		}
	}
	return "rocblas.operation_none"
}

// pointer reads a device address; nil is null.
func (c *call) pointer(param string) driver.Ptr { return c.pointerValue(param, c.take()) }

func (c *call) pointerValue(param string, v lua.LValue) driver.Ptr {
	if v.Type() == lua.LTNil {
		return 0
	}
	if ud, ok := v.(*lua.LUserData); ok {
		switch p := ud.Value.(type) {
		case devicePtr:
			return driver.Ptr(p)
		case *Array:
			c.bad(param, "got a host array, want a device pointer; copy it to the device with hip.memcpy or hip.upload")
		}
	}
	c.bad(param, "got %s, want a device pointer or nil", vm.Describe(v))
	return 0
}
