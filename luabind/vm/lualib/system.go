package lualib

import (
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/internal/convert"
)

// osFields returns the safe part of the os library.
func osFields() []field {
	return methods("os", method{"time", (*Library).time}, method{"date", (*Library).date},
		method{"difftime", static(difftime)}, method{"clock", (*Library).clock})
}

func ioFields() []field {
	list := methods("io", method{"write", (*Library).write}, method{"type", (*Library).typeOfStream})
	for _, name := range streamNames {
		list = append(list, field{name, func(lib *Library) lua.LValue {
			if lib.IsFull() {
				return lib.tables["io"].RawGetString(name)
			}
			return lib.stream("io." + name)
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
func (lib *Library) stream(name string) *lua.LTable {
	t := lib.m.State().CreateTable(0, 3)
	for _, f := range []method{{"write", (*Library).writeStream}, {"flush", static(ignore)},
		{"setvbuf", static(ignore)}} {
		t.RawSetString(f.name, lib.m.Function(name+":"+f.name, func(l *lua.LState) int { return f.call(lib, l) }))
	}
	return t
}

// ignore returns true, as functions of Lua do that succeed.
func ignore(l *lua.LState) int { return vm.Push(l, lua.LTrue) }

// writeStream writes the arguments after the stream, and returns true.
func (lib *Library) writeStream(l *lua.LState) int {
	l.CheckTable(1)
	l.Remove(1)
	lib.write(l)
	return ignore(l)
}

func (lib *Library) clock(l *lua.LState) int {
	if lib.opts.Clock != nil {
		if seconds, ok := lib.opts.Clock(); ok {
			return vm.Push(l, lua.LNumber(seconds))
		}
	}
	return vm.Push(l, lua.LNumber(time.Since(lib.start).Seconds()))
}

func (lib *Library) write(l *lua.LState) int {
	for i := 1; i <= l.GetTop(); i++ {
		lib.m.Write(l, convert.String(l, l.Get(i)))
	}
	return 0
}
