package luabind_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"roclua/hip/routine"
	"roclua/luabind"
	"roclua/luabind/api"
	"roclua/luabind/record"
)

// values are arguments that a careless or hostile script may pass to a function.
var values = []string{
	"nil", "0", "1", "-1", "3", "64", "1e9", "2^31", "2^53", "2^60", "-2^63", "1.5", "0/0", "1/0", `""`, `"d"`, `"x"`,
	"true", "{}", "{1, 2}", "print",
	"h", "p", "s", "e", "a", "q", "w", "rocblas.status_success", "111", "112", "121", "131", "141", "{m = 4, n = 4}",
	"{handle = h, n = 4}",
}

// functions lists every function and method that a script can call, with the objects of the fuzz script.
func functions() []string {
	list := strings.Fields("math.random math.randomseed require tostring")
	objects := map[api.Kind]string{api.Handle: "h", api.Allocation: "w", api.Array: "a",
		api.Prepared: "made"}
	for _, f := range callable() {
		if f.Receiver == api.Test {
			continue // a plain script has none
		}
		owner := f.Owner
		if f.IsMethod() {
			owner = objects[f.Receiver]
		}
		list = append(list, owner+"."+f.Name)
		if f.Tries() {
			list = append(list, owner+".try."+f.Name)
		}
	}
	for _, r := range routine.All() {
		list = append(list, r.Library.String()+"."+r.Name)
	}
	return list
}

// FuzzBindings calls bound functions with arguments of all kinds. A call must return a status or raise an error about
// the script, without a panic in Go.
func FuzzBindings(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed)
	}
	names := functions()
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		var b strings.Builder
		b.WriteString(prelude)
		b.WriteString(`local h, q = rocblas.create_handle(), rocblas.create_handle()
			local p, s, e, a, w = hip.malloc(4096), hip.stream_create(), hip.event_create(), array.zeros("d", 4),
				q:device_malloc(64)
			local made = h:prepare("dscal", {n = 1, alpha = 1, x = p}) `)
		for range 20 {
			args := make([]string, r.IntN(15))
			for i := range args {
				args[i] = values[r.IntN(len(values))]
			}
			name := names[r.IntN(len(names))]
			fmt.Fprintf(&b, "pcall(function() return %s(%s) end)\n", name, strings.Join(args, ", "))
		}
		done := run(t, b.String(), record.Case{})
		if end := done.End; end != nil && end.Kind == record.EndInternal {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, end, end.Traceback, b.String())
		}
	})
}

// FuzzScript runs any text as a scenario, in the sandbox and within limits. It must end, by itself or by a limit,
// without a panic in Go.
func FuzzScript(f *testing.F) {
	for _, seed := range []string{
		`local h = rocblas.create_handle() print(h:query(function(q) q:dgetrf{ m = 4, n = 4 } end))`,
		`return { run = function(t) t:equal(1, 2) t:skip("x") end }`,
		`return { params = { n = 1 }, schemes = "any", setup = error, teardown = print }`,
		`for k, v in pairs(_G) do print(k, v) end`,
		`local t = setmetatable({}, { __index = function(t, k) return t[k .. "x"] end }) print(t.a)`,
		`coroutine.wrap(function() coroutine.yield(array.random("z", 3, 3)) end)()`,
		`print(("x"):rep(1e6):gsub("(x*)", "%1%1"))`,
		`return { run = function(t) t:defer(hip.free, hip.malloc(64))
			t:raises(rocblas.status_memory_error, error, {}) end }`,
		`hip.try.memcpy(nil, nil, 2^53, 4) print(hip.stats(), #hip.trace())`, `goto = 1 -- [[ \0`} {
		f.Add(seed)
	}
	limits := record.Limits{Timeout: time.Second, Instructions: 300_000, Heap: 64 << 20, Output: 1 << 16,
		DeviceMemory: 256 << 20}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := luabind.Compile("case.lua", []byte(prelude+text)); err != nil {
			return
		}
		done := runLimited(t, prelude+text, limits, luabind.Options{})
		if end := done.End; end != nil && end.Kind == record.EndInternal {
			t.Fatalf("%v\n%s", end, end.Traceback)
		}
	})
}
