package vm_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/lualib"
)

// all makes tests run every variant; by default, and under the race detector, they run a sample.
var all = flag.Bool("all", false, "run every variant, not a sample")

// greedy are scripts that use too much, or do not end by themselves within the time of the tests, and the limit that
// ends them.
var greedy = []struct{ name, limit, body string }{
	// Time, in the machine and in Go functions.
	{"loop", "timeout", `while true do end`},
	{"pcall in a loop", "timeout", `while true do pcall(function() while true do end end) end`},
	{"goto", "timeout", `::again:: goto again`},
	{"numeric for", "timeout", `for i = 1, 1e18 do end`},
	{"recursion", "timeout", `local function f(n) if n > 0 then return f(n - 1) + f(n - 1) end return 1 end f(200)`},
	{"coroutine switches", "timeout", `local co = coroutine.wrap(function() while true do coroutine.yield() end
		end) while true do co() end`},
	{"find that backtracks", "timeout", `("a"):rep(5000):find(("a*"):rep(20) .. "b")`},
	{"match that backtracks", "timeout", `("a"):rep(5000):match(("a-"):rep(20) .. "b")`},
	{"gmatch that backtracks", "timeout", `for _ in ("a"):rep(5000):gmatch(("a?a*"):rep(20) .. "b") do end`},
	{"gsub that backtracks", "timeout", `("a"):rep(5000):gsub(("(a*)"):rep(10) .. "b", "")`},
	{"quadratic find", "timeout", `("a"):rep(1e6):find("a*b")`},
	{"balanced pieces", "timeout", `("("):rep(1e6):gsub("%b()", "")`},
	{"gsub with a function", "timeout", `("a"):rep(1e5):gsub("a", function() for i = 1, 1e6 do end end)`},
	{"sort with a slow comparator", "timeout", `local t = {} for i = 1, 1000 do t[i] = i end table.sort(t,
		function(a, b) for i = 1, 1e7 do end return a < b end)`},
	{"sort with an inconsistent comparator", "timeout", `local t = {} for i = 1, 1e4 do t[i] = i end while true do
		pcall(table.sort, t, function() return true end) end`},
	{"concat of empty strings", "timeout", `local t = {} for i = 1, 1e5 do t[i] = "" end while true do
		table.concat(t) end`},
	{"reader of load", "timeout", `load(function() while true do end end)`},
	{"metamethods", "timeout", `local t = setmetatable({}, {__index = function(t, k) while true do end end}) local
		_ = t.x`},
	{"__tostring", "timeout", `print(setmetatable({}, {__tostring = function() while true do end end}))`},

	// Instructions.
	{"counted loop", "instructions", `while true do end`},
	{"counted in coroutines", "instructions", `while true do coroutine.wrap(function() for i = 1, 1e4 do end end)()
		end`},
	{"counted under pcall", "instructions", `while true do pcall(function() while true do end end) end`},
	{"counted in a comparator", "instructions", `local t = {} for i = 1, 1000 do t[i] = -i end while true do
		table.sort(t, function(a, b) return a < b end) end`},

	// Memory for Lua values.
	{"list of strings", "heap", `local t = {} while true do t[#t + 1] = ("x"):rep(1e6) .. #t end`},
	{"list of short strings", "heap", `local t = {} while true do t[#t + 1] = "text number " .. #t ..
		" of very many, each its own" end`},
	{"list of numbers", "heap", `local t, i = {}, 0 while true do i = i + 1 t[i] = i + 0.5 end`},
	{"list of tables", "heap", `local t, i = {}, 0 while true do i = i + 1 t[i] = {} end`},
	{"chain of tables", "heap", `local t while true do t = {t} end`},
	{"chain of closures", "heap", `local f while true do local g = f f = function() return g end end`},
	{"functions of strings", "heap", `local t, i = {}, 0 while true do i = i + 1 t[i] =
		loadstring("return function() return " .. i .. " end") end`},
	{"keys", "heap", `local t, i = {}, 0 while true do i = i + 1 t["key " .. i] = true end`},
	{"removed keys", "heap", `local t, i = {}, 0 while true do i = i + 1 local k = "key " .. i t[k] = true t[k] =
		nil end`},
	{"doubling", "heap", `local s = "x" while true do s = s .. s end`},
	{"one long concatenation", "heap", `local s = ("x"):rep(4e6) s =
		s..s..s..s..s..s..s..s..s..s..s..s..s..s..s..s..s..s`},
	{"string.rep", "heap", `local s = ("x"):rep(1e12)`},
	{"string.rep beyond integers", "heap", `local s = ("x"):rep(1e300)`},
	{"string.rep of a long string", "heap", `local s = ("x"):rep(2^40):rep(2^40)`},
	{"table.concat", "heap", `local s, t = ("x"):rep(1e6), {} for i = 1, 1e4 do t[i] = s end table.concat(t)`},
	{"table.concat with a separator", "heap", `local t = {} for i = 1, 1e4 do t[i] = "" end table.concat(t,
		("x"):rep(1e6))`},
	{"gsub with a large result", "heap", `("x"):rep(1e4):gsub("x", ("y"):rep(1e6))`},
	{"format of long strings", "heap", `local s = ("x"):rep(4e6) s = ("%s%s%s%s%s%s"):format(s, s, s, s, s, s)`},
	{"expansion of a replacement", "heap", `("a"):rep(1e6):gsub("a*", ("%0"):rep(5e5))`},
	{"quoted zero bytes", "heap", `local s = ("\0"):rep(2e7) s = ("%q"):format(s)`},
	{"key in a message", "heap", `local s, none = ("x"):rep(2e7) for i = 1, 100 do pcall(function() return none[s]
		end) end`},
	{"key of an assignment in a message", "heap", `local s, none = ("x"):rep(2e7) for i = 1, 100 do
		pcall(function() none[s] = 1 end) end`},
	{"upper", "heap", `local t, s = {}, ("x"):rep(1e7) for i = 1, 100 do t[i] = s:upper() end`},
	{"far index", "heap", `local t = {} for i = 1, 100 do t[i] = {} t[i][6e7] = 1 end`},
	{"far index by rawset", "heap", `rawset({}, 6e7, 1)`},
	{"far index by table.insert", "heap", `table.insert({}, 6e7, 1)`},
	{"coroutines", "heap", `local t = {} while true do t[#t + 1] = coroutine.create(function() end) end`},
	{"strings in coroutines", "heap", `local t = {} while true do local s = ("x"):rep(1e6) .. #t t[#t + 1] =
		coroutine.create(function() return s end) end`},
	{"strings in registers", "heap", `local function f(n) local s = ("x"):rep(1e6) .. n return n < 2000 and f(n +
		1) .. s or s end f(1)`},
	{"global tables of strings", "heap", `local i = 0 while true do i = i + 1 string["f" .. i] = ("x"):rep(1e5) ..
		i end`},

	// Text.
	{"print", "output", `while true do print("x") end`},
	{"print of a long string", "output", `print(("x"):rep(1e7))`},
	{"print of a long string many times", "output", `local s, t = ("x"):rep(1e7), {} for i = 1, 1e5 do t[i] = s end
		print(unpack(t))`},
	{"io.write", "output", `while true do io.write("x") end`},
}

