package engine

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/api"
	"roclua/workspace/status"
)

// Binding is a declared function with its Go function. Calls of all bindings treat a status alike: it is returned or
// raised as the declaration says.
type Binding struct {
	*api.Function
	Run func(c *Call) error
}

// Call is one call of a binding: its arguments and its results.
type Call struct {
	*Engine
	L      *lua.LState
	Fn     *api.Function
	outs   []lua.LValue
	None   bool       // the declared results are not returned: they are written to device memory
	Status lua.LValue // nil means success
	counts functionCounts
	room   [3]lua.LValue // for outs
}

// newCall returns a call without results. reuse makes it available again, and clears the fields that newCall does not
// set. A call that raises an error is not reused.
func (e *Engine) newCall(l *lua.LState, fn *api.Function, counts functionCounts) *Call {
	var c *Call
	if last := len(e.calls) - 1; last >= 0 {
		c, e.calls = e.calls[last], e.calls[:last]
	} else {
		c = &Call{}
	}
	c.Engine, c.L, c.Fn, c.counts = e, l, fn, counts
	c.outs = c.room[:0]
	return c
}

// callsKept is how many calls are kept for reuse: most scripts have fewer active at once.
const callsKept = 16

func (e *Engine) reuse(c *Call) {
	if len(e.calls) < callsKept {
		clear(c.room[:min(len(c.outs), len(c.room))])
		c.L, c.outs, c.None, c.Status = nil, nil, false, nil
		e.calls = append(e.calls, c)
	}
}

// bind returns the Lua function of a binding. With try it returns an error status instead of raising it.
func (e *Engine) bind(b *Binding, try bool) *lua.LFunction {
	return e.VM.Function(b.Title(), e.Bind(b, try).Call)
}

// Bound is a binding that the scripts of one engine call.
type Bound struct {
	*Binding
	e          *Engine
	try        bool // an error status is returned and not raised
	usesDevice bool
	usesHandle bool
	counts     functionCounts
}

// Bind makes a binding available to the scripts of the engine.
func (e *Engine) Bind(b *Binding, try bool) *Bound {
	return &Bound{b, e, try, b.usesDevice(), b.usesHandle(), e.StatusCounts.of(b.C)}
}

// Call makes a call with the arguments on the stack and pushes its results.
func (b *Bound) Call(l *lua.LState) int {
	c := b.e.newCall(l, b.Function, b.counts)
	c.dropStatus()
	if err := b.make(c); err != nil {
		return b.fail(c, err)
	}
	n := c.succeed(b.try)
	b.e.reuse(c)
	return n
}

// Repeat makes n calls and discards their results. A call that fails raises its error.
func (b *Bound) Repeat(l *lua.LState, n int) {
	c := b.e.newCall(l, b.Function, b.counts)
	b.e.repeatsAt = b.e.Where(l)
	defer func() { b.e.repeatsAt = "" }()
	for range n {
		c.outs, c.Status = c.room[:0], nil
		if err := b.make(c); err != nil {
			b.fail(c, err)
		}
		c.count(c.Status)
	}
	b.e.reuse(c)
}

// fail pushes the results of a call that failed, if scripts want a status, or raises the error.
func (b *Bound) fail(c *Call, err error) int {
	st := b.e.Statuses.ofError(err)
	if st != nil && b.Status != api.HIPStatus {
		c.count(st)
	}
	if b.try && st != nil {
		return c.fail(err, st)
	}
	b.e.Raise(c.L, err)
	return 0
}

// make makes a call and returns the error that it raises.
func (b *Bound) make(c *Call) error {
	if b.usesDevice && b.e.IsShared() {
		return b.makeShared(c)
	}
	return b.makeAlone(c)
}

// makeShared makes a call while other threads use the runtime.
func (b *Bound) makeShared(c *Call) error {
	if g := guardOf(c); g != nil {
		g.lock(c)
		defer g.unlock()
	}
	c.Thread.Enter()
	defer c.Thread.Leave()
	return b.makeAlone(c)
}

func (b *Bound) makeAlone(c *Call) (err error) {
	e := b.e
	if b.usesHandle && e.HostFuncs.running != nil {
		err = e.HostFuncs.forbidden()
	} else {
		err = b.Run(c)
	}
	if b.usesDevice {
		e.CheckDevice(c.L)
	}
	if e.HostFuncs.failed != nil && e.HostFuncs.running == nil {
		e.Raise(c.L, e.HostFuncs.TakeError())
	}
	if err == nil {
		return nil
	}
	if b.Owner == "hip" && !isMismatch(err) {
		err = &hipError{b.callName(), err}
	}
	if b.usesHandle && c.lacksHandle() {
		err = fmt.Errorf("%w; call it as handle:%s, with a colon, or pass a handle", err, b.Name)
	}
	return err
}

