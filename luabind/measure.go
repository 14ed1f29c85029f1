package luabind

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Bytes that values take in gopher-lua, about.
const (
	valueBytes     = 16 // a value in a register, an array or a table
	numberBytes    = 8
	stringBytes    = 16 // beside its text
	tableBytes     = 128
	functionBytes  = 64
	upvalueBytes   = 64
	userdataBytes  = 64
	protoBytes     = 2048 // of a function's code, beside its instructions, their lines and its constants
	threadBytes    = 1024 // beside its registers
	textEntryBytes = 48   // of a table with a text as key, beside the text
	entryBytes     = 64   // of a table with another key
	keyBytes       = 80   // a table remembers its keys in a list and a map, also those that were removed

	handleBytes = 1024
	loanBytes   = 256
	streamBytes = 16 << 10 // with its queue and its goroutine
)

// ownText is the length from which a text is counted once, however often it is referred to.
const ownText = 32

// measure returns the bytes that the case holds: what is reachable from its globals, its registers, and what the host keeps
// for it.
func (s *State) measure() uint64 {
	w := &walk{}
	g := s.lua.G
	w.value(g.Registry)
	w.value(g.Global)
	w.value(s.lua)
	w.value(s.lua.GetMetatable(lua.LString("")))
	for l := g.CurrentThread; l != nil; l = l.Parent {
		w.value(l)
	}
	for _, v := range s.loaded {
		w.value(v)
	}
	for _, fn := range s.kept {
		w.value(fn)
	}
	for name, value := range s.env {
		w.bytes += uint64(len(name) + len(value) + textEntryBytes)
	}
	for len(w.queue) > 0 {
		v := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		w.inside(v)
	}
	w.bytes += s.printed + uint64(len(s.handles))*handleBytes + uint64(len(s.loans))*loanBytes
	if rt := s.opts.Runtime; rt != nil {
		w.bytes += rt.StagedBytes() + uint64(rt.OpenStreams())*streamBytes
	}
	return w.bytes
}

// walk goes over values without recursion: a list of a million links is no depth.
type walk struct {
	seen  addresses
	queue []lua.LValue // met, and not looked into yet
	bytes uint64
}

// first reports whether an object is met for the first time.
func (w *walk) first(p unsafe.Pointer) bool { return w.seen.add(uintptr(p)) }

// value counts a value, and queues what has an inside.
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
	if len(text) >= ownText && w.first(unsafe.Pointer(unsafe.StringData(text))) {
		w.bytes += uint64(len(text))
	}
}

func (w *walk) object(v lua.LValue, p unsafe.Pointer) {
	if p != nil && w.first(p) {
		w.queue = append(w.queue, v)
	}
}

// inside counts what an object refers to.
func (w *walk) inside(v lua.LValue) {
	switch v := v.(type) {
	case *lua.LTable:
		w.table(v)
	case *lua.LFunction:
		w.function(v)
	case *lua.LUserData:
		w.bytes += userdataBytes
		w.value(v.Metatable)
		if a, ok := v.Value.(*Array); ok && len(a.raw) > 0 && w.first(unsafe.Pointer(&a.raw[0])) {
			w.bytes += uint64(cap(a.raw))
		}
	case *lua.LState:
		registers := registersOf(v)
		w.bytes += threadBytes + uint64(cap(registers))*valueBytes
		w.values(registers)
		w.value(v.Env)
	}
}

func (w *walk) values(list []lua.LValue) {
	for _, v := range list {
		w.value(v)
	}
}

func (w *walk) table(t *lua.LTable) {
	array, keys := *arrayOfTable(t), keysOfTable(t)
	w.bytes += tableBytes + uint64(cap(array))*valueBytes + uint64(len(keys))*keyBytes
	w.values(array)
	w.values(keys)
	for _, v := range textKeyed(t) {
		w.bytes += textEntryBytes
		w.value(v)
	}
	for _, v := range otherKeyed(t) {
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
