package luabind_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/workspace"
)

// loadOf runs a scenario with a workload, with a limit of time.
func loadOf(t *testing.T, source string, limits record.Limits, c record.Case) *record.Record {
	t.Helper()
	return loadOn(t, driver.Config{MemoryBytes: 1 << 30}, source, limits, c)
}

func loadOn(t testing.TB, cfg driver.Config, source string, limits record.Limits, c record.Case) *record.Record {
	t.Helper()
	script, err := luabind.Compile("load.lua", []byte(prelude+source))
	if err != nil {
		t.Fatal(err)
	}
	rt, err := hip.Open("cpu", cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	profile, _ := workspace.FindProfile(workspace.DefaultProfileOf("cpu"))
	ctx, cancel := luabind.WithTimeout(t.Context(), limits.Timeout)
	defer cancel()
	return luabind.Run(ctx, script, c, luabind.Options{Runtime: rt, Profile: profile, Limits: limits})
}

// passed fails the test unless the case passed.
func passed(t *testing.T, r *record.Record) {
	t.Helper()
	if !r.Passed() {
		t.Fatalf("end %+v, problems %q, checks %+v\n%s", r.End, r.Problems, r.Checks, r.Log)
	}
}

// TestWorkload runs clients that have their own state and share what setup returned. Every event adds one to memory of
// its client, and leave reads the sum.
func TestWorkload(t *testing.T) {
	r := loadOf(t, `local count = 0
		return {
			params = { clients = 3, n = 4 }, schemes = { "managed" },
			workload = { clients = "clients", count = 300 },
			setup = function(t)
				local x = array.zeros("d", 4) x:fill(1)
				local p, s, e = hip.upload(x), hip.stream_create(), hip.event_create()
				t:defer(hip.free, p) t:defer(hip.stream_destroy, s) t:defer(hip.event_destroy, e)
				return { one = p, stream = s, event = e, list = { 1, "two", true }, x = x }
			end,
			client = function(c)
				assert(c.clients == 3 and c.id >= 1 and c.id <= 3 and c.scheme == "managed" and c.n == 4)
				assert(c.shared.list[2] == "two" and c.shared.x[4] == 1 and tostring(c.shared.stream) == "stream 1")
				own = c.handle and hip.malloc(32)
				hip.memset(own, 0, 32)
				c:defer(hip.free, own)
				c:log("seed", c.seed)
			end,
			event = function(c)
				count = count + 1
				c.handle:daxpy{ n = 4, alpha = 1, x = c.shared.one, y = own }
				assert(rocblas.get_stream(c.handle) == c.stream)
			end,
			leave = function(c)
				hip.stream_synchronize(c.stream)
				local y = array.zeros("d", 4)
				hip.download(y, own)
				c:equal(y[3], count, "sum of the client")
				c:equal(c.shared.x[4], 1)
			end,
			teardown = function(t) t:metric("left", hip.stats().streams) end,
		}`, record.Limits{Timeout: time.Minute}, record.Case{Scheme: "managed", Seed: 5})
	passed(t, r)
	l := r.Load
	if l == nil || l.Events != 300 || l.Clients != 3 || l.Stopped != "count" || !l.Simulated || l.Intervals == nil {
		t.Fatalf("load %+v", l)
	}
	if n := r.Statuses["rocblas_daxpy.success"]; n != 300 {
		t.Errorf("%d calls of daxpy", n)
	}
	if len(l.Handles) < 3 || l.Handles[0].Bytes == 0 {
		t.Errorf("memory of the handles: %+v", l.Handles)
	}
	seeds := map[string]bool{}
	for line := range strings.Lines(r.Log) {
		seeds[line] = true
	}
	if len(seeds) != 3 {
		t.Errorf("the clients log %q", r.Log)
	}
	names := map[string]bool{}
	for _, m := range r.Metrics {
		names[m.Name] = true
	}
	for _, name := range []string{"events", "events_per_second", "errors", "latency.p50", "latency.p999", "latency.max",
		"left"} {
		if !names[name] {
			t.Errorf("no metric %s in %v", name, r.Metrics)
		}
	}
}

// TestSharedArrays writes to an array that all clients share, in each way that a script has. Copies can be written.
func TestSharedArrays(t *testing.T) {
	r := loadOf(t, `return {
		workload = { clients = 2, count = 2 },
		setup = function(t)
			local x = array.zeros("d", 2, 2) x:fill(7)
			local p = hip.upload(x)
			t:defer(hip.free, p)
			return { x = x, p = p }
		end,
		event = function(c)
			local x, p = c.shared.x, c.shared.p
			for name, write in pairs {
				index = function() x[1] = 1 end,
				set = function() x:set(1, 1, 1) end,
				fill = function() x:fill(1) end,
				paste = function() x:paste(1, 1, array.zeros("d", 1)) end,
				download = function() hip.download(x, p) end,
				memcpy = function() hip.memcpy(x, p, 8) end,
				memcpy_async = function() hip.memcpy_async(x, p, 8, c.stream) end,
				memcpy2d = function() hip.memcpy2d(x, 16, p, 16, 16, 2) end,
				get_vector = function() rocblas.get_vector(2, 8, p, 1, x, 1) end,
				host = function() hip.memcpy(x, array.zeros("d", 2), 16) end,
			} do
				local ok, message = pcall(write)
				local said = tostring(message):find("the array belongs to all clients, which only read it", 1, true)
				c:check(not ok and said, name .. ": " .. tostring(message))
			end
			local own = x:copy()
			own[1] = c.id
			c:equal(own[1] + x[1], c.id + 7)
			c:equal(array.norm(x), 14)
			hip.memcpy(p, x, 32)
		end,
		teardown = function(t) end,
	}`, record.Limits{Timeout: time.Minute}, record.Case{})
	passed(t, r)
}

// TestMixedEvents draws the kinds of events by the seed of the case.
func TestMixedEvents(t *testing.T) {
	source := `return { workload = { clients = %d, count = 200 }, events = {
		{ name = "small", weight = 3, run = function(c) end }, { name = "large", run = function(c) end } } }`
	var before int64
	for _, clients := range []int{1, 4} {
		r := loadOf(t, fmt.Sprintf(source, clients), record.Limits{}, record.Case{Seed: 9})
		passed(t, r)
		small := r.Load.Named[0].Events
		if small < 120 || small > 180 || before != 0 && small != before {
			t.Errorf("%d small events with %d clients, %d before", small, clients, before)
		}
		before = small
	}
}

// TestDeclaredWorkloads reads workloads that are not valid. The messages name the place.
func TestDeclaredWorkloads(t *testing.T) {
	const event = `, event = function(c) end`
	for _, test := range []struct{ fields, want string }{
		{`workload = { clients = 8, duration = "10s" }`, `a workload needs a function event(c), or events = {`},
		{`workload = { duration = 1 }, run = function(t) end` + event, `has either a function run(t) or a workload`},
		{`run = function(t) end` + event, `field event belongs to a workload`},
		{`workload = 5` + event, `field workload must be a table, got number`},
		{`workload = { }` + event, `it needs a duration such as "10s", a count of events, or stages`},
		{`workload = { duration = 1, cleints = 8 }` + event, `no field "cleints", did you mean "clients"?`},
		{`workload = { duration = 1, clients = 0 }` + event, `clients = 0; want an integer from 1 to 4096`},
		{`workload = { duration = 1, clients = 4097 }` + event, `clients = 4097; want an integer from 1 to 4096`},
		{`workload = { duration = 1, clients = 1.5 }` + event, `clients = 1.5; want an integer`},
		{`workload = { duration = 1, clients = "many" }` + event, `clients = "many"; want an integer from 1 to 4096`},
		{`workload = { duration = 1, rate = -1 }` + event, `rate = -1; want a number from 0 to 10000000`},
		{`workload = { duration = 1, rate = 1/0 }` + event, `rate = +Inf; want a number`},
		{`workload = { duration = 1, rate = 0/0 }` + event, `rate = NaN; want a number`},
		{`workload = { duration = 1, queue = 0 }` + event, `queue = 0; want an integer`},
		{`workload = { duration = "10" }` + event, `duration = "10"; want a duration such as "10s"`},
		{`workload = { duration = "-1s" }` + event, `duration = "-1s"; want a duration`},
		{`workload = { duration = 1, arrivals = "evn" }` + event, `arrivals = "evn", did you mean "even"?; want one`},
		{`workload = { duration = 1, stages = { { duration = 1, clients = 2 } } }` + event,
			`duration: the stages say how long the load lasts`},
		{`workload = { stages = { { duration = 2, clients = 2 }, { start = 1, duration = 1, clients = 2 } } }` + event,
			`stage 2: it starts at 1s, before stage 1 ends at 2s`},
		{`workload = { stages = { { duration = 2 } } }` + event, `stage 1: it changes neither clients nor rate`},
		{`workload = { stages = { { clients = 2 } } }` + event, `stage 1: it needs a duration`},
		{`workload = { stages = { } }` + event, `stages must be a list of 1 to 1000 tables`},
		{`workload = { stages = { 5 } }` + event, `stage 1 must be a table`},
		{`workload = { duration = 1 }, events = { }`, `a workload needs a function event(c)`},
		{`workload = { duration = 1 }, events = { 5 }`, `field events: item 1 is a number`},
		{`workload = { duration = 1 }, events = { { name = "a b", run = print } }`, `an event needs a name of letters`},
		{`workload = { duration = 1 }, events = { { name = "a", run = print }, { name = "a", run = print } }`,
			`event 2: the name "a" is used twice`},
		{`workload = { duration = 1 }, events = { { name = "a" } }`, `event 1: run must be a function, got nil`},
		{`workload = { duration = 1 }, events = { { name = "a", weight = -1, run = print } }`, `event 1: weight = -1`},
		{`workload = { duration = 1 }, events = { { name = "a", weight = 0, run = print } }`,
			`the weights of all events are 0`},
		{`workload = { duration = 1 }, events = { { name = "a", run = print } }` + event, `has either event or events`},
		{`workload = { duration = 1 }, client = 5` + event, `field client must be a function, got number`},
		{`params = { shared = 1 }, workload = { duration = 1 }` + event, `c.shared is a field or method of c`},
	} {
		_, err := describe(t, "return { "+test.fields+" }")
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.fields, err, test.want)
		}
	}
}

