package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/internal/convert"
)

// bytes is string.byte(text [, i [, j]]).
func (lib *Library) bytes(l *lua.LState) int {
	text := convert.TextArg(l, 1)
	first := fromStart(convert.OptionalInteger(l, 2, 1), len(text))
	last := fromStart(convert.OptionalInteger(l, 3, first), len(text))
	first, last = max(first, 1), min(last, len(text))
	if first > last {
		return 0
	}
	if last-first >= vm.MaxResults {
		l.RaiseError("string slice too long")
	}
	for _, c := range []byte(text[first-1 : last]) {
		l.Push(lua.LNumber(c))
	}
	return last - first + 1
}

// fromStart turns a position that counts from the end if it is negative into one that counts from the start; 0 is
// before it.
func fromStart(position, length int) int {
	if position < 0 {
		return max(position+length+1, 0)
	}
	return position
}

// char is string.char(...).
func char(l *lua.LState) int {
	text := make([]byte, l.GetTop())
	for i := range text {
		c := convert.IntegerArg(l, i+1)
		if c != int(byte(c)) {
			l.ArgError(i+1, "invalid value")
		}
		text[i] = byte(c)
	}
	return vm.Push(l, lua.LString(text))
}

// length is string.len(text).
func length(l *lua.LState) int {
	return vm.Push(l, lua.LNumber(len(convert.TextArg(l, 1))))
}

// sub is string.sub(text, i [, j]).
func sub(l *lua.LState) int {
	text := convert.TextArg(l, 1)
	first := max(fromStart(convert.IntegerArg(l, 2), len(text)), 1)
	last := min(fromStart(convert.OptionalInteger(l, 3, -1), len(text)), len(text))
	if first > last {
		l.Push(lua.LString(""))
	} else {
		l.Push(lua.LString(text[first-1 : last]))
	}
	return 1
}

// reverse is string.reverse(text).
func (lib *Library) reverse(l *lua.LState) int {
	text := convert.TextArg(l, 1)
	return lib.pushBytes(l, len(text), func(i int) byte { return text[len(text)-1-i] })
}

// lower is string.lower(text). Only ASCII letters change: other bytes need not be text.
func (lib *Library) lower(l *lua.LState) int {
	return lib.mapBytes(l, func(c byte) byte {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	})
}

// upper is string.upper(text).
func (lib *Library) upper(l *lua.LState) int {
	return lib.mapBytes(l, func(c byte) byte {
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		return c
	})
}

// mapBytes maps each byte of a string.
func (lib *Library) mapBytes(l *lua.LState, change func(byte) byte) int {
	text := convert.TextArg(l, 1)
	return lib.pushBytes(l, len(text), func(i int) byte { return change(text[i]) })
}

// pushBytes pushes a string of n bytes, which it writes once: a conversion of a slice would copy it.
func (lib *Library) pushBytes(l *lua.LState, n int, at func(i int) byte) int {
	lib.m.Meter().Reserve(l, uint64(n))
	var out strings.Builder
	out.Grow(n)
	for i := range n {
		if i%vm.LargeAllocation == 0 {
			lib.m.Meter().Check(l)
		}
		out.WriteByte(at(i))
	}
	return vm.Push(l, lua.LString(out.String()))
}
