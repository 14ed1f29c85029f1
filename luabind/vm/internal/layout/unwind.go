package layout

import (
	"reflect"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

var (
	upvalueType = reflect.TypeFor[lua.Upvalue]()
	stackType   = interfaceField(stateType, "stack")

	stackField    = offsetOf(stateType, "stack", stackType)
	upvaluesField = offsetOf(stateType, "uvcache", reflect.TypeFor[*lua.Upvalue]())
	handledField  = offsetOf(stateType, "hasErrorFunc", reflect.TypeFor[bool]())
	topField      = offsetOf(registryType, "top", reflect.TypeFor[int]())
	depthField    = offsetOf(frameType, "Idx", reflect.TypeFor[int]())
	tailCallField = offsetOf(frameType, "TailCall", reflect.TypeFor[int]())
	nextField     = offsetOf(upvalueType, "next", reflect.TypeFor[*lua.Upvalue]())
	indexField    = offsetOf(upvalueType, "index", reflect.TypeFor[int]())
)

// callStack has the methods of gopher-lua's stack of calls that a Mark uses.
type callStack interface {
	Sp() int
	SetSp(sp int)
}

func interfaceField(t reflect.Type, name string) reflect.Type {
	f, ok := t.FieldByName(name)
	if !ok || f.Type.Kind() != reflect.Interface || !f.Type.Implements(reflect.TypeFor[callStack]()) {
		panic("layout: " + t.String() + " has no stack of calls in field " + name + "; gopher-lua has changed")
	}
	return f.Type
}

// calls returns the stack of calls of a thread. Its type is not exported.
func calls(l *lua.LState) callStack {
	field := unsafe.Pointer(at[byte](unsafe.Pointer(l), stackField))
	return reflect.NewAt(stackType, field).Elem().Interface().(callStack)
}

// A Mark is the state of a thread before a protected call. Unwind returns to it.
type Mark struct {
	l       *lua.LState
	frame   unsafe.Pointer // of the call that makes the protected call; nil for none
	base    int            // of the called function in the registers
	handled bool
}

// Protect marks the state of a thread whose topmost registers are a function and its arguments. Until Leave, an error
// of the thread leaves its upvalues open: gopher-lua would close the upvalues of every call of the thread, also of
// calls that the error does not end.
func Protect(l *lua.LState, arguments int) Mark {
	handled := at[bool](unsafe.Pointer(l), handledField)
	m := Mark{l, *at[unsafe.Pointer](unsafe.Pointer(l), frameField), top(l) - arguments - 1, *handled}
	*handled = true
	return m
}

// Leave ends the protection.
func (m *Mark) Leave() { *at[bool](unsafe.Pointer(m.l), handledField) = m.handled }

// CloseUpvalues gives the closures that the protected call made their own copies of its variables. The variables of
// the callers stay shared.
func (m *Mark) CloseUpvalues() { closeUpvalues(m.l, m.base) }

// Unwind removes the calls and registers of the protected call. Upvalues must be closed.
func (m *Mark) Unwind() {
	depth := 0
	if m.frame != nil {
		depth = *at[int](m.frame, depthField) + 1
	}
	// SetSp is wrong if the stack has that depth already.
	if stack := calls(m.l); stack.Sp() > depth {
		stack.SetSp(depth)
	}
	*at[unsafe.Pointer](unsafe.Pointer(m.l), frameField) = m.frame
	m.l.SetTop(m.base - ofCurrent(m.l, baseField)) // the first argument of the call
}

// CloseUpvalues closes all upvalues of a thread that an error ends, unless a protected call of the thread does so.
func CloseUpvalues(l *lua.LState) {
	if !*at[bool](unsafe.Pointer(l), handledField) {
		closeUpvalues(l, 0)
	}
}

// closeUpvalues closes the upvalues from a register on. gopher-lua keeps a list of open ones, sorted by register.
func closeUpvalues(l *lua.LState, from int) {
	link := at[*lua.Upvalue](unsafe.Pointer(l), upvaluesField)
	for up := *link; up != nil && *at[int](unsafe.Pointer(up), indexField) < from; up = *link {
		link = at[*lua.Upvalue](unsafe.Pointer(up), nextField)
	}
	open := *link
	*link = nil
	for open != nil {
		next := at[*lua.Upvalue](unsafe.Pointer(open), nextField)
		up := open
		open, *next = *next, nil
		up.Close()
	}
}

// Depth returns how many calls are below the current one.
func Depth(l *lua.LState) int { return ofCurrent(l, depthField) }

// ofCurrent returns a number of the frame of the current call; 0 without one.
func ofCurrent(l *lua.LState, field uintptr) int {
	frame := *at[unsafe.Pointer](unsafe.Pointer(l), frameField)
	if frame == nil {
		return 0
	}
	return *at[int](frame, field)
}

// Levels lists the levels for LState.GetStack at which the active calls of a thread are, innermost first. Between them
// are levels for calls that tail calls replaced; GetStack returns the outermost call for those.
func Levels(l *lua.LState) []int {
	var list []int
	level := 0
	for f := *at[unsafe.Pointer](unsafe.Pointer(l), frameField); f != nil; f = *at[unsafe.Pointer](f, parentField) {
		list = append(list, level)
		level++
		if !(*at[*lua.LFunction](f, functionField)).IsG {
			level += *at[int](f, tailCallField)
		}
	}
	return list
}

func top(l *lua.LState) int {
	return *at[int](*at[unsafe.Pointer](unsafe.Pointer(l), registryField), topField)
}
