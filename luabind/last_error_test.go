package luabind_test

import (
	"context"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/workspace"
)

// TestLastErrorByRelease checks which calls set the last error: a success does before HIP 7.0, and a call that reads it
// does not. The calls that a handle makes and its kernels count too.
func TestLastErrorByRelease(t *testing.T) {
	for profile, cleared := range map[string]bool{"rocm-6.4": true, "rocm-7.1": false, "rocm-7.2": false} {
		script, err := luabind.Compile("test.lua", []byte(scenario("", `
			local cleared = t.profile == "rocm-6.4"
			local function after(call)
				hip.get_last_error()
				hip.try.malloc(2^40)
				if call then call() end
				return hip.get_last_error()
			end
			local x = hip.malloc(64)
			hip.memset(x, 0, 64)
			t:equal(after(), hip.error_out_of_memory)
			t:equal(after(hip.peek_at_last_error), hip.error_out_of_memory)
			local want = cleared and hip.success or hip.error_out_of_memory
			t:equal(after(function() hip.free(nil) end), want)
			t:equal(after(function() rocblas.dscal(t.handle, 8, 2, x, 1) end), want)
			t:equal(after(function() rocblas.destroy_handle(rocblas.create_handle()) end), want)
			hip.get_last_error()
			t:equal(hip.get_last_error(), hip.success)
			hip.free(x)`)))
		if err != nil {
			t.Fatal(err)
		}
		rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		p, err := workspace.FindProfile(profile)
		if err != nil || p.Release.SuccessClearsError != cleared {
			t.Fatalf("%s: %v", profile, err)
		}
		r := luabind.Run(context.Background(), script, record.Case{Scheme: "managed"},
			luabind.Options{Runtime: rt, Profile: p})
		rt.Close()
		if !r.Passed() {
			t.Errorf("%s: %+v %v\n%v", profile, r.End, r.Problems, r.Checks)
		}
	}
}
