package luabind_test

import (
	"context"
	"fmt"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/tests/busy"
	"roclua/workspace"
)

// BenchmarkQuery measures the documented size query of four calls, from Lua, for the memory of getrf and getrs.
func BenchmarkQuery(b *testing.B) {
	for name, calls := range map[string]string{
		"in C order": `rocsolver.dgetrf(h, 1024, 1024, nil, 1024, nil, nil)
			rocsolver.dgetrs(h, rocblas.operation_none, 1024, 1, nil, 1024, nil, nil, 1024)`,
		"by name": `h:dgetrf { m = 1024, n = 1024 } h:dgetrs { n = 1024, nrhs = 1 }`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			source := fmt.Sprintf(prelude+`local h = rocblas.create_handle()
				for i = 1, %d do
					rocblas.start_device_memory_size_query(h)
					%s
					rocblas.stop_device_memory_size_query(h)
				end
				rocblas.destroy_handle(h)`, b.N, calls)
			script, err := luabind.Compile("bench.lua", []byte(source))
			if err != nil {
				b.Fatal(err)
			}
			if rec := runScript(b, context.Background(), script, record.Case{}); rec.End != nil {
				b.Fatal(rec.End)
			}
		})
	}
}

// BenchmarkCalls measures single calls that compute little, the same as tests/bench/calls.
func BenchmarkCalls(b *testing.B) {
	for _, bench := range []struct{ name, before, call, after string }{
		{name: "empty loop"},
		{name: "empty function", call: `empty(h, 1024, 1024, nil, 1024, nil, nil)`},
		{"query", `rocblas.start_device_memory_size_query(h)`,
			`dgetrf(h, 1024, 1024, nil, 1024, nil, nil)`, `rocblas.stop_device_memory_size_query(h)`},
		{name: "gemm", call: `dgemm(h, none, none, 1, 1, 1, 1, p, 1, p, 1, 0, p, 1)`},
		{name: "workspace", call: `set_workspace(h, p, 1048576)`, after: `set_workspace(h, nil, 0)`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			source := fmt.Sprintf(prelude+`
				local dgetrf, dgemm, set_workspace = rocsolver.dgetrf, rocblas.dgemm, rocblas.set_workspace
				local h, p, none = rocblas.create_handle(), hip.malloc(1048576), rocblas.operation_none
				local function empty() end
				hip.memset(p, 0, 1048576)
				%s for i = 1, %d do %s end %s
				rocblas.destroy_handle(h)
				hip.free(p)`, bench.before, b.N, bench.call, bench.after)
			rec := runLimited(b, source, record.Limits{}, luabind.Options{})
			if rec.End != nil {
				b.Fatal(rec.End)
			}
		})
	}
}

// BenchmarkClients measures an event that does nothing, of 256 clients.
func BenchmarkClients(b *testing.B) {
	b.ReportAllocs()
	source := fmt.Sprintf(`return { workload = { clients = 256, count = %d }, event = function(c) end }`, b.N)
	start := busy.Time()
	rec := loadOn(b, driver.Config{MemoryBytes: 1 << 30}, source, record.Limits{}, record.Case{})
	if !rec.Passed() {
		b.Fatalf("%+v %q", rec.End, rec.Problems)
	}
	b.ReportMetric(float64(busy.Time()-start)/float64(b.N), "cpu-ns/op")
}

// BenchmarkLoad measures a prepared dscal and a wait: in a loop without a clock, and as events of clients that hand
// the turn on in virtual time.
func BenchmarkLoad(b *testing.B) {
	const client = `local handle, stream, call
		local function begin(c)
			handle, stream = rocblas.create_handle(), hip.stream_create()
			c:defer(hip.stream_destroy, stream) c:defer(rocblas.destroy_handle, handle)
			rocblas.set_stream(handle, stream)
			local x = hip.upload(array.zeros("d", 64))
			c:defer(hip.free, x)
			call = handle:prepare("dscal", { n = 64, alpha = 2, x = x })
		end
		local function event() call() hip.stream_synchronize(stream) end
		return { schemes = { "managed" }, `
	run := func(name string, cfg driver.Config, format string, args ...any) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			cfg.MemoryBytes = 8 << 30
			start := busy.Time()
			rec := loadOn(b, cfg, client+fmt.Sprintf(format, append(args, b.N)...)+" }", record.Limits{}, record.Case{})
			if !rec.Passed() {
				b.Fatalf("%+v %q", rec.End, rec.Problems)
			}
			b.ReportMetric(float64(busy.Time()-start)/float64(b.N), "cpu-ns/op")
		})
	}
	run("no clients", driver.Config{RealTime: true},
		`run = function(t) begin(t) for i = 1, %d do event() end t:check(true, "it ran") end`)
	for _, clients := range []int{1, 8, 64} {
		run(fmt.Sprintf("%d clients", clients), driver.Config{Kernels: driver.KernelsOff},
			`client = begin, event = event, workload = { clients = %d, count = %d }`, clients)
	}
}