// TestWorkloadsThatCannotRun has workloads that are wrong only when they run: their cases end as invalid.
func TestWorkloadsThatCannotRun(t *testing.T) {
	for name, test := range map[string]struct{ source, want string }{
		"too long": {`return { workload = { duration = "2m" }, event = function(c) end }`,
			"the load lasts 2m0s, and limits.timeout ends the case after 1m0s"},
		"parameter": {`return { params = { clients = 5 }, workload = { clients = "clients", count = 1 },
			event = function(c) end }`, "clients = 0; want an integer from 1"},
		"no handle of the name": {`return { workload = { count = 1, shared = "h" },
			setup = function(t) return { hh = 1 } end, event = function(c) end }`,
			`setup returned no handle "h", did you mean "hh"?`},
		"handle": {`return { workload = { count = 1 }, setup = function(t)
			local h = rocblas.create_handle() t:defer(rocblas.destroy_handle, h) return { h = h } end,
			event = function(c) end }`, `the result of setup.h is a handle; a handle that all clients use is named in`},
		"function": {`return { workload = { count = 1 }, setup = function(t) return { f = { print } } end,
			event = function(c) end }`, `the result of setup.f.1 is a function, which clients cannot share`},
		"circle": {`return { workload = { count = 1 }, setup = function(t) local x = {} x.x = x return x end,
			event = function(c) end }`, `tables are nested more than 20 times`},
	} {
		c := record.Case{}
		if name == "parameter" {
			c.Params = map[string]any{"clients": 0.0}
		}
		// A load in virtual time may last longer than its case.
		r := loadOn(t, driver.Config{RealTime: name == "too long"}, test.source, record.Limits{Timeout: time.Minute}, c)
		if r.End == nil || r.End.Kind != record.EndInvalid || !strings.Contains(r.End.Message, test.want) {
			t.Errorf("%s: %+v, want %q", name, r.End, test.want)
		}
	}
}

