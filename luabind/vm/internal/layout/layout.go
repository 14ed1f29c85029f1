// Package layout reads the parts of gopher-lua's state that its API does not expose: the next instruction, the
// registers, and the storage of tables. It also unwinds a thread after an error: see [Protect].
//
// The fields are found by name and type when the program starts. If a release of gopher-lua changes them, the program
// panics at once. Apart from unwinding, the package only reads.
package layout

import (
	"fmt"
	"reflect"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

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

	arrayField    = offsetOf(tableType, "array", reflect.TypeFor[[]lua.LValue]())
	stringsField  = offsetOf(tableType, "strdict", reflect.TypeFor[map[string]lua.LValue]())
	othersField   = offsetOf(tableType, "dict", reflect.TypeFor[map[lua.LValue]lua.LValue]())
	keysField     = offsetOf(tableType, "keys", reflect.TypeFor[[]lua.LValue]())
	keyIndexField = offsetOf(tableType, "k2i", reflect.TypeFor[map[lua.LValue]int]())
)

func pointee(t reflect.Type, name string) reflect.Type {
	f, ok := t.FieldByName(name)
	if !ok || f.Type.Kind() != reflect.Pointer {
		panic(fmt.Sprintf("layout: %s has no pointer field %s; gopher-lua has changed", t, name))
	}
	return f.Type.Elem()
}

func offsetOf(t reflect.Type, name string, want reflect.Type) uintptr {
	f, ok := t.FieldByName(name)
	if !ok || f.Type != want {
		panic(fmt.Sprintf("layout: %s has no field %s of type %s; gopher-lua has changed", t, name, want))
	}
	return f.Offset
}

// at returns the field at an offset of the struct that p points to.
func at[T any](p unsafe.Pointer, offset uintptr) *T { return (*T)(unsafe.Add(p, offset)) }

// An Instruction holds, from the highest bit to the lowest, the opcode and the arguments A, C and B.
type Instruction uint32

const (
	opcodeShift = 26
	constantBit = 1 << 8 // set in B and C if they name a constant, not a register
	maxBx       = 1<<18 - 1
)

// Opcodes is the number of different opcodes that an Instruction can hold.
const Opcodes = 1 << (32 - opcodeShift)

// Opcode returns the opcode, such as lua.OP_CONCAT.
func (i Instruction) Opcode() int { return int(i >> opcodeShift) }

// A returns argument A.
func (i Instruction) A() int { return int(i>>18) & 0xff }

// B returns argument B.
func (i Instruction) B() int { return int(i & 0x1ff) }

// C returns argument C.
func (i Instruction) C() int { return int(i>>9) & 0x1ff }

// Bx returns the argument that is in the place of B and C.
func (i Instruction) Bx() int { return int(i & maxBx) }

// Jump returns Bx of a jump as a distance.
func (i Instruction) Jump() int { return i.Bx() - maxBx>>1 }

// Constant returns the constant that argument B or C of an instruction names. It reports false if that is a register.
func Constant(proto *lua.FunctionProto, arg int) (lua.LValue, bool) {
	if arg&constantBit == 0 {
		return lua.LNil, false
	}
	return proto.Constants[arg&^constantBit], true
}

// Frame is the call that an instruction belongs to.
type Frame struct {
	address unsafe.Pointer
	proto   *lua.FunctionProto
	base    int // index of its first register
	Depth   int // how many calls are below it
	Counter int // index of the instruction
}

// Proto returns the code of the function.
func (f Frame) Proto() *lua.FunctionProto { return f.proto }

// Line returns the line of the instruction.
func (f Frame) Line() int { return f.proto.DbgSourcePositions[f.Counter] }

// IsTailCall reports whether the call replaced its caller.
func (f Frame) IsTailCall() bool { return *at[int](f.address, tailCallField) > 0 }

// Caller returns the frame of the Lua function that called this one, directly or through Go functions. Its Proto is nil
// if there is none.
func (f Frame) Caller() Frame { return frameOf(*at[unsafe.Pointer](f.address, parentField)) }

// Innermost returns the frame of the innermost Lua function of a thread. Its Proto is nil if there is none.
func Innermost(l *lua.LState) Frame {
	return frameOf(*at[unsafe.Pointer](unsafe.Pointer(l), frameField))
}

// frameOf returns the frame at an address, or the next Lua function below it that executes an instruction.
func frameOf(address unsafe.Pointer) Frame {
	for ; address != nil; address = *at[unsafe.Pointer](address, parentField) {
		fn, counter := *at[*lua.LFunction](address, functionField), *at[int](address, counterField)
		if !fn.IsG && counter > 0 {
			return Frame{address, fn.Proto, *at[int](address, baseField), *at[int](address, depthField), counter - 1}
		}
	}
	return Frame{}
}

