package luabind

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/nearest"
	"roclua/luabind/vm"
	"roclua/workspace"
)

// handleBox is a rocblas_handle in Lua.
type handleBox struct {
	handle    workspace.Handle
	made      string // where the script made it
	destroyed string // where the script destroyed it; "" while it lives
	ours      bool   // opened by the runner, which also closes it
}

// Describe implements vm.Describer.
func (*handleBox) Describe() string { return "a handle" }

// get returns the handle; a null one for nil.
func (b *handleBox) get() workspace.Handle {
	if b == nil {
		return workspace.Null
	}
	return b.handle
}

// loanBox is a loan of device memory in Lua.
type loanBox struct {
	loan *workspace.Allocation
	made string
}

// Describe implements vm.Describer.
func (*loanBox) Describe() string { return "a loan" }

const (
	handleType = "roclua.handle"
	loanType   = "roclua.allocation"
)

func (s *State) openHandles() {
	handles := s.vm.NewType(handleType, map[string]lua.LGFunction{
		"__tostring": func(l *lua.LState) int {
			l.Push(lua.LString(vm.Receiver[*handleBox](s.vm, l).handle.String()))
			return 1
		},
	})
	handles.RawSetString("__index", s.vm.Lazy("handle", s.handleMethod))
	s.vm.NewType(loanType, map[string]lua.LGFunction{
		"__index": s.loanIndex,
		"__len": func(l *lua.LState) int {
			l.Push(lua.LNumber(len(vm.Receiver[*loanBox](s.vm, l).loan.Spans())))
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			loan := vm.Receiver[*loanBox](s.vm, l).loan
			l.Push(lua.LString(fmt.Sprintf("loan(%d buffers, %s)", len(loan.Spans()), workspace.FormatBytes(loan.Bytes()))))
			return 1
		},
	})
}

// handle reads a handle; nil is the null handle, which every function answers with invalid_handle.
func (c *call) handle(param string) *handleBox { return c.handleValue(param, c.take()) }

func (c *call) handleValue(param string, v lua.LValue) *handleBox {
	if v.Type() == lua.LTNil {
		return nil
	}
	ud, ok := v.(*lua.LUserData)
	if !ok {
		c.bad(param, "got %s, want a handle", vm.Describe(v))
	}
	box, ok := ud.Value.(*handleBox)
	if !ok {
		c.bad(param, "got %s, want a handle", vm.Describe(v))
	}
	if box.destroyed != "" {
		c.bad(param, "the handle was destroyed at %s", box.destroyed)
	}
	return box
}

// handleMethod finds a method of handles: their own, and every function that takes a handle first.
func (s *State) handleMethod(name string) lua.LValue {
	if method, ok := handleMethods[name]; ok {
		return s.vm.Function("handle:"+name, func(l *lua.LState) int { return method(s, l) })
	}
	for _, m := range []*module{s.rocblas(), s.rocsolver()} {
		if fn := m.function(name, false); fn != nil {
			return fn
		}
	}
	names := append(s.rocblas().names(), s.rocsolver().names()...)
	for own := range handleMethods {
		names = append(names, own)
	}
	s.vm.Raisef(s.vm.Current(), "a handle has no method %q%s", name, nearest.DidYouMean(name, names))
	return nil
}

// handleMethods are the methods that no C function stands behind, or only one of the library's developer side.
var handleMethods = map[string]func(*State, *lua.LState) int{
	"query":                          (*State).handleQuery,
	"close":                          (*State).handleClose,
	"is_device_memory_size_query":    (*State).handleIsQuery,
	"set_optimal_device_memory_size": (*State).handleSetOptimal,
	"device_malloc":                  (*State).handleDeviceMalloc,
}

// self reads the handle a method is called on.
func (s *State) self(l *lua.LState, method string) (*call, *handleBox) {
	c := &call{s: s, l: l, fn: &binding{module: "handle", name: method}, next: 1}
	box := c.handle("handle")
	if box == nil {
		c.bad("handle", "got nothing (nil); call it as handle:%s(...)", method)
	}
	return c, box
}

