//go:build linux

package tests

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"roclua/tests/hostile"
)

var mostCases = flag.Int("cases", 0, "number of cases of the largest plan of TestCases, a power of ten")

const scaleScript = `return { schemes = { "manual" }, params = { n = 1, m = 1 }, run = function(t)
  local bytes = t.handle:query(function(q) q:dgetrf { m = t.m, n = t.n } end)
  t:metric("workspace", bytes, "bytes")
  t:metric("per_row", bytes / t.m)
  t:check(bytes >= 0, "it is a size")
  t:log("m", t.m, "n", t.n)
end }`

const scaleConfig = `[expect]
"count(workspace)" = "== %d"
[[target]]
profile = "rocm-7.2"
[[scenario]]
script = "s.lua"
matrix = { m = "1:%d", n = "1:%d" }
`

// TestCases runs plans with increasing numbers of cases, each with a size query, in worker processes and in the program
// itself, and compares the memory. It shows the time of a case. A run of one case per processor measures the startup of
// the program and its workers. Shards of the plan are merged. "make cases" does this with up to 100,000 cases.
func TestCases(t *testing.T) {
	if *mostCases == 0 {
		t.Skip("the flag -cases is not set")
	}
	for _, isolation := range []string{"worker", "case"} {
		fewest := runtime.NumCPU()
		start := usageOfCases(t, isolation, 1, fewest)
		for range 4 {
			u := usageOfCases(t, isolation, 1, fewest)
			start.processors = min(start.processors, u.processors)
		}
		t.Logf("isolation %s, %7d cases: %5.1f ms of processors", isolation, fewest, start.processors.Seconds()*1e3)
		var first usage
		for n := 100; n <= *mostCases; n *= 10 {
			u := usageOfCases(t, isolation, n/100, 100)
			further := u
			further.processors -= start.processors
			t.Logf("isolation %s, %7d cases: %7.2f s, %5.0f us of processors a case, %5.0f without the start, %4d MB",
				isolation, n, u.wall.Seconds(), perCase(u, n), perCase(further, n-fewest), u.memory/1e6)
			if n == 100 {
				first = u
			}
			checkMemory(t, "a run", u, first, n)
		}
	}
	writeReports(t, *mostCases)
	mergeShards(t, *mostCases)
}

// memoryOfCase is the number of bytes that a case takes in the program, at most.
const memoryOfCase = 4000

// checkMemory compares the memory of n cases with the memory of a first run.
func checkMemory(t *testing.T, what string, u, first usage, n int) {
	t.Helper()
	if most := first.memory + 40e6 + int64(n)*memoryOfCase; u.memory > most {
		t.Errorf("%s of %d cases takes %d MB of memory, want at most %d MB", what, n, u.memory/1e6, most/1e6)
	}
}

// mergeShards runs a plan in two shards and merges them.
func mergeShards(t *testing.T, n int) {
	folder := writeFiles(t, map[string]string{"s.lua": scaleScript, "c.toml": fmt.Sprintf(scaleConfig, n, n/100, 100)})
	var first usage
	for _, shard := range []string{"1", "2"} {
		first = usageOf(t, folder, "run", "c.toml", "--quiet", "--shard", shard+"/2", "--out", "jsonl="+shard+".jsonl")
	}
	u := usageOf(t, folder, "merge", ".", "--out", "json=all.json")
	t.Logf("merge      %7d cases: %7.2f s, %5.0f us of processors a case, %4d MB", n, u.wall.Seconds(), perCase(u, n),
		u.memory/1e6)
	checkMemory(t, "a merge", u, first, n)
	text, err := os.ReadFile(filepath.Join(folder, "all.json"))
	want := fmt.Sprintf("\"cases\": %d,\n    \"passed\": %d,", n, n)
	if err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%v; the merged document has not %q", err, want)
	}
}

// usageOfCases runs the cases of a matrix with m rows and n columns.
func usageOfCases(t *testing.T, isolation string, m, n int) usage {
	t.Helper()
	folder := writeFiles(t, map[string]string{"s.lua": scaleScript,
		"c.toml": fmt.Sprintf("isolation = %q\n"+scaleConfig, isolation, m*n, m, n)})
	return usageOf(t, folder, "run", "c.toml", "--quiet")
}

// writeReports compares the memory of runs with reports and without.
func writeReports(t *testing.T, n int) {
	folder := writeFiles(t, map[string]string{"s.lua": scaleScript,
		"c.toml": fmt.Sprintf(scaleConfig, n, n/100, 100)})
	without := usageOf(t, folder, "run", "c.toml", "--quiet")
	for _, format := range []string{"json", "junit", "html"} {
		u := usageOf(t, folder, "run", "c.toml", "--quiet", "--out", format+"=report")
		t.Logf("with %-5s %7d cases: %7.2f s, %5.0f us of processors a case, %4d MB", format, n, u.wall.Seconds(),
			perCase(u, n), u.memory/1e6)
		checkMemory(t, "a run with "+format, u, without, n)
	}
}

// usage is the resource usage of a command.
type usage struct {
	wall, processors time.Duration
	memory           int64 // bytes
}

// usageOf runs the program, which must pass.
func usageOf(t *testing.T, folder string, args ...string) usage {
	t.Helper()
	c := exec.Command(program(t, "roclua"), args...)
	c.Dir = folder
	m, err := hostile.Run(c, hostile.Bounds{Memory: 8 << 30, Wall: 20 * time.Minute, Output: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	if m.Exit != 0 || m.Killed != "" {
		t.Fatalf("%v ended with %d: %s%s", args, m.Exit, m.Killed, m.Stderr)
	}
	return usage{m.Wall, c.ProcessState.UserTime() + c.ProcessState.SystemTime(), m.Peak}
}

// perCase returns the processor time of a case in microseconds.
func perCase(u usage, cases int) float64 { return u.processors.Seconds() * 1e6 / float64(cases) }
