package vm

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
)

// A Sizer is a host value that holds memory outside of Lua.
type Sizer interface {
	// HostSize returns the bytes that the value holds and the address of the first one, or 0 and nil.
	// Values with the same address share the memory, which counts once.
	HostSize() (bytes uint64, first *byte)
}

// Approximate sizes in bytes of values in gopher-lua.
const (
	valueBytes    = 16 // of a value in a register, an array or a table
	numberBytes   = 8
	stringBytes   = 16 // without the text
	tableBytes    = 128
	functionBytes = 64
	upvalueBytes  = 64
	userdataBytes = 64
	protoBytes    = 2048    // of the code of a function, without its instructions, their lines and its constants
	threadBytes   = 7 << 10 // without its registers; the index of its calls takes most
	fieldBytes    = 48      // of a field of a table with a string as key, without the string
	entryBytes    = 64      // of a field with another key
	keyBytes      = 80      // a table keeps its keys in a list and a map, also those that were removed
)

// ListBytes returns the size of a Lua table with so many numbers, for [Meter.Reserve].
func ListBytes(numbers int) uint64 { return uint64(numbers) * (valueBytes + numberBytes) }

// PairBytes is the size of a Lua table with two numbers, for [Meter.Reserve].
const PairBytes = tableBytes + 2*(valueBytes+numberBytes)

// RecordBytes returns the size of so many Lua tables with string keys, all in a list, for [Meter.Reserve].
func RecordBytes(tables, fields int) uint64 {
	return uint64(tables) * (valueBytes + tableBytes + uint64(fields)*(fieldBytes+keyBytes+numberBytes))
}

// sharedText is the length from which a string is counted once, however many values refer to it.
const sharedText = 32

// HeldBytes returns the memory that the run holds, approximately: what is reachable from its globals and registers, and
// what the host holds for it. It takes time in proportion to the number of values.
func (m *Machine) HeldBytes() uint64 {
	w := &walk{}
	g := m.lua.G
	w.value(g.Registry)
	w.value(g.Global)
	w.value(m.lua) // coroutines that run are in the registers of those that resumed them
	w.value(m.lua.GetMetatable(lua.LString("")))
	for _, v := range m.loader.loaded {
		w.value(v)
	}
	w.values(m.kept)
	for name, value := range m.env {
		w.bytes += uint64(len(name) + len(value) + fieldBytes)
	}
	for len(w.queue) > 0 {
		v := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		w.inside(v)
	}
	if m.opts.HeldBytes != nil {
		w.bytes += m.opts.HeldBytes()
	}
	return w.bytes + m.meter.output
}

// walk visits values without recursion, so that a list of a million links needs no deep stack.
type walk struct {
	seen  addresses
	queue []lua.LValue // values that were found but whose contents were not counted yet
	bytes uint64
}

// first reports whether an object is found for the first time.
func (w *walk) first(p unsafe.Pointer) bool { return w.seen.add(uintptr(p)) }

// value counts a value, and queues it if it refers to others.
func (w *walk) value(v lua.LValue) {
	switch v := v.(type) {
	case lua.LNumber:
		w.bytes += numberBytes
	case lua.LString:
		w.bytes += stringBytes
		w.text(string(v))
	case *lua.LTable:
		w.object(v, unsafe.Pointer(v))
	case *lua.LFunction:
		w.object(v, unsafe.Pointer(v))
	case *lua.LUserData:
		w.object(v, unsafe.Pointer(v))
	case *lua.LState:
		w.object(v, unsafe.Pointer(v))
	}
}

func (w *walk) text(text string) {
	if len(text) >= sharedText && w.first(unsafe.Pointer(unsafe.StringData(text))) {
		w.bytes += uint64(len(text))
	}
}

func (w *walk) object(v lua.LValue, p unsafe.Pointer) {
	if p != nil && w.first(p) {
		w.queue = append(w.queue, v)
	}
}

// inside counts an object and what it refers to.
func (w *walk) inside(v lua.LValue) {
	switch v := v.(type) {
	case *lua.LTable:
		w.table(v)
	case *lua.LFunction:
		w.function(v)
	case *lua.LUserData:
		w.userdata(v)
	case *lua.LState:
		registers := layout.Registers(v)
		w.bytes += threadBytes + uint64(cap(registers))*valueBytes
		w.values(registers)
		w.value(v.Env)
	}
}

func (w *walk) userdata(v *lua.LUserData) {
	w.bytes += userdataBytes
	w.value(v.Metatable)
	if sizer, ok := v.Value.(Sizer); ok {
		if bytes, first := sizer.HostSize(); first != nil && w.first(unsafe.Pointer(first)) {
			w.bytes += bytes
		}
	}
}

func (w *walk) values(list []lua.LValue) {
	for _, v := range list {
		w.value(v)
	}
}

func (w *walk) table(t *lua.LTable) {
	array, keys := layout.Array(t), layout.Keys(t)
	w.bytes += tableBytes + uint64(cap(array))*valueBytes + uint64(len(keys))*keyBytes
	w.values(array)
	w.values(keys)
	for _, v := range layout.StringFields(t) {
		w.bytes += fieldBytes
		w.value(v)
	}
	for _, v := range layout.OtherFields(t) {
		w.bytes += entryBytes
		w.value(v)
	}
	w.value(t.Metatable)
}

func (w *walk) function(fn *lua.LFunction) {
	w.bytes += functionBytes
	w.value(fn.Env)
	w.proto(fn.Proto)
	for _, up := range fn.Upvalues {
		if up != nil && w.first(unsafe.Pointer(up)) {
			w.bytes += upvalueBytes
			w.value(up.Value())
		}
	}
}

// proto counts the code of a function, which a script can make with load.
func (w *walk) proto(p *lua.FunctionProto) {
	if p == nil || !w.first(unsafe.Pointer(p)) {
		return
	}
	w.bytes += protoBytes + uint64(4*cap(p.Code)+8*cap(p.DbgSourcePositions)) + uint64(cap(p.Constants))*valueBytes
	w.values(p.Constants)
	for _, inner := range p.FunctionPrototypes {
		w.proto(inner)
	}
}
