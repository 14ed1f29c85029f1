package lualib

import (
	"maps"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/internal/layout"
)

// lua51Functions are functions of Lua 5.1 that the sandbox or gopher-lua does not have.
var lua51Functions = map[string][]string{
	"os":     {"execute", "exit", "getenv", "remove", "rename", "setlocale", "tmpname"},
	"io":     {"close", "flush", "input", "lines", "open", "output", "popen", "read", "tmpfile"},
	"string": {"dump"},
	"debug": {"debug", "getfenv", "gethook", "getinfo", "getlocal", "getmetatable", "getregistry", "getupvalue",
		"setfenv", "sethook", "setlocal", "setmetatable", "setupvalue", "traceback"},
	"package": {"loadlib", "seeall"},
}

// lua51Values are other values of Lua 5.1 that the sandbox does not have, and global functions. They are nil there, so
// that scripts can test for them.
var lua51Values = []string{"debug", "io.stdin", "dofile", "loadfile", "module",
	"newproxy", "getfenv", "setfenv"}

// openAbsent makes the table of a library return functions that raise an error for functions that are absent. The table
// has no such fields, so that scripts and completion do not list them.
func (lib *Library) openAbsent(t *lua.LTable, library string) {
	if lua51Functions[library] == nil {
		return
	}
	meta := lib.lua.CreateTable(0, 2)
	meta.RawSetString("__metatable", lua.LString(library))
	meta.RawSetString("__index", lib.m.Function(library, func(l *lua.LState) int {
		name, _ := l.Get(2).(lua.LString)
		return vm.Push(l, lib.absentFunction(library, string(name)))
	}))
	t.Metatable = meta
}

// absentFunction returns a function that raises an error for a function of a library that is absent, and nil for other
// names.
func (lib *Library) absentFunction(library, name string) lua.LValue {
	if !slices.Contains(lua51Functions[library], name) {
		return lua.LNil
	}
	path := library + "." + name
	return lib.m.Function(path, func(l *lua.LState) int {
		l.RaiseError("%s", unavailable(lib.opts.Sandbox, path))
		return 0
	})
}

func unavailable(sandbox, path string) string {
	if sandbox == bounds.SandboxFull || path == "string.dump" {
		return path + " is not available"
	}
	return path + " is not available in the sandbox"
}

// explainMissing returns the message about a nil value: that the sandbox does not have it, or message with a suggestion
// of a similar name.
func (lib *Library) explainMissing(path, message string) string {
	if slices.Contains(lua51Values, path) {
		return unavailable(lib.opts.Sandbox, path)
	}
	return message + lib.similar(path)
}

// similar suggests a name for a global variable, or for a field of one, that does not exist.
func (lib *Library) similar(path string) string {
	if lib.opts.Suggest == nil {
		return ""
	}
	names := strings.Split(path, ".")
	table := lib.Globals()
	for _, name := range names[:len(names)-1] {
		var ok bool
		if table, ok = table.RawGetString(name).(*lua.LTable); !ok {
			return ""
		}
	}
	fields := layout.StringFields(table)
	if len(fields) > maxSimilar {
		return ""
	}
	return lib.opts.Suggest(names[len(names)-1], slices.Sorted(maps.Keys(fields)))
}

// maxSimilar is the maximum number of fields that similar compares with a name.
const maxSimilar = 1000
