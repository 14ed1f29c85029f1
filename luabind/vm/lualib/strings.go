package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/internal/convert"
	"roclua/luabind/vm/internal/pattern"
)

// stringFields returns the string library. In contrast to gopher-lua's functions, its own end when the run ends, and
// reserve memory before they allocate it.
func stringFields() []field {
	own := methods("string",
		method{"find", (*Library).find}, method{"match", (*Library).match},
		method{"gmatch", (*Library).gmatch}, method{"gsub", (*Library).gsub},
		method{"rep", (*Library).rep}, method{"format", (*Library).format},
		method{"byte", (*Library).bytes}, method{"char", static(char)},
		method{"len", static(length)}, method{"sub", static(sub)},
		method{"reverse", (*Library).reverse}, method{"lower", (*Library).lower},
		method{"upper", (*Library).upper})
	return append(own, alias("gfind", "string", "gmatch"))
}

// openStrings makes the functions of the string library the methods of strings, and protects the metatable that all
// strings share.
func openStrings(m *vm.Machine, lib *lua.LTable) {
	meta := m.State().CreateTable(0, len(arithmetic)+2)
	meta.RawSetString("__index", lib)
	meta.RawSetString("__metatable", lua.LString("string"))
	openArithmetic(m, meta)
	m.State().SetMetatable(lua.LString(""), meta)
}

// rep is string.rep(text, count).
func (lib *Library) rep(l *lua.LState) int {
	text, n := convert.TextArg(l, 1), convert.NumberArg(l, 2)
	if !(n >= 1) || text == "" { // also if n is NaN
		return vm.Push(l, lua.LString(""))
	}
	// A float holds every product, also one that an int does not hold.
	lib.m.Meter().Reserve(l, uint64(min(n*float64(len(text)), 1<<62)))
	return vm.Push(l, lua.LString(strings.Repeat(text, int(n))))
}

// matcher returns a matcher that stops when the run ends.
func (lib *Library) matcher(l *lua.LState, text, pat string, anchors bool) *pattern.Matcher {
	return pattern.New(text, pat, anchors, func() { lib.m.Meter().Check(l) })
}

// offset turns a position in a string of Lua, which may count from the end, into a 0-based offset. Positions beyond the
// string become its ends.
func offset(init, length int) int { return min(max(fromStart(init, length)-1, 0), length) }

// checkPattern raises the error of an invalid pattern.
func checkPattern(l *lua.LState, err error) {
	if err != nil {
		l.RaiseError("%s", err.Error())
	}
}

// pushCaptures pushes the captures of a match, or the whole match when there are none and whole is set.
func pushCaptures(l *lua.LState, m *pattern.Matcher, match string, whole bool) int {
	if m.Captures() == 0 && whole {
		return vm.Push(l, lua.LString(match))
	}
	for i := range m.Captures() {
		l.Push(capture(l, m, i))
	}
	return m.Captures()
}

// capture returns a capture: a string, or a number if it is a position.
func capture(l *lua.LState, m *pattern.Matcher, i int) lua.LValue {
	text, at, err := m.Capture(i)
	checkPattern(l, err)
	if at > 0 {
		return lua.LNumber(at)
	}
	return lua.LString(text)
}

// find is string.find(text, pattern [, init [, plain]]).
func (lib *Library) find(l *lua.LState) int {
	text, pat := convert.TextArg(l, 1), convert.TextArg(l, 2)
	init := offset(convert.OptionalInteger(l, 3, 1), len(text))
	if l.ToBool(4) || pattern.Plain(pat) {
		at := strings.Index(text[init:], pat)
		if at < 0 {
			return vm.Push(l, lua.LNil)
		}
		return vm.Push(l, lua.LNumber(init+at+1), lua.LNumber(init+at+len(pat)))
	}
	m := lib.matcher(l, text, pat, true)
	start, end, found, err := m.Find(init)
	checkPattern(l, err)
	if !found {
		return vm.Push(l, lua.LNil)
	}
	l.Push(lua.LNumber(start + 1))
	l.Push(lua.LNumber(end))
	return 2 + pushCaptures(l, m, "", false)
}

