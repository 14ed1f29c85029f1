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
	"roclua/luabind/record"
	"roclua/workspace"
)

// all makes tests run every variant; by default, and under the race detector, they run a sample.
var all = flag.Bool("all", false, "run every variant, not a sample")

// greedy are scripts that never end by themselves or use too much, and the limit that ends them. Those that use only
// Lua itself are in the tests of package vm.
var greedy = []struct{ name, limit, body string }{
	// Time.
	{"loop", "timeout", `while true do end`},
	{"pcall in a loop", "timeout", `while true do pcall(function() while true do end end) end`},
	{"waiting for a kernel", "timeout", `local h = rocblas.create_handle() local n = 20000
		local A, C = hip.malloc(8*n*n), hip.malloc(8*n*n)
		rocblas.dgemm(h, 111, 111, n, n, n, 1, A, n, A, n, 0, C, n) hip.device_synchronize()
			rocblas.destroy_handle(h)`},
	{"kernel in the background", "timeout", `local h = rocblas.create_handle() local n = 500
		local A, C = hip.malloc(8*n*n), hip.malloc(8*n*n)
		rocblas.dgemm_strided_batched(h, 111, 111, n, n, n, 1, A, n, 0, A, n, 0, 0, C, n, 0, 1e6) while true do end`},
	{"endless kernels", "timeout", `local h = rocblas.create_handle() local n = 2000
		local A, B, C = hip.malloc(8*n*n), hip.malloc(8*n*n), hip.malloc(8*n*n)
		while true do rocblas.dgemm(h, 111, 111, n, n, n, 1, A, n, B, n, 0, C, n) end`},
	{"residual", "timeout", `local n = 3000 local A = array.zeros("d", n, n) array.residual(A, A, A)`},
	{"comparison of tables", "timeout", `local a, b = {}, {} for i = 1, 22 do a, b = {a, a, i}, {b, b, i} end while
		true do t:equal(a, b) end`},

	// Instructions.
	{"counted loop", "instructions", `while true do end`},

	// Memory for Lua values.
	{"list of tables", "heap", `local t, i = {}, 0 while true do i = i + 1 t[i] = {} end`},
	{"host arrays", "heap", `local t = {} while true do t[#t + 1] = array.zeros("d", 1e6) end`},
	{"one host array", "heap", `array.zeros("d", 5e8)`},
	{"complex host array as a table", "heap", `local a = array.zeros("c", 5e5) a:totable()`},
	{"residuals of a huge batch", "heap", `local a = array.zeros("d", 0, 0) array.residual(a, a, a, 2^28)`},
	{"pending copies", "heap", `local h, n = rocblas.create_handle(), 3000 local s = hip.stream_create()
		rocblas.set_stream(h, s)
		local A, C, d = hip.malloc(8*n*n), hip.malloc(8*n*n), hip.malloc(8e6)
		rocblas.dgemm(h, 111, 111, n, n, n, 1, A, n, A, n, 0, C, n)
		local a = array.zeros("d", 1e6) for i = 1, 1000 do hip.memcpy_async(d, a, 8e6, nil, s) end`},

	// Text.
	{"print", "output", `while true do print("x") end`},
	{"log", "output", `while true do t:log("x") end`},
	{"metrics", "output", `local i = 0 while true do i = i + 1 t:metric("m" .. i, i) end`},
	{"checks", "output", `while true do t:check(true) end`},
	{"checks of tables", "output", `local a = {} for i = 1, 1000 do a[i] = i end while true do t:equal(a, a) end`},

	// Device memory.
	{"malloc", "device_memory", `while true do hip.malloc(1e6) end`},
	{"malloc_async", "device_memory", `local s = hip.stream_create() while true do hip.malloc_async(1e6, s) end`},
	{"one block", "device_memory", `hip.malloc(2^31)`},
	{"a handle's workspace", "device_memory", `local h = rocblas.create_handle() rocblas.set_device_memory_size(h,
		2^31)`},
	{"upload", "device_memory", `local a = array.zeros("d", 1e5) while true do hip.upload(a) end`},
}

// wrappings are ways to survive the end that a script may try.
var wrappings = []struct{ name, before, after string }{
	{"plain", ``, ``},
	{"pcall", `pcall(function()`, `end) print("survived")`},
	{"xpcall", `xpcall(function()`, `end, function(e) print("handler") return e end) print("survived")`},
	{"coroutine", `coroutine.resume(coroutine.create(function()`, `end)) print("survived")`},
	{"wrap in pcall", `pcall(coroutine.wrap(function() pcall(function()`, `end) print("survived") end))
		print("survived")`},
	{"metamethod", `local _ = setmetatable({}, {__add = function() pcall(function()`, `end) print("survived") end}) +
		1`},
	{"gsub", `("x"):gsub("x", function() pcall(function()`, `end) print("survived") end)`},
	{"t:raises", `t:raises(rocblas.status_memory_error, function()`, `end) print("survived")`},
	{"defer in a loop", `for i = 1, 10 do t:defer(function() pcall(error, "deferred") end) pcall(function()`, `end)
		end print("survived")`},
}

func limitsFor(limit string) record.Limits {
	l := record.Limits{Timeout: time.Minute, Heap: 1 << 30, Output: 16 << 20}
	switch limit {
	case "timeout":
		l.Timeout = 100 * time.Millisecond
	case "instructions":
		l.Instructions = 1_000_000
	case "heap":
		l.Heap = 16 << 20
	case "output":
		l.Output = 64 << 10
	case "device_memory":
		l.DeviceMemory = 32 << 20
	}
	return l
}

