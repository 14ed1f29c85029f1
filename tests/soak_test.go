package tests

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roclua/hip/cpu/memory"
	"roclua/host"
	"roclua/host/exit"
)

// heapSlack is the allowed variation of the heap in bytes, independent of the number of cases.
const heapSlack = 1 << 20

var soak = flag.Int("soak", 0, "number of cases that TestSoak runs in one process")

// soakConfig has fast cases of every kind: they pass, fail, end with errors, leak allocations, streams and handles, and
// have failing allocations.
const soakConfig = `jobs = 8
%s
[[target]]
profile = "rocm-6.4"
[[target]]
profile = "rocm-7.1"
[[target]]
profile = "rocm-7.2"
[[scenario]]
script = "SCRIPTS/query"
[[scenario]]
script = "SCRIPTS/developer"
[[scenario]]
script = "SCRIPTS/shortage/memory_error.lua"
[[scenario]]
script = "SCRIPTS/mixed/products.lua"
matrix = { "faults.nth" = "1:6" }
[[scenario]]
script = "SCRIPTS/solve/solve.lua"
params = { n = 20 }
matrix = { "faults.nth" = "1:8" }
[[scenario]]
script = "leaking.lua"
`

// leaking is a scenario that releases nothing.
const leaking = `local rocblas, hip, array = require "rocblas", require "hip", require "array"
return { schemes = "any", run = function(t)
  local stream, event = hip.stream_create(), hip.event_create()
  rocblas.set_stream(t.handle, stream)
  local x = hip.upload(array.random("d", 100000))
  rocblas.create_handle():dasum { n = 100000, x = x }
  hip.event_record(event, stream)
  hip.malloc_async(1048576, stream)
  error("left open")
end }
`

// footprint is the memory and the goroutines of the process between two runs.
type footprint struct {
	heap       uint64 // bytes of live objects on the Go heap
	resident   uint64 // resident memory in bytes; 0 if not known
	goroutines int
	device     int64 // bytes of simulated device memory
}

func (f footprint) String() string {
	return fmt.Sprintf("heap %.2f MiB, resident %.1f MiB, %d goroutines, %d bytes of device memory",
		float64(f.heap)/(1<<20), float64(f.resident)/(1<<20), f.goroutines, f.device)
}

func measure() footprint {
	for range 3 { // objects with finalizers and in pools need a second collection
		runtime.GC()
	}
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f := footprint{heap: m.HeapAlloc, goroutines: runtime.NumGoroutine(), device: memory.Committed()}
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			pages, _ := strconv.ParseUint(fields[1], 10, 64)
			f.resident = pages * uint64(os.Getpagesize())
		}
	}
	return f
}

// writeSoak writes the configuration to a temporary folder and returns its path.
func writeSoak(t *testing.T, settings string) (config string) {
	t.Helper()
	folder := t.TempDir()
	scripts, err := filepath.Abs("../scripts")
	if err != nil {
		t.Fatal(err)
	}
	config = filepath.Join(folder, "soak.toml")
	text := strings.ReplaceAll(fmt.Sprintf(soakConfig, settings), "SCRIPTS", filepath.ToSlash(scripts))
	for path, text := range map[string]string{config: text, filepath.Join(folder, "leaking.lua"): leaking} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return config
}

// runOnce runs a configuration and returns its JSON report.
func runOnce(t *testing.T, config string, flags ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args := append([]string{"run", "--out", "json", "--quiet", config}, flags...)
	if code := host.Main(args, testEnv(&stdout, &stderr)); code != int(exit.Script) {
		t.Fatalf("exit code %d, want %d\n%s", code, exit.Script, stderr.String())
	}
	return stdout.Bytes()
}

// TestSoak runs many cases in one process, eight at a time. Memory and goroutines must not grow.
func TestSoak(t *testing.T) {
	if *soak == 0 {
		t.Skip("the flag -soak is not set")
	}
	config := writeSoak(t, "")
	cases, next := 0, min(1000, *soak/2)
	var first, last footprint
	for cases < *soak {
		var report struct{ Cases []json.RawMessage }
		if err := json.Unmarshal(runOnce(t, config), &report); err != nil {
			t.Fatal(err)
		}
		cases += len(report.Cases)
		if cases < next && cases < *soak {
			continue
		}
		next = cases + *soak/10
		if last = measure(); first == (footprint{}) {
			first = last
		}
		t.Logf("after %6d cases: %s", cases, last)
	}
	// What another test of this process left, such as a goroutine that waits for a killed program, ends by itself.
	for range 200 {
		if last.goroutines <= first.goroutines {
			break
		}
		time.Sleep(50 * time.Millisecond)
		last.goroutines = runtime.NumGoroutine()
	}
	if last.goroutines > first.goroutines || last.device != 0 {
		stacks := make([]byte, 1<<16)
		t.Errorf("%d goroutines at the start, %d at the end; %d bytes of device memory\n%s",
			first.goroutines, last.goroutines, last.device, stacks[:runtime.Stack(stacks, true)])
	}
	if last.heap > first.heap+heapSlack {
		t.Errorf("the heap grew from %d to %d bytes", first.heap, last.heap)
	}
}

// TestParallelCases runs the same cases sequentially and eight at a time. The results must be equal, including failed
// allocations. With the race detector it tests the data shared by cases.
func TestParallelCases(t *testing.T) {
	config := writeSoak(t, "[faults]\nevery = 7")
	type report struct{ Cases []map[string]any }
	read := func(jobs string) (r report) {
		if err := json.Unmarshal(runOnce(t, config, "--jobs", jobs), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	sequential, parallel := read("1"), read("8")
	timed := cmpopts.IgnoreMapEntries(func(name string, _ any) bool { return name == "seconds" })
	if diff := cmp.Diff(sequential, parallel, timed); diff != "" || len(sequential.Cases) < 250 {
		t.Errorf("%d cases, in sequence (-) and eight at a time (+):\n%s", len(sequential.Cases), diff)
	}
}
