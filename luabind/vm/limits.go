package vm

import (
	"context"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/internal/convert"
	"roclua/luabind/vm/internal/layout"
	"roclua/luabind/vm/memory"
)

// Limits bound a run. Zero means no limit.
type Limits struct {
	Timeout      time.Duration // time
	Instructions uint64        // executed by the Lua interpreter
	Heap         uint64        // bytes that Lua values, and host values behind them, may hold at once
	Output       uint64        // bytes of text that are printed, and bytes that the host charges
}

// A LimitError reports that a run ended because it reached a limit. No pcall catches it.
type LimitError struct {
	bounds.LimitUse        // the last request is included
	Where           string // the line of the script that ran, such as "solve.lua:12"; "" if unknown
}

func (e *LimitError) Error() string {
	if e.Where == "" {
		return e.String()
	}
	return e.Where + ": " + e.String()
}

// Unwrap returns context.DeadlineExceeded for the time limit.
func (e *LimitError) Unwrap() error {
	if e.Name == bounds.Timeout {
		return context.DeadlineExceeded
	}
	return nil
}

// WithTimeout returns a context that ends after limit with a *LimitError as its cause. If limit is 0, it does not end
// by itself.
func WithTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, TimedOut(limit))
}

// TimedOut returns the error of a run that took longer than limit.
func TimedOut(limit time.Duration) *LimitError {
	return &LimitError{LimitUse: bounds.LimitUse{Name: bounds.Timeout, Max: uint64(limit), Used: uint64(limit)}}
}

// watched has the instructions that can allocate much at once, or whose operands must be converted first.
var watched = [layout.Opcodes]bool{lua.OP_CONCAT: true, lua.OP_SETTABLE: true, lua.OP_FORPREP: true,
	lua.OP_GETTABLE: true}

// prepare reserves the memory of a concatenation, or of an assignment that makes the array of a table grow. It converts
// the strings that a for loop counts with to numbers.
func (mt *Meter) prepare(l *lua.LState, instruction layout.Instruction, f layout.Frame) {
	registers := f.Registers(l)
	bytes := uint64(0)
	switch instruction.Opcode() {
	case lua.OP_CONCAT:
		bytes = concatenated(registers[instruction.B() : instruction.C()+1])
	case lua.OP_FORPREP:
		for i := range 3 {
			bound := &registers[instruction.A()+i]
			if n, ok := convert.Number(*bound); ok {
				*bound = n
			}
		}
	case lua.OP_GETTABLE:
		if key, ok := f.Value(registers, instruction.C()).(lua.LString); ok && len(key) >= LargeAllocation {
			bytes = keyInMessage(registers[instruction.B()], key)
		}
	case lua.OP_SETTABLE:
		table, _ := registers[instruction.A()].(*lua.LTable)
		bytes = memory.Growth(table, f.Value(registers, instruction.B()))
		if key, ok := f.Value(registers, instruction.B()).(lua.LString); ok && len(key) >= LargeAllocation {
			bytes = keyInMessage(registers[instruction.A()], key)
		}
	}
	mt.Reserve(l, bytes)
}

// keyInMessage returns the memory for the message that a value cannot be indexed, which contains the key.
func keyInMessage(indexed lua.LValue, key lua.LString) uint64 {
	if indexed.Type() == lua.LTTable {
		return 0
	}
	return 4 * uint64(len(key))
}

// concatenated returns the size of a concatenation. Numbers are replaced by their text, unless a metamethod may get it:
// gopher-lua would show more digits than Lua 5.1.
func concatenated(values []lua.LValue) (bytes uint64) {
	number, other := false, false
	for _, v := range values {
		switch v := v.(type) {
		case lua.LString:
			bytes += uint64(len(v))
		case lua.LNumber:
			number = true
		default:
			other = true
		}
	}
	if !number || other {
		return bytes
	}
	for i, v := range values {
		if n, ok := v.(lua.LNumber); ok {
			values[i] = lua.LString(convert.Format(n))
		}
	}
	return bytes
}