// wrappings are attempts of a script to survive its end.
var wrappings = []struct{ name, before, after string }{
	{"plain", ``, ``},
	{"pcall", `pcall(function()`, `end) print("survived")`},
	{"xpcall", `xpcall(function()`, `end, function(e) print("handler") return e end) print("survived")`},
	{"coroutine", `coroutine.resume(coroutine.create(function()`, `end)) print("survived")`},
	{"wrap in pcall", `pcall(coroutine.wrap(function() pcall(function()`,
		`end) print("survived") end)) print("survived")`},
	{"metamethod", `local _ = setmetatable({}, {__add = function() pcall(function()`,
		`end) print("survived") end}) + 1`},
	{"gsub", `("x"):gsub("x", function() pcall(function()`, `end) print("survived") end)`},
	{"host function", `protected(function()`, `end) print("survived")`},
}

func limitsFor(limit string) vm.Limits {
	l := vm.Limits{Timeout: time.Minute, Heap: 1 << 30, Output: 16 << 20}
	switch limit {
	case bounds.Timeout:
		l.Timeout = 50 * time.Millisecond
	case bounds.Instructions:
		l.Instructions = 1_000_000
	case bounds.Heap:
		l.Heap = 16 << 20
	case bounds.Output:
		l.Output = 64 << 10
	}
	return l
}

