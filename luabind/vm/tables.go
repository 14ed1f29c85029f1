package vm

import (
	"sort"

	lua "github.com/yuin/gopher-lua"
)

// tableLibrary has the functions of the table library that may take long or allocate much.
type tableLibrary struct {
	m     *Machine
	meter *Meter
}

func (t *tableLibrary) open(lib *lua.LTable) {
	lib.RawSetString("sort", t.m.Function("table.sort", t.sort))
	lib.RawSetString("concat", t.m.Function("table.concat", t.concat))
	insert := libraryFunction(lib, "insert")
	lib.RawSetString("insert", t.m.Function("table.insert", func(l *lua.LState) int {
		if l.GetTop() == 3 {
			t.meter.Reserve(l, growth(l.CheckTable(1), l.Get(2)))
		}
		return insert(l)
	}))
	lib.RawSetString("unpack", t.m.lua.G.Global.RawGetString("unpack"))
}

// openRawset makes rawset reserve the memory that it takes.
func (t *tableLibrary) openRawset(g *lua.LTable) {
	rawset := libraryFunction(g, "rawset")
	g.RawSetString("rawset", t.m.Function("rawset", func(l *lua.LState) int {
		t.meter.Reserve(l, growth(l.CheckTable(1), l.Get(2)))
		return rawset(l)
	}))
}

// sort sorts a copy of the list and copies it back, so that a comparison function that changes the table does no harm.
func (t *tableLibrary) sort(l *lua.LState) int {
	table := l.CheckTable(1)
	n := table.Len()
	t.meter.Reserve(l, uint64(n)*valueBytes)
	list := &sorter{values: make([]lua.LValue, n), less: l.LessThan, step: t.meter.Every(l, 1<<13)}
	for i := range list.values {
		list.values[i] = table.RawGetInt(i + 1)
	}
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
		table.RawSetInt(i+1, v)
	}
	return 0
}

type sorter struct {
	values []lua.LValue
	less   func(a, b lua.LValue) bool
	step   func()
}

func (s *sorter) Len() int      { return len(s.values) }
func (s *sorter) Swap(i, j int) { s.values[i], s.values[j] = s.values[j], s.values[i] }
func (s *sorter) Less(i, j int) bool {
	s.step()
	return s.less(s.values[i], s.values[j])
}

// concat is table.concat(list [, separator [, i [, j]]]).
func (t *tableLibrary) concat(l *lua.LState) int {
	table, separator := l.CheckTable(1), l.OptString(2, "")
	low, high := l.OptInt(3, 1), l.OptInt(4, table.Len())
	if low > high {
		l.Push(lua.LString(""))
		return 1
	}
	var out []byte
	reserved := 0
	step := t.meter.Every(l, 1<<13)
	for i := low; ; i++ {
		step()
		v := table.RawGetInt(i)
		if !lua.LVCanConvToString(v) {
			l.RaiseError("invalid value (%s) at index %d in table for concat", v.Type().String(), i)
		}
		text := lua.LVAsString(v)
		if need := len(out) + len(text) + len(separator); need >= reserved+largeAllocation {
			reserved = need
			// Appending may double the capacity, and the string is a copy.
			t.meter.Reserve(l, 2*uint64(need))
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
