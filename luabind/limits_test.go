package luabind_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/workspace"
)

var everyWrapping = flag.Bool("wrappings", false, "TestLimits runs each script in every wrapping")

// greedy are scripts that never end by themselves, or want more than there is, and the limit that ends them.
var greedy = []struct{ name, limit, body string }{
	// Time, in the machine and in Go functions.
	{"loop", "timeout", `while true do end`},
	{"pcall in a loop", "timeout", `while true do pcall(function() while true do end end) end`},
	{"goto", "timeout", `::again:: goto again`},
	{"numeric for", "timeout", `for i = 1, 1e18 do end`},
	{"recursion", "timeout", `local function f(n) if n > 0 then return f(n - 1) + f(n - 1) end return 1 end f(200)`},
	{"coroutine switches", "timeout", `local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end`},
	{"find that backtracks", "timeout", `("a"):rep(5000):find(("a*"):rep(20) .. "b")`},
	{"match that backtracks", "timeout", `("a"):rep(5000):match(("a-"):rep(20) .. "b")`},
	{"gmatch that backtracks", "timeout", `for _ in ("a"):rep(5000):gmatch(("a?a*"):rep(20) .. "b") do end`},
	{"gsub that backtracks", "timeout", `("a"):rep(5000):gsub(("(a*)"):rep(10) .. "b", "")`},
	{"quadratic find", "timeout", `("a"):rep(1e6):find("a*b")`},
	{"balanced pieces", "timeout", `("("):rep(1e6):gsub("%b()", "")`},
	{"gsub with a function", "timeout", `("a"):rep(1e5):gsub("a", function() for i = 1, 1e6 do end end)`},
	{"sort with a slow comparator", "timeout", `local t = {} for i = 1, 1000 do t[i] = i end table.sort(t, function(a, b) for i = 1, 1e7 do end return a < b end)`},
	{"sort with a comparator that lies", "timeout", `local t = {} for i = 1, 1e4 do t[i] = i end while true do table.sort(t, function() return true end) end`},
	{"concat of nothing", "timeout", `local t = {} for i = 1, 1e5 do t[i] = "" end while true do table.concat(t) end`},
	{"reader of load", "timeout", `load(function() while true do end end)`},
	{"metamethods", "timeout", `local t = setmetatable({}, {__index = function(t, k) while true do end end}) local _ = t.x`},
	{"__tostring", "timeout", `print(setmetatable({}, {__tostring = function() while true do end end}))`},
	{"kernel that is waited for", "timeout", `local h = rocblas.create_handle() local n = 6000
		local A, B, C = hip.malloc(8*n*n), hip.malloc(8*n*n), hip.malloc(8*n*n)
		rocblas.dgemm(h, 111, 111, n, n, n, 1, A, n, B, n, 0, C, n) hip.device_synchronize() rocblas.destroy_handle(h)`},
	{"kernel in the background", "timeout", `local h = rocblas.create_handle() local n = 6000
		local A, B, C = hip.malloc(8*n*n), hip.malloc(8*n*n), hip.malloc(8*n*n)
		rocblas.dgemm(h, 111, 111, n, n, n, 1, A, n, B, n, 0, C, n) while true do end`},
	{"kernels without end", "timeout", `local h = rocblas.create_handle() local n = 2000
		local A, B, C = hip.malloc(8*n*n), hip.malloc(8*n*n), hip.malloc(8*n*n)
		while true do rocblas.dgemm(h, 111, 111, n, n, n, 1, A, n, B, n, 0, C, n) end`},
	{"residual", "timeout", `local n = 3000 local A = array.zeros("d", n, n) array.residual(A, A, A)`},
	{"comparison of tables", "timeout", `local a, b = {}, {} for i = 1, 22 do a, b = {a, a, i}, {b, b, i} end while true do t:equal(a, b) end`},

	// Instructions.
	{"counted loop", "instructions", `while true do end`},
	{"counted in coroutines", "instructions", `while true do coroutine.wrap(function() for i = 1, 1e4 do end end)() end`},
	{"counted under pcall", "instructions", `while true do pcall(function() while true do end end) end`},
	{"counted in a comparator", "instructions", `local t = {} for i = 1, 1000 do t[i] = -i end while true do table.sort(t, function(a, b) return a < b end) end`},

	// Memory for Lua values.
	{"list of texts", "heap", `local t = {} while true do t[#t + 1] = ("x"):rep(1e6) .. #t end`},
	{"list of small texts", "heap", `local t = {} while true do t[#t + 1] = "text number " .. #t .. " of very many, each its own" end`},
	{"list of numbers", "heap", `local t, i = {}, 0 while true do i = i + 1 t[i] = i + 0.5 end`},
	{"list of tables", "heap", `local t, i = {}, 0 while true do i = i + 1 t[i] = {} end`},
	{"chain of tables", "heap", `local t while true do t = {t} end`},
	{"chain of closures", "heap", `local f while true do local g = f f = function() return g end end`},
	{"functions of texts", "heap", `local t, i = {}, 0 while true do i = i + 1 t[i] = loadstring("return function() return " .. i .. " end") end`},
	{"keys", "heap", `local t, i = {}, 0 while true do i = i + 1 t["key " .. i] = true end`},
	{"keys that are removed", "heap", `local t, i = {}, 0 while true do i = i + 1 local k = "key " .. i t[k] = true t[k] = nil end`},
	{"doubling", "heap", `local s = "x" while true do s = s .. s end`},
	{"one long concatenation", "heap", `local s = ("x"):rep(2e7) s = s..s..s..s..s..s..s..s..s..s..s..s..s..s..s..s..s..s`},
	{"string.rep", "heap", `local s = ("x"):rep(1e12)`},
	{"string.rep beyond integers", "heap", `local s = ("x"):rep(1e300)`},
	{"string.rep of a long text", "heap", `local s = ("x"):rep(2^40):rep(2^40)`},
	{"table.concat", "heap", `local s, t = ("x"):rep(1e6), {} for i = 1, 1e4 do t[i] = s end table.concat(t)`},
	{"table.concat with a separator", "heap", `local t = {} for i = 1, 1e4 do t[i] = "" end table.concat(t, ("x"):rep(1e6))`},
	{"gsub that makes much", "heap", `("x"):rep(1e4):gsub("x", ("y"):rep(1e6))`},
	{"format of long texts", "heap", `local s = ("x"):rep(2e7) s = ("%s%s%s%s%s%s"):format(s, s, s, s, s, s)`},
	{"upper", "heap", `local t, s = {}, ("x"):rep(1e7) for i = 1, 100 do t[i] = s:upper() end`},
	{"far index", "heap", `local t = {} for i = 1, 100 do t[i] = {} t[i][6e7] = 1 end`},
	{"far index by rawset", "heap", `rawset({}, 6e7, 1)`},
	{"far index by table.insert", "heap", `table.insert({}, 6e7, 1)`},
	{"coroutines", "heap", `local t = {} while true do t[#t + 1] = coroutine.create(function() end) end`},
	{"texts that coroutines hold", "heap", `local t = {} while true do local s = ("x"):rep(1e6) .. #t t[#t + 1] = coroutine.create(function() return s end) end`},
	{"texts in registers", "heap", `local function f(n) local s = ("x"):rep(1e6) .. n return n < 2000 and f(n + 1) .. s or s end f(1)`},
	{"host arrays", "heap", `local t = {} while true do t[#t + 1] = array.zeros("d", 1e6) end`},
	{"one host array", "heap", `array.zeros("d", 5e8)`},
	{"environment", "heap", `local i = 0 while true do i = i + 1 os.setenv("NAME" .. i, ("x"):rep(1e5) .. i) end`},
	{"global tables of strings", "heap", `local i = 0 while true do i = i + 1 string["f" .. i] = ("x"):rep(1e5) .. i end`},
	{"copies that wait", "heap", `local h, n = rocblas.create_handle(), 6000 local s = hip.stream_create() rocblas.set_stream(h, s)
		local A, B, C, d = hip.malloc(8*n*n), hip.malloc(8*n*n), hip.malloc(8*n*n), hip.malloc(8e6)
		rocblas.dgemm(h, 111, 111, n, n, n, 1, A, n, B, n, 0, C, n)
		local a = array.zeros("d", 1e6) for i = 1, 1000 do hip.memcpy_async(d, a, 8e6, nil, s) end`},

	// Text.
	{"print", "output", `while true do print("x") end`},
	{"print of a long text", "output", `print(("x"):rep(1e7))`},
	{"io.write", "output", `while true do io.write("x") end`},
	{"log", "output", `while true do t:log("x") end`},
	{"metrics", "output", `local i = 0 while true do i = i + 1 t:metric("m" .. i, i) end`},
	{"checks", "output", `while true do t:check(true) end`},
	{"checks of tables", "output", `local a = {} for i = 1, 1000 do a[i] = i end while true do t:equal(a, a) end`},

	// Device memory.
	{"malloc", "device_memory", `while true do hip.malloc(1e6) end`},
	{"malloc_async", "device_memory", `local s = hip.stream_create() while true do hip.malloc_async(1e6, s) end`},
	{"one block", "device_memory", `hip.malloc(2^31)`},
	{"a handle's workspace", "device_memory", `local h = rocblas.create_handle() rocblas.set_device_memory_size(h, 2^31)`},
	{"upload", "device_memory", `local a = array.zeros("d", 1e5) while true do hip.upload(a) end`},
}

