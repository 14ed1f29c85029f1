package lualib

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
)

func coroutineFields() []field {
	guarded := methods("coroutine",
		method{"create", func(lib *Library, l *lua.LState) int { return lib.m.CreateCoroutine(l) }},
		method{"wrap", (*Library).wrapCoroutine},
		method{"status", static(coroutineStatus)},
		method{"running", static(runningCoroutine)})
	return append(guarded, field{"resume", func(lib *Library) lua.LValue {
		return lib.lua.NewFunction(func(l *lua.LState) int { return lib.m.ResumeCoroutine(l, l.CheckThread(1)) })
	}}, field{"yield", func(lib *Library) lua.LValue { return lib.lua.NewFunction(lib.m.YieldCoroutine) }})
}

// wrapCoroutine makes a coroutine and pushes a function that resumes it. An error of the coroutine is raised again;
// text gets the position of the caller.
// gopher-lua's function leaves its state behind as if the coroutine still ran.
func (lib *Library) wrapCoroutine(l *lua.LState) int {
	m := lib.m
	m.CreateCoroutine(l)
	thread := l.Get(-1).(*lua.LState)
	resume := m.Function("coroutine.wrap", func(l *lua.LState) int {
		l.Insert(thread, 1)
		n := m.ResumeCoroutine(l, thread)
		if l.Get(-n) != lua.LTrue {
			err := l.Get(-1)
			if text, ok := err.(lua.LString); ok {
				err = lua.LString(vm.Position(l, 1)) + text
			}
			m.RaiseValue(l, err)
		}
		return n - 1
	})
	return vm.Push(l, l.NewClosure(resume.GFunction, thread))
}

func coroutineStatus(l *lua.LState) int {
	return vm.Push(l, lua.LString(vm.CoroutineStatus(l, l.CheckThread(1))))
}

// runningCoroutine pushes the coroutine that runs, or nil for the main program.
func runningCoroutine(l *lua.LState) int {
	if l.Parent == nil {
		l.Push(lua.LNil)
	} else {
		l.Push(l)
	}
	return 1
}
