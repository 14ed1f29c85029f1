package luabind

import (
	"sort"

	lua "github.com/yuin/gopher-lua"
)

// openTables puts in place of gopher-lua's table functions those that may take long or make much.
func (s *State) openTables(lib *lua.LTable) {
	lib.RawSetString("sort", s.function("table.sort", s.tableSort))
	lib.RawSetString("concat", s.function("table.concat", s.tableConcat))
	insert := libraryFunction(lib, "insert")
	lib.RawSetString("insert", s.function("table.insert", func(l *lua.LState) int {
		if l.GetTop() == 3 {
			s.grow(l, l.CheckTable(1), l.Get(2))
		}
		return insert(l)
	}))
	lib.RawSetString("unpack", s.lua.G.Global.RawGetString("unpack"))
}

// grow asks for the memory that setting a key takes.
func (s *State) grow(l *lua.LState, table *lua.LTable, key lua.LValue) {
	if bytes := growth(table, key); bytes >= largeAllocation {
		s.room(l, bytes)
	}
}

// tableSort sorts a copy of the list and puts it back, so that a comparator which changes the table finds it whole.
func (s *State) tableSort(l *lua.LState) int {
	t := l.CheckTable(1)
	n := t.Len()
	s.long(l, n*valueBytes)
	list := &sorter{values: make([]lua.LValue, n), tick: s.every(l, 1<<13)}
	for i := range list.values {
		list.values[i] = t.RawGetInt(i + 1)
	}
	list.less = func(a, b lua.LValue) bool { return l.LessThan(a, b) }
	if l.GetTop() > 1 && l.Get(2) != lua.LNil {
		fn := l.CheckFunction(2)
		list.less = func(a, b lua.LValue) bool {
			l.Push(fn)
			l.Push(a)
			l.Push(b)
			l.Call(2, 1)
			less := l.ToBool(-1)
			l.Pop(1)
			return less
		}
	}
	sort.Sort(list)
	for i, v := range list.values {
		t.RawSetInt(i+1, v)
	}
	return 0
}

type sorter struct {
	values []lua.LValue
	less   func(a, b lua.LValue) bool
	tick   func()
}

func (s *sorter) Len() int      { return len(s.values) }
func (s *sorter) Swap(i, j int) { s.values[i], s.values[j] = s.values[j], s.values[i] }
func (s *sorter) Less(i, j int) bool {
	s.tick()
	return s.less(s.values[i], s.values[j])
}

// tableConcat is table.concat(list [, separator [, i [, j]]]).
func (s *State) tableConcat(l *lua.LState) int {
	t, separator := l.CheckTable(1), l.OptString(2, "")
	low, high := l.OptInt(3, 1), l.OptInt(4, t.Len())
	if low > high {
		l.Push(lua.LString(""))
		return 1
	}
	var out []byte
	asked := 0
	tick := s.every(l, 1<<13)
	for i := low; ; i++ {
		tick()
		v := t.RawGetInt(i)
		if !lua.LVCanConvToString(v) {
			l.RaiseError("invalid value (%s) at index %d in table for concat", v.Type().String(), i)
		}
		text := lua.LVAsString(v)
		if need := len(out) + len(text) + len(separator); need >= asked+largeAllocation {
			asked = need
			// Appending may double the room, and the text is a copy.
			s.room(l, 2*uint64(need))
		}
		out = append(out, text...)
		if i == high {
			break
		}
		out = append(out, separator...)
	}
	l.Push(lua.LString(out))
	return 1
}