// wrappings are ways to hide a script's end from itself.
var wrappings = []struct{ name, before, after string }{
	{"plain", ``, ``},
	{"pcall", `pcall(function()`, `end) print("survived")`},
	{"xpcall", `xpcall(function()`, `end, function(e) print("handler") return e end) print("survived")`},
	{"coroutine", `coroutine.resume(coroutine.create(function()`, `end)) print("survived")`},
	{"wrap in pcall", `pcall(coroutine.wrap(function() pcall(function()`, `end) print("survived") end)) print("survived")`},
	{"metamethod", `local _ = setmetatable({}, {__add = function() pcall(function()`, `end) print("survived") end}) + 1`},
	{"gsub", `("x"):gsub("x", function() pcall(function()`, `end) print("survived") end)`},
	{"t:raises", `t:raises(rocblas.status_memory_error, function()`, `end) print("survived")`},
	{"defer in a loop", `for i = 1, 10 do t:defer(function() pcall(error, "deferred") end) pcall(function()`, `end) end print("survived")`},
}

func limitsFor(limit string) luabind.Limits {
	l := luabind.Limits{Timeout: time.Minute, Heap: 1 << 30, Output: 16 << 20}
	switch limit {
	case "timeout":
		l.Timeout = 100 * time.Millisecond
	case "instructions":
		l.Instructions = 1_000_000
	case "heap":
		l.Heap = 64 << 20
	case "output":
		l.Output = 1 << 20
	case "device_memory":
		l.DeviceMemory = 1 << 30
	}
	return l
}

