package luabind_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/workspace"
)

// Run a scenario under each of its schemes, each on a new simulated device, and print what it measured and checked.
func Example() {
	script, err := luabind.Compile("fits.lua", []byte(`
		local rocblas = require "rocblas"
		return {
			about = "the workspace is large enough to factor a matrix",
			schemes = { "managed", "user_owned" },
			params = { n = 64 },
			bytes = 1048576,
			run = function(t)
				local bytes = t.handle:query(function(q) q:dgetrf{ m = t.n, n = t.n } end)
				t:metric("needed", bytes, "bytes")
				t:check(bytes <= rocblas.get_device_memory_size(t.handle), "large enough")
			end,
		}`))
	if err != nil {
		log.Fatal(err)
	}
	scenarios, err := script.Describe(context.Background(), luabind.Options{})
	if err != nil {
		log.Fatal(err)
	}
	profile, err := workspace.FindProfile("rocm-7.2")
	if err != nil {
		log.Fatal(err)
	}
	for _, scheme := range scenarios[0].Schemes {
		r, err := runCase(script, profile, record.Case{Scheme: scheme, Params: map[string]any{"n": 1024.0}})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: passed: %t\n", scheme, r.Passed())
		for _, m := range r.Metrics {
			fmt.Println(" ", m.Name, m.Value, m.Unit)
		}
		for _, c := range r.Checks {
			if !c.Passed {
				fmt.Printf("  %s: %s: have %s, want %s\n", c.Where, c.Text, c.Have, c.Want)
			}
		}
		for _, problem := range r.Problems {
			fmt.Println(" ", problem)
		}
		if r.End != nil {
			fmt.Println("  ended early:", r.End)
		}
	}
	// Output:
	// managed: passed: true
	//   needed 4732160 bytes
	// user_owned: passed: false
	//   needed 4732160 bytes
	//   fits.lua:11: large enough: have false, want true
}

// runCase runs a case with limits, so that no script can run forever.
func runCase(script *luabind.Script, profile *workspace.Profile, c record.Case) (*record.Record, error) {
	device, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 1 << 30})
	if err != nil {
		return nil, err
	}
	defer device.Close()
	ctx, cancel := luabind.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return luabind.Run(ctx, script, c, luabind.Options{Runtime: device, Profile: profile,
		Limits: record.Limits{Heap: 256 << 20, DeviceMemory: 512 << 20}}), nil
}

// Run a plain script, which prints its results.
func ExampleRun() {
	script, err := luabind.Compile("query.lua", []byte(`
		local rocblas = require "rocblas"
		local handle = rocblas.create_handle()
		print(handle:query(function(q) q:dgetrf{ m = 1024, n = 1024 } end))
		rocblas.destroy_handle(handle)`))
	if err != nil {
		log.Fatal(err)
	}
	device, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 1 << 30})
	if err != nil {
		log.Fatal(err)
	}
	defer device.Close()
	profile, err := workspace.FindProfile("rocm-7.2")
	if err != nil {
		log.Fatal(err)
	}
	r := luabind.Run(context.Background(), script, record.Case{},
		luabind.Options{Runtime: device, Profile: profile, Output: os.Stdout})
	fmt.Println(r.Passed(), r.Statuses["rocblas_create_handle.success"])
	// Output:
	// 4732160
	// true 1
}