// match is string.match(text, pattern [, init]).
func (lib *Library) match(l *lua.LState) int {
	text, pat := convert.TextArg(l, 1), convert.TextArg(l, 2)
	m := lib.matcher(l, text, pat, true)
	start, end, found, err := m.Find(offset(convert.OptionalInteger(l, 3, 1), len(text)))
	checkPattern(l, err)
	if found {
		return pushCaptures(l, m, text[start:end], true)
	}
	return vm.Push(l, lua.LNil)
}

// gmatch returns a function that finds one match after the other. A ^ has no special meaning there.
func (lib *Library) gmatch(l *lua.LState) int {
	text, pat, next := convert.TextArg(l, 1), convert.TextArg(l, 2), 0
	l.Push(lib.m.Function("string.gmatch", func(l *lua.LState) int {
		m := lib.matcher(l, text, pat, false)
		start, end, found, err := m.Find(next)
		checkPattern(l, err)
		if !found {
			next = len(text) + 1
			return vm.Push(l, lua.LNil)
		}
		next = end
		if end == start {
			next++
		}
		return pushCaptures(l, m, text[start:end], true)
	}))
	return 1
}

// gsub is string.gsub(text, pattern, replacement [, count]).
func (lib *Library) gsub(l *lua.LState) int {
	text, pat := convert.TextArg(l, 1), convert.TextArg(l, 2)
	switch l.Get(3).Type() {
	case lua.LTString, lua.LTNumber, lua.LTTable, lua.LTFunction:
	default:
		l.ArgError(3, "string/function/table expected")
	}
	most := convert.OptionalInteger(l, 4, len(text)+1)
	m := lib.matcher(l, text, pat, true)
	lib.m.Meter().Reserve(l, 2*uint64(len(text))) // writing may double the capacity
	var out strings.Builder
	reserved, at, n := 0, 0, 0
	for step := lib.m.Meter().Every(l, 256); n < most; step() {
		end, found, err := m.At(at)
		checkPattern(l, err)
		if found {
			n++
			by := lib.replacement(l, m, text[at:end])
			if need := out.Len() + len(by); need >= reserved+vm.LargeAllocation {
				reserved = need
				lib.m.Meter().Reserve(l, 2*uint64(need)) // writing may double the capacity
			}
			out.WriteString(by)
		}
		switch {
		case found && end > at:
			at = end
		case at < len(text):
			out.WriteByte(text[at])
			at++
		default:
			most = 0
		}
		if m.Anchored() {
			break
		}
	}
	out.WriteString(text[min(at, len(text)):])
	return vm.Push(l, lua.LString(out.String()), lua.LNumber(n))
}

// replacement returns the replacement of a match in gsub.
func (lib *Library) replacement(l *lua.LState, m *pattern.Matcher, match string) string {
	var v lua.LValue
	switch by := l.Get(3).(type) {
	case *lua.LTable:
		v = l.GetTable(by, firstCapture(l, m, match))
	case *lua.LFunction:
		l.Push(by)
		l.Call(pushCaptures(l, m, match, true), 1)
		v = l.Get(-1)
		l.Pop(1)
	default:
		return lib.expand(l, m, convert.TextArg(l, 3), match)
	}
	if lua.LVIsFalse(v) {
		return match
	}
	text, ok := convert.Text(v)
	if !ok {
		l.RaiseError("invalid replacement value (a %s)", v.Type())
	}
	return text
}

// firstCapture returns the key that gsub looks up in a table: the first capture, or the match if there are none.
func firstCapture(l *lua.LState, m *pattern.Matcher, match string) lua.LValue {
	if m.Captures() == 0 {
		return lua.LString(match)
	}
	return capture(l, m, 0)
}

// expand replaces %0 to %9 by captures.
func (lib *Library) expand(l *lua.LState, m *pattern.Matcher, by, match string) string {
	if !strings.Contains(by, "%") {
		return by
	}
	longest := uint64(len(match)) // no capture is longer
	lib.m.Meter().Reserve(l, uint64(len(by))+uint64(strings.Count(by, "%"))*longest)
	var out strings.Builder
	for i := 0; i < len(by); i++ {
		if by[i] != '%' {
			out.WriteByte(by[i])
			continue
		}
		c := byte(0) // after the end, as in C
		if i++; i < len(by) {
			c = by[i]
		}
		switch {
		case c == '0' || c == '1' && m.Captures() == 0:
			out.WriteString(match)
		case '1' <= c && c <= '9':
			out.WriteString(capture(l, m, int(c-'1')).String())
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}