// usesDevice reports whether calls to the function may allocate device memory.
func (b *Binding) usesDevice() bool {
	switch b.Receiver {
	case api.Array, api.Test, api.Client:
		return false
	}
	return b.Owner != "array" && b.Owner != "os"
}

// usesHandle reports whether the function is called with a handle.
func (b *Binding) usesHandle() bool { return len(b.Params) > 0 && b.Params[0].Kind == api.Handle }

// lacksHandle reports whether a script left out the handle, rather than pass the null handle.
func (c *Call) lacksHandle() bool {
	top := c.L.GetTop()
	if top == 1 && c.Fn.Routine != nil {
		named, ok := c.L.Get(1).(*lua.LTable)
		return ok && named.RawGetString("handle") == lua.LNil
	}
	return top < c.Fn.Required() && c.L.Get(1) == lua.LNil
}

// callName returns the C name, or the name in scripts if C does not have the function.
func (b *Binding) callName() string {
	if b.C != "" {
		return b.C
	}
	return b.Title()
}

// dropStatus removes statuses from the end of the arguments that the function does not accept there. Lua passes all
// results of a call in the last place, so t:equal(10, rocblas.dasum(handle, n, x, 1)) passes a sum and a status.
func (c *Call) dropStatus() {
	for top := c.L.GetTop(); top > 1; top-- {
		ud, ok := c.L.Get(top).(*lua.LUserData)
		if !ok {
			return
		}
		if _, ok := ud.Value.(StatusCode); !ok || acceptsStatus(c.Fn, top) {
			return
		}
		c.L.Pop(1)
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
func (c *Call) succeed(try bool) int {
	n, declared := len(c.outs), len(c.results())
	if c.Fn.Reason && c.outs[0] != lua.LNil {
		declared--
	}
	if n != declared {
		panic(fmt.Sprintf("%s: %d results, declared are %d", c.Fn.Title(), n, declared))
	}
	for _, v := range c.outs {
		c.L.Push(v)
	}
	if c.Fn.Status == api.NoStatus {
		return n
	}
	c.count(c.Status)
	if c.Status == nil {
		c.Status = c.success(c.Fn)
	}
	switch {
	case try:
		c.L.Push(c.Status)
		c.L.Push(lua.LNil)
		return n + 2
	case c.Fn.ReturnsStatus():
		c.L.Push(c.Status)
		return n + 1
	}
	return n
}

// count counts the status of the call, unless calls are not recorded at present. nil means success.
func (c *Call) count(st lua.LValue) {
	switch {
	case c.Unrecorded:
	case st != nil:
		c.counts.add(st)
	case c.counts != nil && c.Fn.Status == api.RocBLASStatus:
		c.counts[status.Success]++
	}
}

// results lists the declared results that the call returns.
func (c *Call) results() []api.Result {
	if c.None {
		return nil
	}
	return c.Fn.Results
}

func (e *Engine) success(f *api.Function) lua.LValue {
	if f.Status != api.RocBLASStatus {
		return e.Statuses.Value(statusOf(f.Status, 0))
	}
	if e.succeeded == nil {
		e.succeeded = e.Statuses.Value(status.Success)
	}
	return e.succeeded
}

// fail pushes the results of a try form that failed: nil for each out-parameter, the status, and the error object.
func (c *Call) fail(err error, st lua.LValue) int {
	results := c.results()
	for range results {
		c.L.Push(lua.LNil)
	}
	c.L.Push(st)
	c.L.Push(c.VM.ErrorObject(c.L, err))
	return len(results) + 2
}

// Out adds a result.
func (c *Call) Out(v lua.LValue) { c.outs = append(c.outs, v) }

// Return adds results and returns the error of a function. A body ends with it.
func (c *Call) Return(err error, results ...lua.LValue) error {
	c.outs = append(c.outs, results...)
	return err
}

// Bad raises an error about one parameter.
func (c *Call) Bad(param, format string, args ...any) {
	c.VM.Raisef(c.L, "%s: %s: %s", c.Fn.Title(), param, fmt.Sprintf(format, args...))
}
