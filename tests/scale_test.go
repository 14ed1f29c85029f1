//go:build linux

package tests

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"roclua/tests/hostile"
)

var scale = flag.Int("scale", 10000, "number of cases of the plan of TestScale, a multiple of 10000")

// scaleFiles returns the number of shards of the plan and the number of cases of each.
func scaleFiles() (shards, cases int) {
	shards = min(1000, *scale/500)
	return shards, *scale / shards
}

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

// bounds limit the resources of a command. Memory is the peak of its processes.
type bounds struct {
	wall   time.Duration
	memory int64
}

// TestScale plans and runs one shard of a large plan, generates the events of the other shards from it, and merges
// them. "make scale" does this with a million cases in a thousand files and also checks the time, so the machine must
// be idle; by default the test checks only the memory of a small plan.
func TestScale(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, with which -short is used, multiplies the memory")
	}
	shards, cases := scaleFiles()
	large := *scale >= 1000000
	folder := writeFiles(t, map[string]string{"s.lua": scaleScript,
		"c.toml": fmt.Sprintf(scaleConfig, *scale, shards, cases)})
	if err := os.Mkdir(filepath.Join(folder, "events"), 0o755); err != nil {
		t.Fatal(err)
	}
	unit := calibrate(t)
	t.Logf("%d cases in %d shards; a unit is the time of decoding 10,000 lines, %.3f s of a processor", *scale, shards,
		unit.Seconds())
	first := filepath.Join(folder, "events", "1.jsonl")
	one, all := bounds{memory: 80e6}, bounds{memory: 60e6}
	if large {
		one, all = bounds{2 * time.Second, 200e6}, bounds{60 * time.Second, 500e6}
	}
	use(t, folder, one, unit, "run", "c.toml", "--quiet", "--shard", fmt.Sprintf("1/%d", shards), "--out",
		"jsonl="+first)
	writeShards(t, first, shards, cases)
	use(t, folder, all, unit, "merge", "events", "--out", "json=all.json")
	checkDocument(t, filepath.Join(folder, "all.json"))
	os.Remove(filepath.Join(folder, "all.json"))
	if !large {
		writeLogs(t, first, 80000*cases/500)
		use(t, folder, one, unit, "run", "c.toml", "--quiet", "--shard", fmt.Sprintf("1/%d", shards), "--resume", first)
		return
	}
	for _, format := range []string{"text", "csv", "html", "jsonl", "junit", "markdown", "tap", "trace"} {
		use(t, folder, all, unit, "merge", "events", "--out", format+"=all."+format)
		os.Remove(filepath.Join(folder, "all."+format))
	}
}

// usage is the resource usage of a command.
type usage struct {
	wall, processors time.Duration
	memory           int64 // bytes
}

// use runs the program, reports its usage, and compares it with the bounds.
func use(t *testing.T, folder string, most bounds, unit time.Duration, args ...string) {
	t.Helper()
	u := usageOf(t, folder, args...)
	t.Logf("%-40.40s %6.2f s, %6.2f s of processors (%.0f units), %4d MB", strings.Join(args, " "), u.wall.Seconds(),
		u.processors.Seconds(), float64(u.processors)/float64(unit), u.memory/1e6)
	if u.memory > most.memory {
		t.Errorf("%s takes %d MB of memory, want at most %d MB", args[0], u.memory/1e6, most.memory/1e6)
	}
	if most.wall > 0 && u.wall > most.wall {
		t.Errorf("%s takes %.1f s, want at most %.0f s", args[0], u.wall.Seconds(), most.wall.Seconds())
	}
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

// calibrate returns the processor time of decoding 10,000 lines of JSON. It does not depend on other programs.
func calibrate(t *testing.T) time.Duration {
	t.Helper()
	line := []byte(`{"event":"case","id":"s[m=1,n=1]@cpu/rocm-7.2/gfx90a","params":{"m":1,"n":1},"seconds":0.5,` +
		`"checks":[{"text":"it is a size","where":"s.lua:5","passed":true,"have":"true","want":"true"}]}`)
	before := processorTimeHere()
	for range 10000 {
		var v any
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
	}
	return processorTimeHere() - before
}

// processorTimeHere returns the processor time of this process.
func processorTimeHere() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// writeShards generates the events of all other shards from the first: the lines of its first case with the ids and
// parameters of other cases.
func writeShards(t *testing.T, first string, shards, cases int) {
	t.Helper()
	text, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	begin, end := string(lines[0]), lines[len(lines)-2]
	was := caseNames(1, 1)
	var line []byte
	for _, l := range lines {
		if bytes.Contains(l, []byte(was.id)) {
			line = l
		}
	}
	before, rest, ok := bytes.Cut(line, []byte(was.id))
	between, after, also := bytes.Cut(rest, []byte(was.params))
	if !ok || !also {
		t.Fatalf("the first shard has no case %s with %s", was.id, was.params)
	}
	for k := 2; k <= shards; k++ {
		var b bytes.Buffer
		b.WriteString(strings.Replace(begin, `"shard":{"index":1,`, fmt.Sprintf(`"shard":{"index":%d,`, k), 1))
		for i := k - 1; i < shards*cases; i += shards {
			is := caseNames(i/cases+1, i%cases+1)
			b.Write(before)
			b.WriteString(is.id)
			b.Write(between)
			b.WriteString(is.params)
			b.Write(after)
		}
		b.Write(end)
		path := filepath.Join(filepath.Dir(first), fmt.Sprintf("%d.jsonl", k))
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// writeLogs adds a log of the given size to each case of an event file.
func writeLogs(t *testing.T, path string, size int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	log := regexp.MustCompile(`"log":"[^"]*"`)
	if n := len(log.FindAll(text, -1)); n < 500 {
		t.Fatalf("%d cases have logs", n)
	}
	text = log.ReplaceAllLiteral(text, []byte(`"log":"`+strings.Repeat("x", size)+`"`))
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// names are the parts that differ between the lines of two cases.
type names struct{ id, params string }

func caseNames(m, n int) names {
	return names{fmt.Sprintf(`"s[scheme=manual,m=%d,n=%d]@cpu/rocm-7.2/gfx90a"`, m, n),
		fmt.Sprintf(`{"m":%d,"n":%d}`, m, n)}
}

// checkDocument checks that every case of the merged document passed.
func checkDocument(t *testing.T, path string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Seek(-1000, io.SeekEnd); err != nil {
		t.Fatal(err)
	}
	end, err := io.ReadAll(file)
	want := fmt.Sprintf("\"cases\": %d,\n    \"passed\": %d,", *scale, *scale)
	if err != nil || !bytes.Contains(end, []byte(want)) {
		t.Errorf("%v; the merged document has not %q: %s", err, want, end)
	}
}
