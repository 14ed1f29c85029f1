package lualib

import (
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/internal/convert"
)

// system has the safe part of the os and io libraries: time, the environment of the run, and output.
type system struct {
	m     *vm.Machine
	start time.Time
}

func systemOf(lib *Library) *system { return &system{lib.m, lib.start} }

func osFields() []field {
	type function = method[*system]
	return methods("os", systemOf, function{"time", (*system).time}, function{"date", (*system).date},
		function{"difftime", static[*system](difftime)}, function{"clock", (*system).clock},
		function{"getenv", (*system).getenv}, function{"setenv", (*system).setenv})
}

func ioFields() []field {
	return methods("io", systemOf, method[*system]{"write", (*system).write})
}

func (s *system) clock(l *lua.LState) int {
	return vm.Push(l, lua.LNumber(time.Since(s.start).Seconds()))
}

func (s *system) getenv(l *lua.LState) int {
	if value, set := s.m.Env()[l.CheckString(1)]; set {
		l.Push(lua.LString(value))
	} else {
		l.Push(lua.LNil)
	}
	return 1
}

// setenv sets a variable for this run only, or removes it if the value is nil.
func (s *system) setenv(l *lua.LState) int {
	name := l.CheckString(1)
	switch v := l.Get(2).(type) {
	case *lua.LNilType:
		delete(s.m.Env(), name)
	case lua.LString, lua.LNumber:
		s.m.Env()[name] = v.String()
	default:
		s.m.Raisef(l, "os.setenv: value: got %s, want a string, a number or nil", vm.Describe(v))
	}
	return 0
}

func (s *system) write(l *lua.LState) int {
	for i := 1; i <= l.GetTop(); i++ {
		s.m.Write(l, convert.String(l, l.Get(i)))
	}
	return 0
}
