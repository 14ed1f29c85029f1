package memory

import (
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
	ValueBytes    = 16 // of a value in a register, an array or a table
	numberBytes   = 8
	stringBytes   = 16 // without the text
	tableBytes    = 128
	functionBytes = 64
	upvalueBytes  = 64
	userdataBytes = 64
	protoBytes    = 2048    // of the code of a function, without its instructions, their lines and its constants
	threadBytes   = 7 << 10 // without its registers; the index of its calls takes most
	FieldBytes    = 48      // of a field of a table with a string as key, without the string
	entryBytes    = 64      // of a field with another key
	keyBytes      = 80      // a table keeps its keys in a list and a map, also removed keys
)

// ListBytes returns the size of a Lua list of numbers, for Meter.Reserve.
func ListBytes(numbers int) uint64 { return uint64(numbers) * (ValueBytes + numberBytes) }

// PairBytes is the size of a Lua table with two numbers, for Meter.Reserve.
const PairBytes = tableBytes + 2*(ValueBytes+numberBytes)

// RecordBytes returns the size of a Lua list of tables with string keys, for Meter.Reserve.
func RecordBytes(tables, fields int) uint64 {
	return uint64(tables) * (ValueBytes + tableBytes + uint64(fields)*(FieldBytes+keyBytes+numberBytes))
}

// Growth returns the bytes by which the array of a table grows if a key is set.
func Growth(table *lua.LTable, key lua.LValue) uint64 {
	n, ok := key.(lua.LNumber)
	if table == nil || !ok || n < 1 || n >= lua.LNumber(lua.MaxArrayIndex) {
		return 0
	}
	return uint64(max(int(n)-len(layout.Array(table)), 0)) * ValueBytes
}
