package luabind_test

import (
	"runtime"
	"testing"

	"roclua/luabind"
	"roclua/luabind/record"
)

// TestHeldMemory runs cases with 16 MiB of memory for Lua values and 1 MiB of device memory. A case with a limit
// reaches it before it prints.
func TestHeldMemory(t *testing.T) {
	ballast := make([]byte, 32<<20) // the heap of the process is over the limit, so that what a case holds is measured
	defer runtime.KeepAlive(&ballast)
	for name, test := range map[string]struct{ limit, body string }{
		"one array":        {"heap", `array.zeros("d", 4e6) print("made")`},
		"rows and columns": {"heap", `array.zeros("d", 2e3, 2e3) print("made")`},
		"arrays": {"heap", `local l = {array.zeros("d", 0)}
			for i = 1, 20 do l[i + 1] = array.zeros("d", 2e5) end print("made")`},
		"arrays one after the other": {"", `local e = array.zeros("d", 0)
			for i = 1, 20 do e = array.zeros("d", 2e5) end`},
		"table of pairs":   {"heap", `array.zeros("c", 1e5):totable() print("made")`},
		"table of numbers": {"", `array.zeros("s", 1e5):totable()`},
		"problems":         {"heap", `local a = array.zeros("d", 0, 0) array.residual(a, a, a, 2^22) print("made")`},
		"streams": {"heap", `local a = array.zeros("d", 1e6) for i = 1, 600 do hip.stream_create() end
			for i = 1, 9 do array.zeros("d", 2e5) end print("made")`},
		"some streams": {"", `local l, a = {}, array.zeros("d", 1e6) for i = 1, 10 do l[i] = hip.stream_create() end
			for i = 1, 9 do array.zeros("d", 2e5) end for i = 1, 10 do hip.stream_destroy(l[i]) end`},
		"vector to the device": {"heap", `local a, p = array.zeros("i8", 1e7), hip.malloc(1e6)
			rocblas.set_vector(1e6, 9, a, 1, p, 1) print("made")`},
		"copy to the device": {"heap", `local a, p = array.zeros("i8", 1e7), hip.malloc(1e6)
			pcall(hip.memcpy, p, a, 1e7) print("made")`},
		"copy to the host": {"", `local a, p = array.zeros("i8", 1e7), hip.malloc(1e6)
			pcall(hip.memcpy, a, p, 1e7) hip.free(p)`},
		"environment": {"heap", `for i = 1, 1000 do os.setenv("NAME" .. i, ("x"):rep(5e4) .. i) end
			print("made")`},
		"names of variables":  {"heap", `for i = 1, 1000 do os.setenv(("x"):rep(5e4) .. i, "") end print("made")`},
		"one variable":        {"", `for i = 1, 1000 do os.setenv("NAME", ("x"):rep(5e4) .. i) end`},
		"function of the end": {"heap", `array.zeros("i8", 1e7) print("made")`},
		"device memory":       {"device_memory", `hip.malloc(2^19) hip.malloc(2^19 + 1) print("made")`},
		"all device memory": {"", `local p, q = hip.malloc(2^19), hip.malloc(2^19) array.zeros("d", 9)
			hip.free(p) hip.free(q)`},
	} {
		t.Run(name, func(t *testing.T) {
			fields := ""
			if name == "function of the end" {
				fields = `teardown = (function()
					local a = array.zeros("i8", 1e7)
					return function() a:norm() end
				end)(),`
			}
			limits := record.Limits{Heap: 16 << 20, DeviceMemory: 1 << 20}
			rec := runLimited(t, scenario(fields, test.body), limits, luabind.Options{})
			switch {
			case test.limit == "":
				if !rec.Passed() {
					t.Errorf("%v %q", rec.End, rec.Problems)
				}
			case rec.End == nil || rec.End.Limit == nil || rec.End.Limit.Name != test.limit:
				t.Errorf("%v, log %q", rec.End, rec.Log)
			case rec.Log != "":
				t.Errorf("printed %q", rec.Log)
			}
		})
	}
}