// TestFailingWorkloads runs loads with some clients or events that fail. The results of the others are kept.
func TestFailingWorkloads(t *testing.T) {
	const millisecond = `local s = os.clock() while os.clock() < s + 0.001 do end `
	for _, test := range []struct {
		name, source string
		problems     []string
	}{
		{"a client fails", `return { workload = { clients = 3, count = 50 }, event = function(c)
			if c.id == 2 then error("broken") end ` + millisecond + ` end }`,
			[]string{"client 2 failed: load.lua:2: broken"}},
		{"a function client fails", `return { workload = { clients = 2, count = 50 },
			client = function(c) if c.id == 1 then c.nothing() end end, event = function(c) end }`,
			[]string{`client 1 failed: load.lua:2: c has no parameter or function "nothing"`}},
		{"a function leave fails", `return { workload = { clients = 1, count = 50 }, event = function(c) end,
			leave = function(c) error("left") end }`, []string{"client 1 failed: load.lua:2: left"}},
		{"a status", `return { workload = { clients = 1, count = 50 }, event = function(c)
			n = (n or 0) + 1 if n % 10 == 0 then hip.malloc(2^40) end end }`,
			[]string{"5 of 50 events failed: 5 with hipErrorOutOfMemory; the first one: load.lua:2: hipMalloc:"}},
		{"a status that is tolerated", `return { workload = { clients = 1, count = 50,
			tolerate = "hipErrorOutOfMemory" }, event = function(c)
			n = (n or 0) + 1 if n % 10 == 0 then hip.malloc(2^40) end end }`, nil},
		{"an event does not return", `return { workload = { clients = 2, duration = 0.05, grace = 0.05 },
			event = function(c) while c.id == 1 do end ` + millisecond + ` end }`,
			[]string{"client 1 failed: the load has ended, and the event that runs has not returned"}},
		{"overload", `return { workload = { clients = 1, duration = 0.1, rate = 5000, queue = 3, grace = 0.05 },
			event = function(c) ` + millisecond + millisecond + ` end }`, []string{"overload: "}},
		{"checks", `return { workload = { clients = 1, count = 20 }, event = function(c) c:check(false, "no") end }`,
			[]string{"client 1: 16 more checks failed"}},
		{"a leak", `return { workload = { clients = 1, count = 1 }, event = function(c) hip.malloc(64) end }`,
			[]string{"leak: 64 bytes"}},
		{"no event", `return { workload = { clients = 1, duration = 0.01, rate = 0.001 }, event = function(c) end }`,
			[]string{"the load had no event, so it tested nothing"}},
		{"no hazard", `return { workload = { clients = 4, count = 40 }, setup = function(t)
			local p = hip.malloc(64) t:defer(hip.free, p) hip.memset(p, 0, 64) return p end,
			event = function(c) hip.download(array.zeros("i8", 64), c.shared) end }`, nil},
		{"a hazard", `return { workload = { clients = 2, duration = 0.1 }, setup = function(t)
			local p = hip.malloc(64) t:defer(hip.free, p) return p end,
			event = function(c) hip.memset_async(c.shared, 1, 64, c.stream) hip.stream_synchronize(c.stream) end }`,
			[]string{"hazard: hipMemsetAsync in stream"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			// A loop without calls takes no virtual time, so that only the timeout ends it.
			cfg := driver.Config{MemoryBytes: 1 << 30, RealTime: test.name == "an event does not return"}
			r := loadOn(t, cfg, test.source, record.Limits{Timeout: time.Minute}, record.Case{})
			all := strings.Join(r.Problems, "\n")
			if r.End != nil || r.Load == nil || (r.Load.Events == 0) != (test.name == "no event") {
				t.Fatalf("end %+v, load %+v, problems %s", r.End, r.Load, all)
			}
			if test.problems == nil && all != "" {
				t.Errorf("problems: %s", all)
			}
			for _, want := range test.problems {
				if !strings.Contains(all, want) {
					t.Errorf("problems: %s\nwant %s", all, want)
				}
			}
		})
	}
}

