package luabind

import (
	"fmt"
	"reflect"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// What is read here of gopher-lua's machine it shows nobody: which instruction comes next, what the registers hold, how large
// tables are. The fields are found by name and type when the program starts, so that a release of the library that has others
// is noticed at once. Nothing is written.

var (
	stateType    = reflect.TypeFor[lua.LState]()
	frameType    = pointee(stateType, "currentFrame")
	registryType = pointee(stateType, "reg")
	tableType    = reflect.TypeFor[lua.LTable]()

	frameField    = offsetOf(stateType, "currentFrame", reflect.PointerTo(frameType))
	registryField = offsetOf(stateType, "reg", reflect.PointerTo(registryType))
	functionField = offsetOf(frameType, "Fn", reflect.TypeFor[*lua.LFunction]())
	parentField   = offsetOf(frameType, "Parent", reflect.PointerTo(frameType))
	counterField  = offsetOf(frameType, "Pc", reflect.TypeFor[int]())
	baseField     = offsetOf(frameType, "LocalBase", reflect.TypeFor[int]())
	valuesField   = offsetOf(registryType, "array", reflect.TypeFor[[]lua.LValue]())

	arrayField   = offsetOf(tableType, "array", reflect.TypeFor[[]lua.LValue]())
	stringsField = offsetOf(tableType, "strdict", reflect.TypeFor[map[string]lua.LValue]())
	othersField  = offsetOf(tableType, "dict", reflect.TypeFor[map[lua.LValue]lua.LValue]())
	keysField    = offsetOf(tableType, "keys", reflect.TypeFor[[]lua.LValue]())
)

func pointee(t reflect.Type, name string) reflect.Type {
	f, ok := t.FieldByName(name)
	if !ok || f.Type.Kind() != reflect.Pointer {
		panic(fmt.Sprintf("%s has no pointer %s; the library has changed", t, name))
	}
	return f.Type.Elem()
}

func offsetOf(t reflect.Type, name string, want reflect.Type) uintptr {
	f, ok := t.FieldByName(name)
	if !ok || f.Type != want {
		panic(fmt.Sprintf("%s has no field %s of type %s; the library has changed", t, name, want))
	}
	return f.Offset
}

// at returns the field at an offset of what p points to.
func at[T any](p unsafe.Pointer, offset uintptr) *T { return (*T)(unsafe.Add(p, offset)) }

// Layout of an instruction: opcode, A, C and B, from the highest bit to the lowest.
const (
	opcodeShift = 26
	opcodes     = 1 << (32 - opcodeShift)
	constantBit = 1 << 8 // in B and C: a constant, not a register
)

func argA(i uint32) int { return int(i>>18) & 0xff }
func argB(i uint32) int { return int(i & 0x1ff) }
func argC(i uint32) int { return int(i>>9) & 0x1ff }

// heavy marks the instructions that can allocate much at once.
var heavy = [opcodes]bool{lua.OP_CONCAT: true, lua.OP_SETTABLE: true}

// frame is what an instruction works on.
type frame struct {
	proto *lua.FunctionProto
	base  int // its first register
}

// value returns what B or C of an instruction names.
func (f frame) value(registers []lua.LValue, arg int) lua.LValue {
	if arg&constantBit != 0 {
		return f.proto.Constants[arg&^constantBit]
	}
	return registers[arg]
}

// nextInstruction returns the instruction that the machine has fetched and not yet executed.
func nextInstruction(l *lua.LState) (uint32, frame) {
	current := *at[unsafe.Pointer](unsafe.Pointer(l), frameField)
	proto := (*at[*lua.LFunction](current, functionField)).Proto
	return proto.Code[*at[int](current, counterField)-1], frame{proto, *at[int](current, baseField)}
}

// yieldable reports whether a coroutine can be left from where it is: every call under way is one that the machine itself made
// for a call in Lua. The library does not look, and is in disorder after it left a metamethod or a Go function.
func yieldable(l *lua.LState) bool {
	for f := *at[unsafe.Pointer](unsafe.Pointer(l), frameField); ; {
		if f = *at[unsafe.Pointer](f, parentField); f == nil {
			return true
		}
		fn := *at[*lua.LFunction](f, functionField)
		if fn.IsG {
			return false
		}
		if op := int(fn.Proto.Code[*at[int](f, counterField)-1] >> opcodeShift); op != lua.OP_CALL && op != lua.OP_TAILCALL {
			return false
		}
	}
}

// registersOf returns all registers of a coroutine; those that are not in use are nil.
func registersOf(l *lua.LState) []lua.LValue {
	return *at[[]lua.LValue](*at[unsafe.Pointer](unsafe.Pointer(l), registryField), valuesField)
}

func arrayOfTable(t *lua.LTable) *[]lua.LValue {
	return at[[]lua.LValue](unsafe.Pointer(t), arrayField)
}

// keysOfTable returns the keys that a table ever had.
func keysOfTable(t *lua.LTable) []lua.LValue {
	return *at[[]lua.LValue](unsafe.Pointer(t), keysField)
}

func textKeyed(t *lua.LTable) map[string]lua.LValue {
	return *at[map[string]lua.LValue](unsafe.Pointer(t), stringsField)
}

func otherKeyed(t *lua.LTable) map[lua.LValue]lua.LValue {
	return *at[map[lua.LValue]lua.LValue](unsafe.Pointer(t), othersField)
}
