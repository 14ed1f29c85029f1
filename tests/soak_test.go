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

	"roclua/hip/cpu"
	"roclua/host"
	"roclua/host/exit"
)

// heapSlack is how many bytes the heap may differ by chance, whatever the number of cases.
const heapSlack = 1 << 20

var soak = flag.Int("soak", 1500, "cases that the soak runs in one process")

// soaked is a configuration of quick cases of every kind: they pass, fail and end with errors, loans, streams and handles are
// made and left, and memory fails in the midst.
const soaked = `jobs = 8
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
script = "leaves.lua"
`

// leaves is a scenario that cleans nothing up.
const leaves = `local rocblas, hip, array = require "rocblas", require "hip", require "array"
return { schemes = "any", run = function(t)
  local stream, event = hip.stream_create(), hip.event_create()
  rocblas.set_stream(t.handle, stream)
  local x = hip.upload(array.random("d", 100000))
  rocblas.create_handle():dasum { n = 100000, x = x }
  hip.event_record(event, stream)
  hip.malloc_async(1048576, stream)
  error("left as it is")
end }
`

// footprint is what a process holds between two runs.
type footprint struct {
	heap       uint64 // bytes of live objects on the Go heap
	resident   uint64 // bytes of memory that the operating system gave; 0 where it does not tell
	goroutines int
	device     int64 // bytes of simulated device memory
}

func (f footprint) String() string {
	return fmt.Sprintf("heap %.2f MiB, resident %.1f MiB, %d goroutines, %d bytes of device memory", float64(f.heap)/(1<<20), float64(f.resident)/(1<<20), f.goroutines, f.device)
}

func measure() footprint {
	for range 3 { // what has a finalizer or lies in a pool goes at the second time
		runtime.GC()
	}
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f := footprint{heap: m.HeapAlloc, goroutines: runtime.NumGoroutine(), device: cpu.Committed()}
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			pages, _ := strconv.ParseUint(fields[1], 10, 64)
			f.resident = pages * uint64(os.Getpagesize())
		}
	}
	return f
}

// soaking is the folder with the configuration.
func soaking(t *testing.T, settings string) (config string) {
	t.Helper()
	folder := t.TempDir()
	scripts, err := filepath.Abs("../scripts")
	if err != nil {
		t.Fatal(err)
	}
	config = filepath.Join(folder, "soak.toml")
	text := strings.ReplaceAll(fmt.Sprintf(soaked, settings), "SCRIPTS", filepath.ToSlash(scripts))
	for path, text := range map[string]string{config: text, filepath.Join(folder, "leaves.lua"): leaves} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return config
}

// runOnce runs a configuration and returns its report. It keeps nothing.
func runOnce(t *testing.T, config string, flags ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := host.Env{Stdin: bytes.NewReader(nil), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }, Now: time.Now, CPUs: 2}
	if code := host.Main(append([]string{"run", "--out", "json", "--quiet", config}, flags...), env); code != int(exit.Script) {
		t.Fatalf("exit code %d, want %d\n%s", code, exit.Script, stderr.String())
	}
	return stdout.Bytes()
}

// TestSoak runs many cases in one process, eight at a time: it must end with the memory and the goroutines of its beginning.
func TestSoak(t *testing.T) {
	config := soaking(t, "")
	cases, next := 0, 1000
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
	if last.goroutines > first.goroutines || last.device != 0 {
		t.Errorf("%d goroutines at first, %d at the end; %d bytes of device memory", first.goroutines, last.goroutines, last.device)
	}
	if last.heap > first.heap+heapSlack {
		t.Errorf("the heap grew from %d to %d bytes", first.heap, last.heap)
	}
}

// TestParallelCases runs the same cases eight at a time and one after the other: they answer alike, down to the allocation
// that fails. With the race detector it is the test of what cases share.
func TestParallelCases(t *testing.T) {
	config := soaking(t, "[faults]\nevery = 7")
	type report struct{ Cases []map[string]any }
	read := func(jobs string) (r report) {
		if err := json.Unmarshal(runOnce(t, config, "--jobs", jobs), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	alone, together := read("1"), read("8")
	timed := cmpopts.IgnoreMapEntries(func(name string, _ any) bool { return name == "seconds" })
	if diff := cmp.Diff(alone, together, timed); diff != "" || len(alone.Cases) < 250 {
		t.Errorf("%d cases, one after the other and eight at a time:\n%s", len(alone.Cases), diff)
	}
}
