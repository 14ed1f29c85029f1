package vm_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/lualib"
	"roclua/tests/busy"
)

// nestings are ways to call a function n from inside of a function of the host or of the interpreter.
var nestings = map[string]string{
	"gsub":        `("x"):gsub("x", n)`,
	"sort":        `table.sort({1, 2}, n)`,
	"__lt":        `local t = setmetatable({}, {__lt = n}) table.sort({t, t})`,
	"__index":     `local _ = setmetatable({}, {__index = n}).x`,
	"__newindex":  `setmetatable({}, {__newindex = n}).x = 1`,
	"__add":       `local _ = setmetatable({}, {__add = n}) + 1`,
	"__concat":    `local _ = setmetatable({}, {__concat = n}) .. ""`,
	"__eq":        `local m = {__eq = n} local _ = setmetatable({}, m) == setmetatable({}, m)`,
	"__call":      `setmetatable({}, {__call = n})()`,
	"__tostring":  `tostring(setmetatable({}, {__tostring = n}))`,
	"load":        `load(n)`,
	"foreach":     `table.foreach({1}, n)`,
	"pcall":       `pcall(n)`,
	"xpcall":      `xpcall(n, print)`,
	"handler":     `xpcall(error, n)`,
	"iterator":    `for _ in n do break end`,
	"coroutine":   `coroutine.wrap(n)()`,
	"coroutine 2": `for _ in coroutine.wrap(n) do end`,
	"tail call":   `local f = function() return n() end f()`,
	"dofile":      `dofile("nested.lua")`,
}

// TestDepth nests calls without end, also in coroutines that are nested. Without one bound on all calls, the stack of
// Go would overflow, which ends the process. Errors on the way back copy no stack at each level.
func TestDepth(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 20))
	folder := t.TempDir()
	err := os.WriteFile(filepath.Join(folder, "nested.lua"), []byte("nested()"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range nestings {
		t.Run(name, func(t *testing.T) {
			source := fmt.Sprintf(`
				local deepest, depth, level = 0, 0, 0
				local function n()
					depth = depth + 1
					deepest = math.max(deepest, depth)
					if depth %% 300 == 0 and level < 180 then
						level = level + 1
						coroutine.wrap(function() n() end)()
					else
						%s
					end
				end
				nested = n
				local ok, message = pcall(n)
				return ok, tostring(message), deepest`, call)
			m := openMachine(t, t.Context(), vm.Options{Limits: vm.Limits{Timeout: time.Minute}},
				lualib.Options{LibraryPaths: []string{folder}})
			defer m.Close()
			var values []lua.LValue
			used := busy.Allocated(func() { values, err = m.Run(compile(t, source), 3) })
			if err != nil {
				t.Fatal(err)
			}
			if used > 64<<20 {
				t.Errorf("it allocates %d bytes", used)
			}
			if message := values[1].String(); !strings.Contains(message, "overflow") &&
				!strings.Contains(message, "nil") && !strings.Contains(message, "coroutines") {
				t.Errorf("%s %s at depth %s", values[0], message, values[2])
			}
		})
	}
}