// Registers returns the registers of a thread from the first one of the frame on.
func (f Frame) Registers(l *lua.LState) []lua.LValue { return Registers(l)[f.base:] }

// Value returns the constant or register that argument B or C of an instruction names.
func (f Frame) Value(registers []lua.LValue, arg int) lua.LValue {
	if v, ok := Constant(f.proto, arg); ok {
		return v
	}
	return registers[arg]
}

// Next returns the instruction that the thread has fetched but not executed yet.
func Next(l *lua.LState) (Instruction, Frame) {
	f := Innermost(l)
	return Instruction(f.proto.Code[f.Counter]), f
}

// Fetched returns the opcode of the instruction that Next returns, and how many calls are below its frame.
func Fetched(l *lua.LState) (opcode, depth int) {
	current := *at[unsafe.Pointer](unsafe.Pointer(l), frameField)
	proto := (*at[*lua.LFunction](current, functionField)).Proto
	return int(proto.Code[*at[int](current, counterField)-1] >> opcodeShift), *at[int](current, depthField)
}

// Current is like Next. It reports false if the thread runs no instruction, as while it calls a Go function.
func Current(l *lua.LState) (Instruction, Frame, bool) {
	f := Innermost(l)
	if f.address == nil || f.address != *at[unsafe.Pointer](unsafe.Pointer(l), frameField) {
		return 0, Frame{}, false
	}
	return Instruction(f.proto.Code[f.Counter]), f, true
}

// Yieldable reports whether a coroutine can yield where it is: every active call must be a Lua function that a call
// instruction started. gopher-lua does not check this. Its state is corrupt after a yield across a metamethod or a Go
// function.
func Yieldable(l *lua.LState) bool {
	for f := *at[unsafe.Pointer](unsafe.Pointer(l), frameField); ; {
		if f = *at[unsafe.Pointer](f, parentField); f == nil {
			return true
		}
		fn := *at[*lua.LFunction](f, functionField)
		if fn.IsG {
			return false
		}
		op := Instruction(fn.Proto.Code[*at[int](f, counterField)-1]).Opcode()
		if op != lua.OP_CALL && op != lua.OP_TAILCALL {
			return false
		}
	}
}

// ReplaceOpcode replaces an opcode in the instructions of a function.
func ReplaceOpcode(code *lua.FunctionProto, opcode, by int) {
	for i, instruction := range code.Code {
		if Instruction(instruction).Opcode() == opcode {
			code.Code[i] = instruction&(1<<opcodeShift-1) | uint32(by)<<opcodeShift
		}
	}
}

// SetA sets argument A of an instruction of a function.
func SetA(code *lua.FunctionProto, instruction, a int) {
	code.Code[instruction] = code.Code[instruction]&^(0xff<<18) | uint32(a)<<18
}

// Registers returns all registers of a thread. Those that are not in use are nil.
func Registers(l *lua.LState) []lua.LValue {
	return *at[[]lua.LValue](*at[unsafe.Pointer](unsafe.Pointer(l), registryField), valuesField)
}

// Array returns the array part of a table.
func Array(t *lua.LTable) []lua.LValue { return *at[[]lua.LValue](unsafe.Pointer(t), arrayField) }

// Keys returns the keys that a table has or had. gopher-lua keeps removed keys.
func Keys(t *lua.LTable) []lua.LValue { return *at[[]lua.LValue](unsafe.Pointer(t), keysField) }

// StringFields returns the fields of a table whose keys are strings.
func StringFields(t *lua.LTable) map[string]lua.LValue {
	return *at[map[string]lua.LValue](unsafe.Pointer(t), stringsField)
}

// OtherFields returns the fields of a table that are neither in its array part nor have a string as key.
func OtherFields(t *lua.LTable) map[lua.LValue]lua.LValue {
	return *at[map[lua.LValue]lua.LValue](unsafe.Pointer(t), othersField)
}

// HasKey reports whether a key of a table can be passed to its method Next: nil, and keys that the table has or had.
func HasKey(t *lua.LTable, key lua.LValue) bool {
	if key == lua.LNil {
		return true
	}
	if n, ok := key.(lua.LNumber); ok && n >= 1 && n == lua.LNumber(int(n)) && int(n) <= len(Array(t)) {
		return true
	}
	_, ok := (*at[map[lua.LValue]int](unsafe.Pointer(t), keyIndexField))[key]
	return ok
}