// BenchmarkCase measures a whole case with a size query, as a run has thousands of: the Lua state, the device, the
// handle, and the record.
func BenchmarkCase(b *testing.B) {
	script, err := luabind.Compile("bench.lua", []byte(`return { params = { m = 1000, n = 1000 }, run = function(t)
		local bytes = t.handle:query(function(q) q:dgetrf { m = t.m, n = t.n } end)
		t:metric("workspace", bytes, "bytes") t:check(bytes >= 0, "it is a size") t:log("n", t.n)
	end }`))
	if err != nil {
		b.Fatal(err)
	}
	profile, err := workspace.FindProfile("rocm-7.2")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 1 << 30})
		if err != nil {
			b.Fatal(err)
		}
		r := luabind.Run(b.Context(), script, record.Case{Scheme: "manual"},
			luabind.Options{Runtime: rt, Profile: profile, Limits: record.Limits{Heap: 256 << 20}})
		if !r.Passed() {
			b.Fatalf("%+v", r)
		}
		rt.Close()
	}
}

// BenchmarkInstructions measures what counting costs: the interpreter without a context, with a context that only ends,
// and with package vm's, which counts and checks the next instruction.
func BenchmarkInstructions(b *testing.B) {
	const source = `local s, t = 0, {} for i = 1, %d do local x = i %% 7 t[x + 1] = x s = s + t[x + 1] end return s`
	direct := func(ctx context.Context) func(b *testing.B) {
		return func(b *testing.B) {
			l := lua.NewState(lua.Options{RegistrySize: 1 << 14})
			defer l.Close()
			if ctx != nil {
				l.SetContext(ctx)
			}
			if err := l.DoString(fmt.Sprintf(source, b.N)); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("no context", direct(nil))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b.Run("a context", direct(ctx))
	for name, limits := range map[string]record.Limits{"no limits": {},
		"all limits": {Instructions: 1 << 60, Heap: 1 << 30, Output: 1 << 20}} {
		b.Run(name, func(b *testing.B) {
			rec := runLimited(b, fmt.Sprintf(source, b.N), limits, luabind.Options{})
			if rec.End != nil {
				b.Fatal(rec.End)
			}
		})
	}
}

// BenchmarkBatchedResidual measures the residuals of 30 systems of order 50, by loops in Lua that copy each system, and
// by array.residual.
func BenchmarkBatchedResidual(b *testing.B) {
	for name, check := range map[string]string{
		"loops": `for i = 0, batch - 1 do
				local Ai, xi, bi = array.zeros("d", n, n), array.zeros("d", n), array.zeros("d", n)
				for j = 1, n do
					xi[j], bi[j] = X[i * n + j], B[i * n + j]
					for k = 1, n do Ai:set(k, j, A:get(k, i * n + j)) end
				end
				array.residual(Ai, xi, bi)
			end`,
		"array.residual": `array.residual(A, X, B, batch)`,
	} {
		b.Run(name, func(b *testing.B) {
			rec := runLimited(b, fmt.Sprintf(prelude+`local n, batch = 50, 30
				local A, X, B = array.random("d", n, n * batch), array.random("d", n, batch),
					array.random("d", n, batch)
				for i = 1, %d do %s end`, b.N, check), record.Limits{}, luabind.Options{})
			if rec.End != nil {
				b.Fatal(rec.End)
			}
		})
	}
}