// runLimited runs one case under limits as the program does, on a device that is closed, and says how long that took.
func runLimited(t testing.TB, source string, limits luabind.Limits, o luabind.Options) (*luabind.Record, time.Duration) {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 8 << 30, BLAS: "go"})
	if err != nil {
		t.Fatal(err)
	}
	script, err := luabind.Compile("case.lua", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	o.Runtime, o.Profile, o.Limits = rt, workspace.Profiles()[0], limits
	start := time.Now()
	ctx, cancel := luabind.WithTimeout(context.Background(), limits.Timeout)
	defer cancel()
	record := luabind.Run(ctx, script, luabind.Case{Seed: 1}, o)
	rt.SetContext(ctx)
	rt.Close()
	return record, time.Since(start)
}

// attemptsToTime is how often something is run that ended too late, before it counts: a busy machine is late by itself. The race
// detector makes everything ten times as slow, and nothing is timed under it.
const attemptsToTime = 3

// TestLimits runs what is greedy in every wrapping. The case must end at its limit, named, at a line, within a second of it,
// with its teardown; and the case after it must not notice.
func TestLimits(t *testing.T) {
	var mu sync.Mutex
	count, slowest, slowestName := 0, time.Duration(0), ""
	t.Run("group", func(t *testing.T) {
		for i, g := range greedy {
			for j, w := range wrappings {
				rotating := 1 + i%(len(wrappings)-1)
				if j > 0 && (j != rotating || raced) && !*everyWrapping {
					continue
				}
				t.Run(g.name+"/"+w.name, func(t *testing.T) {
					limits := limitsFor(g.limit)
					source := scenarioWith(w.before+" "+g.body+" "+w.after, `teardown = function(t) print("torn down") end`)
					var over time.Duration
					for range attemptsToTime {
						record, took := runLimited(t, source, limits, luabind.Options{})
						checkEnd(t, record, g.limit, limits)
						if over = took - limits.Timeout; g.limit != "timeout" || over <= time.Second {
							break
						}
					}
					if g.limit == "timeout" && over > time.Second && !raced {
						t.Errorf("stopped %s after its time", over)
					}
					mu.Lock()
					defer mu.Unlock()
					count++
					if g.limit == "timeout" && over > slowest {
						slowest, slowestName = over, t.Name()
					}
				})
			}
		}
	})
	next, _ := runLimited(t, scenarioWith(`local h = rocblas.create_handle() t:equal(hip.stats().live_bytes > 0, true) rocblas.destroy_handle(h)`, ""),
		limitsFor(""), luabind.Options{})
	if !next.Passed() {
		t.Errorf("the next case: %+v", next)
	}
	t.Logf("%d cases; the slowest stopped %s after its time: %s", count, slowest, slowestName)
}

// checkEnd makes sure that a case ended at its limit, with its teardown.
func checkEnd(t *testing.T, record *luabind.Record, name string, limits luabind.Limits) {
	t.Helper()
	end := record.End
	if end == nil || end.Limit == nil || end.Limit.Name != name {
		t.Fatalf("ended with %v, want the limit %s", end, name)
	}
	if !strings.HasPrefix(end.Where, "case.lua:") || end.Limit.Used < end.Limit.Max || !strings.Contains(end.String(), "limits."+name) {
		t.Errorf("the message is %q (used %d of %d)", end, end.Limit.Used, end.Limit.Max)
	}
	if kind := end.Kind; kind != luabind.EndLimit && (kind != luabind.EndTimeout || name != "timeout") {
		t.Errorf("the kind is %s", kind)
	}
	if strings.Contains(record.Log, "survived") || !strings.HasSuffix(record.Log, "torn down\n") {
		t.Errorf("log ends %q", record.Log[max(0, len(record.Log)-100):])
	}
}

func scenarioWith(body, fields string) string {
	return fmt.Sprintf("local rocblas, hip, array = require 'rocblas', require 'hip', require 'array'\nreturn { run = function(t)\n%s\nend,\n%s }", body, fields)
}
