// Package memory measures the memory that Lua values hold, approximately.
package memory

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/layout"
)

// sharedText is the minimum length of strings that are counted once, however many values refer to them.
const sharedText = 32

// A Walk adds up the memory of values and of everything that they refer to. It does not recurse, so that a list of a
// million links needs no deep stack.
type Walk struct {
	seen  addresses
	queue []lua.LValue // values that were found but whose contents were not counted yet
	Bytes uint64       // of the values so far
}

// first reports whether an object is found for the first time.
func (w *Walk) first(p unsafe.Pointer) bool { return w.seen.add(uintptr(p)) }

// Add counts a value, and queues it if it refers to others.
func (w *Walk) Add(v lua.LValue) {
	switch v := v.(type) {
	case lua.LNumber:
		w.Bytes += numberBytes
	case lua.LString:
		w.Bytes += stringBytes
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

func (w *Walk) text(text string) {
	if len(text) >= sharedText && w.first(unsafe.Pointer(unsafe.StringData(text))) {
		w.Bytes += uint64(len(text))
	}
}

func (w *Walk) object(v lua.LValue, p unsafe.Pointer) {
	if p != nil && w.first(p) {
		w.queue = append(w.queue, v)
	}
}

// Finish counts everything that the values so far refer to.
func (w *Walk) Finish() {
	for len(w.queue) > 0 {
		v := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		w.inside(v)
	}
}

// inside counts an object and the values that it refers to.
func (w *Walk) inside(v lua.LValue) {
	switch v := v.(type) {
	case *lua.LTable:
		w.table(v)
	case *lua.LFunction:
		w.function(v)
	case *lua.LUserData:
		w.userdata(v)
	case *lua.LState:
		registers := layout.Registers(v)
		w.Bytes += threadBytes + uint64(cap(registers))*ValueBytes
		w.AddAll(registers)
		w.Add(v.Env)
	}
}

func (w *Walk) userdata(v *lua.LUserData) {
	w.Bytes += userdataBytes
	w.Add(v.Metatable)
	if sizer, ok := v.Value.(Sizer); ok {
		if bytes, first := sizer.HostSize(); first != nil && w.first(unsafe.Pointer(first)) {
			w.Bytes += bytes
		}
	}
}

// AddAll counts a list of values.
func (w *Walk) AddAll(list []lua.LValue) {
	for _, v := range list {
		w.Add(v)
	}
}

func (w *Walk) table(t *lua.LTable) {
	array, keys := layout.Array(t), layout.Keys(t)
	w.Bytes += tableBytes + uint64(cap(array))*ValueBytes + uint64(len(keys))*keyBytes
	w.AddAll(array)
	w.AddAll(keys)
	for _, v := range layout.StringFields(t) {
		w.Bytes += FieldBytes
		w.Add(v)
	}
	for _, v := range layout.OtherFields(t) {
		w.Bytes += entryBytes
		w.Add(v)
	}
	w.Add(t.Metatable)
}

func (w *Walk) function(fn *lua.LFunction) {
	w.Bytes += functionBytes
	w.Add(fn.Env)
	w.proto(fn.Proto)
	for _, up := range fn.Upvalues {
		if up != nil && w.first(unsafe.Pointer(up)) {
			w.Bytes += upvalueBytes
			w.Add(up.Value())
		}
	}
}

// proto counts the code of a function, which a script can make with load.
func (w *Walk) proto(p *lua.FunctionProto) {
	if p == nil || !w.first(unsafe.Pointer(p)) {
		return
	}
	w.Bytes += protoBytes + uint64(4*cap(p.Code)+8*cap(p.DbgSourcePositions)) + uint64(cap(p.Constants))*ValueBytes
	w.AddAll(p.Constants)
	for _, inner := range p.FunctionPrototypes {
		w.proto(inner)
	}
}

// addresses is a set of addresses. It is several times as fast as a map, and walking over a million objects spends most
// of its time in it. Addresses are stable, because Go's heap does not move objects.
type addresses struct {
	slots []uintptr // a power of two, at most three quarters full; 0 is free
	count int
}

// add adds an address. It reports whether the address is new.
func (a *addresses) add(p uintptr) bool {
	if 4*a.count >= 3*len(a.slots) {
		a.enlarge()
	}
	i := a.find(p)
	if a.slots[i] == p {
		return false
	}
	a.slots[i] = p
	a.count++
	return true
}

// find returns the slot of an address, or the free slot where it belongs.
func (a *addresses) find(p uintptr) uint64 {
	mask := uint64(len(a.slots) - 1)
	// Addresses are multiples of a power of two. A multiplication by the golden ratio spreads them.
	i := (uint64(p) * 0x9e3779b97f4a7c15) >> 20 & mask
	for a.slots[i] != 0 && a.slots[i] != p {
		i = (i + 1) & mask
	}
	return i
}

func (a *addresses) enlarge() {
	before := a.slots
	a.slots = make([]uintptr, max(1<<10, 4*len(before)))
	for _, p := range before {
		if p != 0 {
			a.slots[a.find(p)] = p
		}
	}
}
