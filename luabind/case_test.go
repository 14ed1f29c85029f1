package luabind_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/workspace"
)

// runRows executes the body of a scenario with other devices for t:case, and returns how many of them were closed.
func runRows(t *testing.T, limit time.Duration, body string) (r *record.Record, opened, closed int) {
	t.Helper()
	script, err := luabind.Compile("test.lua", []byte(prelude+`return { schemes = "any", run = function(t) `+
		body+` end }`))
	if err != nil {
		t.Fatal(err)
	}
	open := func() *hip.Runtime {
		rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		return rt
	}
	rt := open()
	defer rt.Close()
	profile, err := workspace.FindProfile(workspace.DefaultProfileOf("cpu"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := luabind.WithTimeout(context.Background(), limit)
	defer cancel()
	r = luabind.Run(ctx, script, record.Case{Scheme: "managed"}, luabind.Options{Runtime: rt, Profile: profile,
		Fresh: func() (*hip.Runtime, func() error, error) {
			opened++
			rt := open()
			return rt, func() error { closed++; return rt.Close() }, nil
		}})
	return r, opened, closed
}

// badAccess is the body of a function after which its device is unusable.
const badAccess = `local p = t:malloc(64) t.handle:dscal{n = 100, alpha = 2, x = p, incx = 1} hip.device_synchronize()`

// TestCases runs rows of a table on separate devices.
func TestCases(t *testing.T) {
	for name, test := range map[string]struct {
		body     string
		failed   string // texts of the checks that fail, with what they have
		problems string
		log      string
	}{
		"rows": {body: `for _, n in ipairs{1, 2} do
				t:equal(t:case("n" .. n, function(t, m) t:equal(m, n) end, n), true) end`},
		"a check fails": {body: `t:equal(t:case("a", function(t) t:equal(1, 2) end), false) t:equal(1, 1)`,
			failed: "a: equal: 1"},
		"bad access": {body: `t:equal(t:case("a", function(t) ` + badAccess + ` end), false)
				t:equal(t:case("b", function(t) hip.memset(t:malloc(64), 0, 64) end), true)
				hip.memset(t:malloc(64), 0, 64)`,
			failed: "a: runs to its end: test.lua:1: "},
		"errors stay": {body: `t:case("a", function(t)
				pcall(function() ` + badAccess + ` end)
				t:equal(select(2, hip.try.malloc(64)), hip.error_illegal_address) end)`},
		"other handle": {body: `local first = t.handle
				t:case("a", function(t) t:equal(t.handle == first, false) end) t:equal(t.handle == first, true)`},
		"released": {body: `t:case("a", function(t) t:malloc(64) t:stream() t:defer(print, "deferred") end)
				print("after")`,
			log: "deferred\nafter\n"},
		"leak": {body: `t:equal(t:case("a", function(t) hip.malloc(64) end), false)`,
			problems: "a: leak: 64 bytes"},
		"open handle": {body: `t:case("a", function(t) rocblas.create_handle() end)`,
			problems: "a: leak: the handle made at test.lua:1 was not destroyed"},
		"failing deferred function": {body: `t:case("a", function(t) t:defer(error, "no") end)`,
			problems: "a: a deferred function failed: no"},
		"skip": {body: `t:case("a", function(t) t:skip("not today") end) t:equal(1, 1)`,
			log: "a: skipped: not today\n"},
		"rows in a row": {body: `t:case("a", function(t) t:case("b", function(t) t:check(false) end) end)`,
			failed: "a: b: "},
		"memory": {body: `t:malloc(2^20) t:case("a", function(t) t:equal(hip.stats().live_blocks, 0) end)
				t:equal(hip.stats().live_bytes >= 2^20, true)`},
		"unfinished capture": {body: `t:case("a", function(t)
				local s = hip.stream_create() hip.stream_begin_capture(s, hip.stream_capture_mode_global) end)`,
			problems: "a: leak: the capture"},
		"queued function": {body: `local s = t:stream()
				hip.launch_host_func(s, function() print("outside") end)
				t:case("a", function(t) local s = t:stream()
					hip.launch_host_func(s, function() print("inside") end) hip.stream_synchronize(s) end)
				hip.stream_synchronize(s)`, log: "inside\noutside\n"},
	} {
		r, opened, closed := runRows(t, 0, test.body)
		if r.End != nil || opened == 0 || opened != closed {
			t.Errorf("%s: ends with %v, %d devices opened, %d closed", name, r.End, opened, closed)
		}
		var failed []string
		for _, c := range r.Checks {
			if !c.Passed {
				failed = append(failed, c.Text+": "+c.Have)
			}
		}
		for _, part := range []struct{ have, want string }{
			{strings.Join(failed, "; "), test.failed}, {strings.Join(r.Problems, "; "), test.problems},
			{r.Log, test.log},
		} {
			if !strings.HasPrefix(part.have, part.want) || (part.want == "") != (part.have == "") {
				t.Errorf("%s: have %q, want %q", name, part.have, part.want)
			}
		}
	}
}

// TestCaseRecords adds what rows record to the record of the case.
func TestCaseRecords(t *testing.T) {
	r, _, _ := runRows(t, 0, `t:metric("bytes", 1)
		t:case("a", function(t) t:metric("bytes", 2, "B") hip.malloc_async(0, nil) end)
		t:case("b", function(t) t:metric("bytes", 3) hip.free(hip.malloc(2^20)) end)`)
	var names []string
	for _, m := range r.Metrics {
		names = append(names, m.Name+m.Unit)
	}
	if have := strings.Join(names, " "); have != "bytes a.bytesB b.bytes" {
		t.Error("metrics", have)
	}
	if n := r.Stats.Calls["hipMallocAsync"]; n != 1 {
		t.Error("calls", r.Stats.Calls)
	}
	r, _, _ = runRows(t, 0, `for i = 1, 2 do t:case("a", function(t) t:metric("m", i) end) end`)
	if r.End == nil || !strings.Contains(r.End.Message, `"a.m"`) {
		t.Errorf("a metric twice: %+v", r.End)
	}
}

// TestSkippedRows skips rows. A case with nothing else is skipped.
func TestSkippedRows(t *testing.T) {
	const one = `t:case("a", function(t) t:skip("no GPU") end) `
	const other = `t:case("b", function(t) t:skip("no memory") end) `
	const noGPU = "every row was skipped: no GPU"
	gpu, memory := record.SkippedRows{Reason: "no GPU", Rows: 1}, record.SkippedRows{Reason: "no memory", Rows: 1}
	for body, test := range map[string]struct {
		rows    []record.SkippedRows
		skipped string
	}{
		one:                         {[]record.SkippedRows{gpu}, noGPU},
		one + other:                 {[]record.SkippedRows{gpu, memory}, noGPU + ", and 1 other reason"},
		one + one:                   {[]record.SkippedRows{{Reason: "no GPU", Rows: 2}}, noGPU},
		one + `t:check(true)`:       {[]record.SkippedRows{gpu}, ""},
		one + `t:metric("m", 1)`:    {[]record.SkippedRows{gpu}, ""},
		one + `t:skip("all of it")`: {[]record.SkippedRows{gpu}, "all of it"},
		one + `t:case("b", function(t) hip.free(hip.malloc(1)) end)`: {[]record.SkippedRows{gpu}, ""},
		`t:case("b", function(t) ` + one + ` end)`:                   {[]record.SkippedRows{gpu}, noGPU},
		`t:case("b", function(t) ` + one + `t:check(true) end)`:      {[]record.SkippedRows{gpu}, ""},
		`for i = 1, 1000 do t:case("a", function(t) t:skip("reason " .. i) end) end`: {nil,
			"every row was skipped: reason 1, and 100 other reasons"},
	} {
		r, _, _ := runRows(t, 0, body)
		rows := 0
		for _, skipped := range r.SkippedRows {
			rows += skipped.Rows
		}
		if r.End != nil || r.Skipped != test.skipped || test.rows != nil && !slices.Equal(r.SkippedRows, test.rows) ||
			test.rows == nil && rows != 1000 {
			t.Errorf("%s: %v, skipped %q, %d rows %+v", body, r.End, r.Skipped, rows, r.SkippedRows)
		}
	}
}

// TestLongRowsEnd ends a case in a row whose results, with the name of the row, exceed the limit of output.
func TestLongRowsEnd(t *testing.T) {
	r := runLimited(t, scenarioWith(`t:case(("n"):rep(60000), function(t)
		for i = 1, 20 do t:check(true) end while true do end end)`, ""),
		record.Limits{Instructions: 1e6, Output: 100_000}, luabind.Options{})
	if r.End == nil || r.End.Kind != record.EndLimit || len(r.Problems) != 1 ||
		!strings.HasPrefix(r.Problems[0], "results of a row are lost: produced ") {
		t.Errorf("%+v, problems %q", r.End, r.Problems)
	}
}

// TestCaseEnds ends the case in a row: the device of the row is closed after its deferred functions.
func TestCaseEnds(t *testing.T) {
	r, opened, closed := runRows(t, 300*time.Millisecond, `pcall(t.case, t, "a", function(t)
		t:malloc(64) t:defer(function() print("deferred") end) while true do end end) print("not reached")`)
	if r.End == nil || r.End.Kind != record.EndTimeout || opened != 1 || closed != 1 || r.Log != "deferred\n" ||
		len(r.Problems) != 0 {
		t.Errorf("%v, %d devices opened, %d closed, log %q, %q", r.End, opened, closed, r.Log, r.Problems)
	}
}

// TestCaseOnOneDevice runs rows on a platform without other devices.
func TestCaseOnOneDevice(t *testing.T) {
	r := run(t, prelude+`return { schemes = "any", run = function(t)
		t:case("a", function(t) t:malloc(64) t:equal(1, 2) end) t:equal(hip.stats().live_blocks >= 1, true) end }`,
		record.Case{Scheme: "managed"})
	if r.End != nil || len(r.Problems) != 0 || len(r.Checks) != 2 || r.Checks[0].Text != "a: equal" {
		t.Errorf("%v %q %+v", r.End, r.Problems, r.Checks)
	}
}

// TestClockOfCases reads os.clock where there is no device yet, and on the devices of rows: it begins at 0, each read
// takes a microsecond, and it never goes back.
func TestClockOfCases(t *testing.T) {
	const source = `local first, second = os.clock(), os.clock()
		return { setup_all = function() return { os.clock(), os.clock() } end, run = function(t)
			local hip, last = require "hip", os.clock()
			t:equal({ first, second, t.data[1], t.data[2] }, { 0, 1e-6, 2e-6, 3e-6 }) -- setup_all follows the top level
			local function later(cost)
				local now = os.clock()
				t:near(now - last, cost, 1e-12)
				last = now
			end
			for _ = 1, 2 do t:case("row", function(t) later(1e-6) hip.free(hip.malloc(8)) later(211e-6) end) end
			later(1e-6)
		end }`
	script, err := luabind.Compile("clock.lua", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	profile, err := workspace.FindProfile(workspace.DefaultProfileOf("cpu"))
	if err != nil {
		t.Fatal(err)
	}
	for _, prepared := range []bool{false, true} {
		rt, err := hip.Open("cpu", driver.Config{})
		if err != nil {
			t.Fatal(err)
		}
		o := luabind.Options{Runtime: rt, Profile: profile, Virtual: true,
			Fresh: func() (*hip.Runtime, func() error, error) {
				rt, err := hip.Open("cpu", driver.Config{})
				return rt, rt.Close, err
			}}
		var rec *record.Record
		if prepared {
			rec = script.Prepare(1, luabind.Options{Virtual: true}).Run(t.Context(), record.Case{}, o)
		} else {
			rec = luabind.Run(t.Context(), script, record.Case{}, o)
		}
		wantPassed(t, rec, 6)
		rt.Close()
	}
}