// TestLimits runs the greedy scripts. Each must end at its limit, with the line, and cleanup must run.
func TestLimits(t *testing.T) {
	for i, g := range greedy {
		for j, w := range wrappings {
			rotating := 1 + i%(len(wrappings)-1)
			if j > 0 && (j != rotating || i%3 > 0 || raced) && !*all {
				continue
			}
			t.Run(g.name+"/"+w.name, func(t *testing.T) {
				source := fmt.Sprintf("function cleanup() print('cleaned up') end begin();\n%s\n%s\n%s",
					w.before, g.body, w.after)
				checkEnd(t, source, g.limit, limitsFor(g.limit))
			})
		}
	}
}

// checks is how often a script is checked before its time is up: a Go function that works for long without a check, or
// with few, does not end, and fails the test.
const checks = 3

// checkEnd runs a script, which must end at a limit, and its function cleanup. The time limit is reached at one of the
// checks of the run after the script called begin. The script executes nothing after it, but each call that the error
// leaves counts an instruction.
func checkEnd(t *testing.T, source, name string, limits vm.Limits) {
	t.Helper()
	var out strings.Builder
	ctx, end := context.WithCancelCause(t.Context())
	defer end(nil)
	limit, left, atEnd := limits.Timeout, math.MaxInt, uint64(0)
	limits.Timeout = 0
	options := vm.Options{Limits: limits, Output: &out}
	var m *vm.Machine
	if name == bounds.Timeout {
		options.Seen = func(string) {
			if left--; left == 0 {
				atEnd = m.Meter().Usage().Instructions
				end(vm.TimedOut(limit))
			}
		}
	}
	m = openMachine(t, ctx, options, lualib.Options{})
	defer m.Close()
	m.State().SetGlobal("begin", m.Function("begin", func(*lua.LState) int {
		left = checks
		return 0
	}))
	_, err := m.Run(compile(t, source), 0)
	var reached *vm.LimitError
	if !errors.As(err, &reached) || reached.Name != name {
		t.Fatalf("ended with %v, want the limit %s", err, name)
	}
	if used := m.Meter().Usage().Instructions; name == bounds.Timeout && used > atEnd+16 {
		t.Errorf("executed %d instructions after its end", used-atEnd)
	}
	if !strings.HasPrefix(reached.Where, "test.lua:") || reached.Used < reached.Max ||
		!strings.Contains(reached.Error(), "limits."+name) {
		t.Errorf("the message is %q (used %d of %d)", reached, reached.Used, reached.Max)
	}
	if name == bounds.Timeout && !errors.Is(err, context.DeadlineExceeded) {
		t.Error("the error is not a context.DeadlineExceeded")
	}
	if m.Ended() == nil {
		t.Error("the run has not ended")
	}
	m.Grace(vm.Limits{Timeout: 5 * time.Second, Instructions: 1000, Output: 1000})
	if err := m.Call(global(m, "cleanup")); err != nil {
		t.Errorf("cleanup: %v", err)
	}
	if log := out.String(); strings.Contains(log, "survived") || !strings.HasSuffix(log, "cleaned up\n") {
		t.Errorf("output ends with %q", log[max(0, len(log)-100):])
	}
}