// TestSharedHandle lets two clients use one handle, one before and one after the load begins, so that their calls never
// overlap. Only a wait of the second one for what the first one queued later orders them.
func TestSharedHandle(t *testing.T) {
	source := `local function use(c)
			c.shared.h:query(function(q) q:dgetrf{ m = 8, n = 8 } end)
			c.shared.h:dgemm{ m = 64, n = 64, k = 64, alpha = 1, beta = 0, A = c.shared.p,
				B = c.shared.p, C = c.shared.p }
			hip.device_synchronize()
		end
		return { workload = { clients = 2, count = 2, shared = "h" }, setup = function(t)
			local h, p, e, s = rocblas.create_handle(), hip.malloc(64 * 64 * 8), hip.event_create(), hip.stream_create()
			t:defer(rocblas.destroy_handle, h) t:defer(hip.free, p) hip.memset(p, 0, 64 * 64 * 8)
			t:defer(hip.event_destroy, e) t:defer(hip.stream_destroy, s)
			return { h = h, p = p, e = e, s = s }
		end,
		client = function(c) local e, s = c.shared.e, c.shared.s if c.id == 1 then %s end end,
		event = function(c) local e, s = c.shared.e, c.shared.s if c.id == 2 then %s end end }`
	for _, test := range []struct {
		first, second string
		unordered     bool
	}{
		{"use(c)", "", false},
		{"use(c)", "use(c)", true},
		{"use(c)", "hip.device_synchronize() use(c)", true}, // what it waits for was queued before the end of the call
		{"use(c) hip.event_record(e, s)", "hip.event_synchronize(e) use(c)", false},
		{"hip.event_record(e, s) use(c)", "hip.event_synchronize(e) use(c)", true},
		{"use(c) hip.event_record(e, s)", "hip.stream_wait_event(c.stream, e) use(c)", true}, // the host does not wait
		{"use(c) hip.event_record(e, s)", "use(c) hip.event_synchronize(e)", true},
	} {
		r := loadOf(t, fmt.Sprintf(source, test.first, test.second), record.Limits{Timeout: time.Minute}, record.Case{})
		want := ""
		if test.unordered {
			want = "clients used a handle without order 1 times, which the libraries forbid: " +
				"handle:query at load.lua:2 " +
				"after rocblas.dgemm at load.lua:3; a client must wait for work that the other one " +
				"queued after its call"
		}
		if all := strings.Join(r.Problems, "\n"); r.End != nil || all != want {
			t.Errorf("%s, then %s: end %+v, problems %q, want %q", test.first, test.second, r.End, all, want)
		}
	}
}