// runLimited runs one case under limits as the program does, and closes the device.
func runLimited(t testing.TB, source string, limits record.Limits, o luabind.Options) *record.Record {
	t.Helper()
	ctx, cancel := luabind.WithTimeout(context.Background(), limits.Timeout)
	defer cancel()
	return runUnder(t, ctx, source, limits, o)
}

// begun is the output of a case. The time limit of the case begins when it prints something, so that a busy machine
// does not end it before.
type begun struct {
	limit time.Duration
	once  sync.Once
	end   context.CancelCauseFunc
}

func (b *begun) Write(text []byte) (int, error) {
	b.once.Do(func() { time.AfterFunc(b.limit, func() { b.end(luabind.TimedOut(b.limit)) }) })
	return len(text), nil
}

func runUnder(t testing.TB, ctx context.Context, source string, limits record.Limits,
	o luabind.Options) *record.Record {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 8 << 30})
	if err != nil {
		t.Fatal(err)
	}
	script, err := luabind.Compile("case.lua", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	o.Runtime, o.Profile, o.Limits = rt, workspace.Profiles()[0], limits
	rec := luabind.Run(ctx, script, record.Case{Seed: 1}, o)
	rt.SetContext(ctx)
	rt.Close()
	return rec
}

// TestLimits runs the greedy scripts. Each case must end at its limit, with the line, and its teardown must run. The
// next case must not be affected. None of the scripts, nor the work that they queue, ends by itself within the time of
// the tests.
func TestLimits(t *testing.T) {
	for i, g := range greedy {
		for j, w := range wrappings {
			rotating := 1 + i%(len(wrappings)-1)
			if j > 0 && (j != rotating || raced) && !*all {
				continue
			}
			t.Run(g.name+"/"+w.name, func(t *testing.T) {
				limits := limitsFor(g.limit)
				source := scenarioWith(`print("begun"); `+w.before+" "+g.body+" "+w.after,
					`teardown = function(t) print("torn down") end`)
				ctx, end := context.WithCancelCause(t.Context())
				rec := runUnder(t, ctx, source, limits,
					luabind.Options{Output: &begun{limit: limits.Timeout, end: end}})
				checkEnd(t, rec, g.limit, limits)
			})
		}
	}
	next := runLimited(t, scenarioWith(`local h = rocblas.create_handle() t:equal(hip.stats().live_bytes > 0, true)
		rocblas.destroy_handle(h)`, ""),
		limitsFor(""), luabind.Options{})
	if !next.Passed() {
		t.Errorf("the next case: %+v", next)
	}
}

// checkEnd makes sure that a case ended at its limit, with its teardown.
func checkEnd(t *testing.T, rec *record.Record, name string, limits record.Limits) {
	t.Helper()
	end := rec.End
	if end == nil || end.Limit == nil || end.Limit.Name != name {
		t.Fatalf("ended with %v, want the limit %s", end, name)
	}
	if !strings.HasPrefix(end.Where, "case.lua:") || end.Limit.Used < end.Limit.Max || !strings.Contains(end.String(),
		"limits."+name) {
		t.Errorf("the message is %q (used %d of %d)", end, end.Limit.Used, end.Limit.Max)
	}
	if kind := end.Kind; kind != record.EndLimit && (kind != record.EndTimeout || name != "timeout") {
		t.Errorf("the kind is %s", kind)
	}
	if strings.Contains(rec.Log, "survived") || !strings.HasSuffix(rec.Log, "torn down\n") {
		t.Errorf("log ends %q", rec.Log[max(0, len(rec.Log)-100):])
	}
}

func scenarioWith(body, fields string) string {
	return fmt.Sprintf(`local rocblas, hip, array = require "rocblas", require "hip", require "array"
		return { run = function(t)
		%s
		end,
		%s }`, body, fields)
}

// TestTemporaryMatrices checks residuals whose temporary memory counts together, and of a batch, whose problems use the
// same temporary memory one after the other.
func TestTemporaryMatrices(t *testing.T) {
	const limit = 16 << 20
	for _, test := range []struct {
		name, body string
		fits       bool
	}{
		{"four matrices of 4 MiB next to 6 MiB", `local a = { array.zeros("s", 724, 724), array.zeros("s", 724, 724),
			array.zeros("s", 724, 724) } array.residual(a[1], a[2], a[3])`, false},
		{"150 problems of 96 KiB next to 10 MiB", `local a = array.zeros("d", 64, 64 * 150)
			local lu, pivots = array.zeros("d", 64, 64 * 150), array.zeros("i32", 64, 150)
			pivots:fill(1) array.lu_residual(a, lu, pivots, 150)`, true},
	} {
		rec := runLimited(t, scenario("", test.body), record.Limits{Heap: limit}, luabind.Options{})
		end := rec.End
		if test.fits != (end == nil) || end != nil && (end.Limit == nil || end.Limit.Name != "heap") {
			t.Errorf("%s: %+v", test.name, end)
		}
	}
}

// TestTraceIsReserved checks that a trace that does not fit is refused before it is made: the message has its size and
// not what was found at some point of making it.
func TestTraceIsReserved(t *testing.T) {
	const limit = 16 << 20
	rec := runLimited(t, scenario("", `for i = 1, 5e4 do hip.free(hip.malloc(64)) end hip.trace()`),
		record.Limits{Heap: limit}, luabind.Options{})
	if end := rec.End; end == nil || end.Limit == nil || end.Limit.Name != "heap" || end.Limit.Used < 5*limit {
		t.Errorf("%+v", end)
	}
	rec = runLimited(t, scenario("", `for i = 1, 500 do hip.free(hip.malloc(64)) end
		t:equal(#hip.trace(), 1000)`), record.Limits{Heap: limit}, luabind.Options{})
	if !rec.Passed() {
		t.Errorf("a trace that fits: %+v", rec)
	}
}
