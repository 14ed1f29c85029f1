package luabind_test

import (
	"context"
	"fmt"
	"os"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/workspace"
)

// Run a script on the simulated device.
func ExampleRun() {
	script, err := luabind.Compile("query.lua", []byte(`
		local rocblas = require "rocblas"
		local handle = rocblas.create_handle()
		print(handle:query(function(q) q:dgetrf{ m = 1024, n = 1024 } end))
		rocblas.destroy_handle(handle)`))
	if err != nil {
		fmt.Println(err)
		return
	}
	device, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 1 << 30})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer device.Close()
	profile, err := workspace.FindProfile("rocm-7.2")
	if err != nil {
		fmt.Println(err)
		return
	}
	rec := luabind.Run(context.Background(), script, record.Case{},
		luabind.Options{Runtime: device, Profile: profile, Output: os.Stdout})
	fmt.Println(rec.Passed(), rec.Statuses["rocblas_create_handle.success"])
	// Output:
	// 4732160
	// true 1
}

// Run one case of a scenario under a scheme and with a parameter. The record has its metrics and checks.
func ExampleRun_scenario() {
	script, err := luabind.Compile("fits.lua", []byte(`
		local rocblas = require "rocblas"
		return {
			about = "the initial workspace is large enough to factor a matrix",
			schemes = { "managed", "preallocated" },
			params = { n = 64 },
			run = function(t)
				local bytes = t.handle:query(function(q) q:dgetrf{ m = t.n, n = t.n } end)
				t:metric("needed", bytes, "bytes")
				t:check(bytes <= rocblas.get_device_memory_size(t.handle), "large enough")
			end,
		}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	scenarios, err := script.Describe(context.Background(), luabind.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(scenarios[0].Schemes, scenarios[0].Params)
	device, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 1 << 30})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer device.Close()
	profile, err := workspace.FindProfile("rocm-7.2")
	if err != nil {
		fmt.Println(err)
		return
	}
	rec := luabind.Run(context.Background(), script,
		record.Case{Scheme: "managed", Params: map[string]any{"n": 1024.0}},
		luabind.Options{Runtime: device, Profile: profile})
	for _, m := range rec.Metrics {
		fmt.Println(m.Name, m.Value, m.Unit)
	}
	for _, c := range rec.Checks {
		fmt.Println(c.Passed, c.Text, c.Where)
	}
	// Output:
	// [managed preallocated] [{n 64}]
	// needed 4732160 bytes
	// true large enough fits.lua:10
}
