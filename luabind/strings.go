package luabind

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/pattern"
)

// openStrings puts in place of gopher-lua's string functions those that may take long or make long texts: ours notice the end
// of a case while they work, and ask for memory before they take it. The metatable that all texts share is closed.
func (s *State) openStrings(lib *lua.LTable) {
	lib.RawSetString("dump", lua.LNil)
	for name, fn := range map[string]lua.LGFunction{"find": s.stringFind, "match": s.stringMatch, "gmatch": s.stringGmatch,
		"gsub": s.stringGsub, "rep": s.stringRep, "format": s.stringFormat} {
		lib.RawSetString(name, s.function("string."+name, fn))
	}
	lib.RawSetString("gfind", lib.RawGetString("gmatch"))
	for _, name := range []string{"lower", "upper", "reverse"} {
		make := libraryFunction(lib, name)
		lib.RawSetString(name, s.function("string."+name, func(l *lua.LState) int {
			s.long(l, len(l.CheckString(1)))
			return make(l)
		}))
	}
	lib.RawSetString("__index", lua.LNil)
	meta := s.lua.NewTable()
	meta.RawSetString("__index", lib)
	meta.RawSetString("__metatable", lua.LString("string"))
	s.lua.SetMetatable(lua.LString(""), meta)
}

// long asks for the memory of a text.
func (s *State) long(l *lua.LState, bytes int) {
	if bytes >= largeAllocation {
		s.room(l, uint64(bytes))
	}
}

func (s *State) stringRep(l *lua.LState) int {
	text, n := l.CheckString(1), float64(l.CheckNumber(2))
	if !(n >= 1) || text == "" { // NaN is not, either
		l.Push(lua.LString(""))
		return 1
	}
	// A float holds every product, also those that an int does not.
	if bytes := n * float64(len(text)); bytes >= largeAllocation {
		s.room(l, uint64(min(bytes, 1<<62)))
	}
	l.Push(lua.LString(strings.Repeat(text, int(n))))
	return 1
}

// matcher makes a matcher that ends with the case.
func (s *State) matcher(l *lua.LState, text, pat string, anchors bool) *pattern.Matcher {
	return pattern.New(text, pat, anchors, func() { s.working(l) })
}

// from turns Lua's place in a text, which may count from its end, into an offset.
func from(init, length int) int {
	switch {
	case init > 0:
		return init - 1
	case init < 0:
		return max(length+init, 0)
	}
	return 0
}

func checkPattern(l *lua.LState, err error) {
	if err != nil {
		l.RaiseError("%s", err.Error())
	}
}

// pushCaptures pushes the captures of a match, or the whole match when there are none and whole is set.
func pushCaptures(l *lua.LState, m *pattern.Matcher, match string, whole bool) int {
	if m.Captures() == 0 && whole {
		l.Push(lua.LString(match))
		return 1
	}
	for i := range m.Captures() {
		l.Push(capture(l, m, i))
	}
	return m.Captures()
}

func capture(l *lua.LState, m *pattern.Matcher, i int) lua.LValue {
	text, at, err := m.Capture(i)
	checkPattern(l, err)
	if at > 0 {
		return lua.LNumber(at)
	}
	return lua.LString(text)
}

func (s *State) stringFind(l *lua.LState) int {
	text, pat := l.CheckString(1), l.CheckString(2)
	init := from(l.OptInt(3, 1), len(text))
	if init > len(text) {
		l.Push(lua.LNil)
		return 1
	}
	if l.ToBool(4) || pattern.Plain(pat) {
		at := strings.Index(text[init:], pat)
		if at < 0 {
			l.Push(lua.LNil)
			return 1
		}
		l.Push(lua.LNumber(init + at + 1))
		l.Push(lua.LNumber(init + at + len(pat)))
		return 2
	}
	m := s.matcher(l, text, pat, true)
	start, end, found, err := m.Find(init)
	checkPattern(l, err)
	if !found {
		l.Push(lua.LNil)
		return 1
	}
	l.Push(lua.LNumber(start + 1))
	l.Push(lua.LNumber(end))
	return 2 + pushCaptures(l, m, "", false)
}

func (s *State) stringMatch(l *lua.LState) int {
	text, pat := l.CheckString(1), l.CheckString(2)
	init := from(l.OptInt(3, 1), len(text))
	if init <= len(text) {
		m := s.matcher(l, text, pat, true)
		start, end, found, err := m.Find(init)
		checkPattern(l, err)
		if found {
			return pushCaptures(l, m, text[start:end], true)
		}
	}
	l.Push(lua.LNil)
	return 1
}

// stringGmatch gives a function that finds one match after the other; a ^ has no meaning there.
func (s *State) stringGmatch(l *lua.LState) int {
	text, pat, next := l.CheckString(1), l.CheckString(2), 0
	l.Push(s.function("string.gmatch", func(l *lua.LState) int {
		m := s.matcher(l, text, pat, false)
		start, end, found, err := m.Find(next)
		checkPattern(l, err)
		if !found {
			next = len(text) + 1
			l.Push(lua.LNil)
			return 1
		}
		next = end
		if end == start {
			next++
		}
		return pushCaptures(l, m, text[start:end], true)
	}))
	return 1
}

func (s *State) stringGsub(l *lua.LState) int {
	text, pat := l.CheckString(1), l.CheckString(2)
	l.CheckTypes(3, lua.LTString, lua.LTNumber, lua.LTTable, lua.LTFunction)
	most := l.OptInt(4, len(text)+1)
	m := s.matcher(l, text, pat, true)
	var out strings.Builder
	asked, at, n := 0, 0, 0
	for tick := s.every(l, 256); n < most; tick() {
		end, found, err := m.At(at)
		checkPattern(l, err)
		if found {
			n++
			out.WriteString(s.replacement(l, m, text[at:end]))
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
		if out.Len() >= asked+largeAllocation {
			asked = out.Len()
			s.room(l, uint64(asked))
		}
		if m.Anchored() {
			break
		}
	}
	out.WriteString(text[min(at, len(text)):])
	l.Push(lua.LString(out.String()))
	l.Push(lua.LNumber(n))
	return 2
}

// replacement is what gsub puts in place of a match.
func (s *State) replacement(l *lua.LState, m *pattern.Matcher, match string) string {
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
		return expand(l, m, by.String(), match)
	}
	switch {
	case lua.LVIsFalse(v):
		return match
	case !lua.LVCanConvToString(v):
		l.RaiseError("invalid replacement value (a %s)", v.Type())
	}
	return v.String()
}

func firstCapture(l *lua.LState, m *pattern.Matcher, match string) lua.LValue {
	if m.Captures() == 0 {
		return lua.LString(match)
	}
	return capture(l, m, 0)
}

// expand puts captures in place of %0 to %9.
func expand(l *lua.LState, m *pattern.Matcher, by, match string) string {
	if !strings.Contains(by, "%") {
		return by
	}
	var out strings.Builder
	for i := 0; i < len(by); i++ {
		if by[i] != '%' || i+1 == len(by) {
			out.WriteByte(by[i])
			continue
		}
		i++
		switch c := by[i]; {
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