// handleQuery runs a function inside a size query and returns the bytes that its calls need. The query is closed also
// when the function fails.
func (s *State) handleQuery(l *lua.LState) int {
	c, box := s.self(l, "query")
	fn, ok := l.Get(2).(*lua.LFunction)
	if !ok {
		c.bad("function", "got %s, want a function that makes the calls", vm.Describe(l.Get(2)))
	}
	if err := box.handle.StartQuery(); err != nil {
		s.raise(l, err)
	}
	failed := s.vm.Protect(l, fn, 0, l.Get(1))
	bytes, err := box.handle.StopQuery(false)
	if failed != nil {
		s.vm.Raise(l, failed)
	}
	if err != nil {
		s.raise(l, err)
	}
	l.Push(lua.LNumber(bytes))
	return 1
}

// handleClose destroys the handle; closing twice does nothing.
func (s *State) handleClose(l *lua.LState) int {
	box := vm.Receiver[*handleBox](s.vm, l)
	if box.destroyed != "" {
		return 0
	}
	if err := s.destroy(box, s.place(l)); err != nil {
		s.raise(l, err)
	}
	return 0
}

func (s *State) destroy(box *handleBox, at string) error {
	if err := box.handle.Destroy(); err != nil {
		return err
	}
	box.destroyed = at
	return nil
}

func (s *State) handleIsQuery(l *lua.LState) int {
	_, box := s.self(l, "is_device_memory_size_query")
	l.Push(lua.LBool(box.handle.IsQuery()))
	return 1
}

func (s *State) handleSetOptimal(l *lua.LState) int {
	c, box := s.self(l, "set_optimal_device_memory_size")
	st, err := box.handle.SetOptimalDeviceMemorySize(c.sizes()...)
	if err != nil {
		s.raise(l, err)
	}
	l.Push(s.status(st))
	return 1
}

// handleDeviceMalloc lends buffers: a loan, or nil and the reason when there is not enough memory.
func (s *State) handleDeviceMalloc(l *lua.LState) int {
	c, box := s.self(l, "device_malloc")
	sizes := c.sizes()
	loan, err := box.handle.DeviceMalloc(sizes...)
	if err != nil {
		s.raise(l, err)
	}
	if loan == nil {
		l.Push(lua.LNil)
		l.Push(s.vm.ErrorObject(l, box.handle.Shortage(sizes...)))
		return 2
	}
	lb := &loanBox{loan, vm.Where(l)}
	s.loans = append(s.loans, lb)
	l.Push(s.vm.Object(loanType, lb))
	return 1
}

// sizes reads one or more numbers of bytes.
func (c *call) sizes() []uint64 {
	var list []uint64
	for c.next <= c.l.GetTop() {
		list = append(list, c.size(fmt.Sprintf("size %d", len(list)+1)))
	}
	if list == nil {
		c.bad("size", "got nothing, want a number of bytes for each buffer")
	}
	return list
}

// loanIndex gives loan[i], the i-th buffer's address, loan.bytes and loan:release().
func (s *State) loanIndex(l *lua.LState) int {
	box := vm.Receiver[*loanBox](s.vm, l)
	if name, ok := l.Get(2).(lua.LString); ok {
		switch name {
		case "release":
			l.Push(s.vm.Function("loan:release", s.loanRelease))
		case "bytes":
			l.Push(lua.LNumber(box.loan.Bytes()))
		default:
			s.vm.Raisef(l, "a loan has no field %q (loan[i], loan.bytes, loan:release())", string(name))
		}
		return 1
	}
	if box.loan.Released() {
		s.vm.Raisef(l, "the loan made at %s was released", box.made)
	}
	c := &call{s: s, l: l, fn: &binding{module: "loan", name: "[]"}, next: 2}
	i := c.integer("index", 1, int64(len(box.loan.Spans())))
	l.Push(s.pointer(box.loan.Spans()[i-1].Ptr))
	return 1
}

func (s *State) loanRelease(l *lua.LState) int {
	if err := vm.Receiver[*loanBox](s.vm, l).loan.Release(); err != nil {
		s.raise(l, err)
	}
	return 0
}