// TestHostFunctionsOfClients runs functions in the client that queued them, before its event ends.
func TestHostFunctionsOfClients(t *testing.T) {
	r := loadOf(t, `return { workload = { clients = 4, count = 200 },
		event = function(c)
			local ran = false
			hip.launch_host_func(c.stream, function(id) assert(id == c.id) ran = true end, c.id)
			if c.id % 2 == 0 then hip.stream_synchronize(c.stream) assert(ran) end
			calls = (calls or 0) + (last == nil and 0 or last() and 1 or 0)
			last = function() return ran end
		end,
		leave = function(c) if last then c:check(last()) end end }`, record.Limits{Timeout: time.Minute}, record.Case{})
	passed(t, r)
}

// TestLimitsOfWorkloads reaches limits by all clients together.
func TestLimitsOfWorkloads(t *testing.T) {
	for name, test := range map[string]struct {
		source string
		limits record.Limits
	}{
		"instructions": {`return { workload = { clients = 8, count = 10000 },
			event = function(c) for i = 1, 1000 do end end }`, record.Limits{Instructions: 2_000_000}},
		"output": {`return { workload = { clients = 8, count = 10000 },
			event = function(c) c:log("a line of a client") end }`, record.Limits{Output: 20_000}},
		"device_memory": {`return { workload = { clients = 8, count = 10000 },
			event = function(c) hip.malloc(1000) end }`, record.Limits{DeviceMemory: 100_000}},
		"heap": {`return { workload = { clients = 8, count = 1000000 },
			client = function(c) list = {} end,
			event = function(c) list[#list + 1] = ("x"):rep(100000) .. #list end }`, record.Limits{Heap: 64 << 20}},
		"timeout": {`return { workload = { clients = 2, count = 1000000000 }, event = function(c) end }`,
			record.Limits{Timeout: 200 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			r := loadOf(t, test.source, test.limits, record.Case{})
			if r.End == nil || r.End.Limit == nil || r.End.Limit.Name != name {
				t.Fatalf("end %+v, %q", r.End, r.Problems)
			}
			if r.Load == nil || r.Load.Events == 0 {
				t.Errorf("load %+v", r.Load)
			}
		})
	}
}

// TestManyClients runs 256 clients whose events do nothing. An event allocates nothing: twice as many events allocate
// as much. BenchmarkClients measures their time.
func TestManyClients(t *testing.T) {
	allocated := func(events int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		source := fmt.Sprintf(`return { workload = { clients = 256, count = %d }, event = function(c) end }`, events)
		r := loadOf(t, source, record.Limits{Timeout: time.Minute}, record.Case{})
		runtime.ReadMemStats(&after)
		passed(t, r)
		if r.Load.Events != int64(events) {
			t.Errorf("%d events, want %d", r.Load.Events, events)
		}
		return after.Mallocs - before.Mallocs
	}
	const events = 50_000
	allocated(1)
	once, twice := allocated(events), allocated(2*events)
	if more := int64(twice) - int64(once); more > events/20 {
		t.Errorf("%d further events make %d further allocations", events, more)
	}
	t.Logf("%d and %d allocations", once, twice)
}
