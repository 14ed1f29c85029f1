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
	read  func() (seconds float64, ok bool) // instead of the time since the start; may be nil
}

func systemOf(lib *Library) *system { return &system{lib.m, lib.start, lib.opts.Clock} }

func osFields() []field {
	type function = method[*system]
	return methods("os", systemOf, function{"time", (*system).time}, function{"date", (*system).date},
		function{"difftime", static[*system](difftime)}, function{"clock", (*system).clock},
		function{"getenv", (*system).getenv}, function{"setenv", (*system).setenv})
}

func ioFields() []field {
	list := append(methods("io", systemOf, method[*system]{"write", (*system).write}),
		methods("io", func(lib *Library) *Library { return lib }, method[*Library]{"type", (*Library).typeOfStream})...)
	for _, name := range streamNames {
		list = append(list, field{name, func(lib *Library) lua.LValue {
			if lib.IsFull() {
				return lib.tables["io"].RawGetString(name)
			}
			return systemOf(lib).stream("io." + name)
		}})
	}
	return list
}

var streamNames = []string{"stdout", "stderr"}

// typeOfStream is io.type of the sandbox, which has no other files than its streams. The full sandbox has Lua's own.
func (lib *Library) typeOfStream(l *lua.LState) int {
	for _, name := range streamNames {
		if l.CheckAny(1) == lib.table("io").RawGetString(name) {
			return vm.Push(l, lua.LString("file"))
		}
	}
	return vm.Push(l, lua.LNil)
}

// stream makes a stream of the sandbox. All streams write to the output of the run.
func (s *system) stream(name string) *lua.LTable {
	t := s.m.State().CreateTable(0, 3)
	for _, f := range []method[*system]{{"write", (*system).writeStream}, {"flush", (*system).ignore},
		{"setvbuf", (*system).ignore}} {
		t.RawSetString(f.name, s.m.Function(name+":"+f.name, func(l *lua.LState) int { return f.call(s, l) }))
	}
	return t
}

// ignore returns true, as functions of Lua do that succeed.
func (s *system) ignore(l *lua.LState) int { return vm.Push(l, lua.LTrue) }

// writeStream writes what follows the stream, and returns true.
func (s *system) writeStream(l *lua.LState) int {
	l.CheckTable(1)
	l.Remove(1)
	s.write(l)
	return s.ignore(l)
}

func (s *system) clock(l *lua.LState) int {
	if s.read != nil {
		if seconds, ok := s.read(); ok {
			return vm.Push(l, lua.LNumber(seconds))
		}
	}
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
