//go:build linux

package tests

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"roclua/internal/randomtest"
)

var kills = flag.Int("kills", 0, "number of times that TestKills ends the program with a signal")

// killFiles returns the files of a run of about fifty cases with every possible outcome, expectations and a baseline.
func killFiles(isolation string) map[string]string {
	files := map[string]string{
		"work.lua": `local helper = require "helper"
return { params = { n = 1, type = "d" }, schemes = { "managed", "manual" }, tags = { "work" },
  expect = { bytes = "< 900" }, run = function(t)
  helper.busy(150 * (t.n % 7))
  t:log("case", t.n, math.random())
  t:metric("bytes", t.n * 64, "bytes") t:metric("ratio", t.n / 3) t:metric("large", 2 ^ 60 * t.n)
  t:metric("nan", 0 / 0) t:metric("text", "n=" .. t.n)
  local bytes = t.handle:query(function(q) q[t.type .. "getrf"](q, { m = 32 * t.n, n = 32 * t.n }) end)
  t:metric("workspace", bytes, "bytes")
  t:check(t.n ~= 5, "n is not five")
  if t.n == 6 then error("six is too many") end
  if t.n == 7 then t:skip("seven is skipped") end
  if t.n == 8 then require("hip").malloc(64) end
  if t.n == 10 then for i = 1, 1e9 do end end
  if t.n == 9 then t.handle:set_workspace(7) end
end, teardown = function(t) t:log("torn down") end }`,
		"lib/helper.lua": `return { busy = function(rounds)
  for _ = 1, rounds do os.clock() end
end }`,
		"fine.lua": `return { run = function(t) t:check(true) end }`,
		"load.lua": `local hip = require "hip"
return { workload = { clients = 3, count = 30, rate = 90000 }, expect = { ["latency.max"] = "> 0" },
  event = function(c)
    hip.memset_async(c:malloc(2 ^ (c.id + math.random(9))), 0, 2 ^ c.id, c.stream)
    hip.stream_synchronize(c.stream)
  end }`,
		"slow.lua": `return { run = function()
  local s = string.rep("x", 2 ^ 20)
  while true do s:find(".-y") end
end }`,
		"break.lua": `local hip = require "hip"
return { params = { how = 1 }, run = function(t) hip.malloc(t.how) end }`,
		"kept/work.toml": `["work[scheme=manual,n=1]@cpu/rocm-7.2/gfx90a"]
bytes = 65
["work[scheme=manual,n=99]@cpu/rocm-7.2/gfx90a"]
bytes = 1
`,
		"c.toml": `jobs = 2
shuffle = true
isolation = "` + isolation + `"
library = ["lib"]
limits = { timeout = "900ms", instructions = 8000 }
[expect]
"max(bytes)" = "< 1000"
"count(workspace)" = "> 3"
[[target]]
profile = "rocm-6.4"
[[target]]
profile = "rocm-7.2"
[[scenario]]
script = "work.lua"
matrix = { n = "1:14" }
baseline = "kept"
known_failures = [{ match = "n=8", reason = "it leaks" }, { match = "n=3", reason = "unknown" }]
[[scenario]]
script = "fine.lua"
known_failures = [{ match = "7.2", reason = "fixed since" }]
[[scenario]]
script = "load.lua"
[[scenario]]
script = "slow.lua"
skip = [{ match = "/rocm-6.4|@faulty/", reason = "once is enough" }]
`}
	if isolation == "worker" {
		files["c.toml"] = strings.Replace(files["c.toml"], "[[scenario]]", `[[target]]
platform = "faulty"
[[scenario]]
script = "break.lua"
skip = [{ match = "@cpu", reason = "it does not crash there" }]
matrix = { how = [1, 2, 3] }
[[scenario]]`, 1)
	}
	return files
}

var killArgs = []string{
	"run", "c.toml", "--quiet", "--out", "jsonl=e.jsonl",
	"--out", "json=r.json", "--out", "text=r.txt", "--out", "junit=r.xml", "--out", "trace=r.trace",
}

// TestKills ends runs with signals at random moments and resumes them until all cases have ended. The reports must
// equal the reports of an uninterrupted run.
func TestKills(t *testing.T) {
	if *kills == 0 {
		t.Skip("the flag -kills is not set")
	}
	seed := randomtest.Seed(t)
	for i, isolation := range []string{"case", "worker"} {
		t.Run(isolation, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			k := &killer{random: r}
			for k.want == nil {
				folder, start := writeFiles(t, killFiles(isolation)), time.Now()
				k.code = runProgram(t, program(t, "faulty"), folder, io.Discard, killArgs...)
				if k.length = time.Since(start); !k.isSlow(t, folder) {
					k.want = reports(t, folder)
				}
			}
			rounds := 0
			for ; k.kills < *kills/2; rounds++ {
				k.round(t, writeFiles(t, killFiles(isolation)))
			}
			t.Logf("%d signals in %d rounds, %d interrupted runs, %d before the first event, "+
				"%d with an incomplete last line, %d on a busy machine", k.kills, rounds, k.interrupted, k.early,
				k.incomplete, k.slow)
		})
	}
}

// endings are the signals that end a run. After all but SIGKILL the program writes its reports.
var endings = []syscall.Signal{syscall.SIGKILL, syscall.SIGKILL, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT}

// killer ends runs with signals.
type killer struct {
	random *rand.Rand
	want   map[string]string // the reports of the uninterrupted run
	code   int               // its exit code
	length time.Duration     // duration of the last uninterrupted run

	kills, interrupted, early, incomplete int
	slow                                  int // runs that cannot be compared
}

// round starts a run, then ends and resumes it until all cases have ended.
func (k *killer) round(t *testing.T, folder string) {
	t.Helper()
	events, before := filepath.Join(folder, "e.jsonl"), k.kills
	resume := false
	for {
		args := killArgs
		if resume {
			args = append(args[:len(args):len(args)], "--resume", "e.jsonl")
		}
		var output bytes.Buffer
		c := exec.Command(program(t, "faulty"), args...)
		c.Dir, c.Stdout, c.Stderr = folder, &output, &output
		start := time.Now()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		signal := endings[k.random.IntN(len(endings))]
		moment := time.AfterFunc(time.Duration(k.random.Int64N(int64(k.length)*5/4)),
			func() { c.Process.Signal(signal) })
		c.Wait()
		moment.Stop()
		code := c.ProcessState.ExitCode()
		if code == interrupted {
			k.interrupted++
		}
		if status := c.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() && code != interrupted {
			if code == 2 && strings.Contains(output.String(), "ended before it wrote its first event") {
				resume = false
				continue
			} else if code != k.code {
				t.Fatalf("exit %d, want %d: %s", code, k.code, &output)
			}
			if !resume {
				k.length = time.Since(start) // the load of the machine changes
			}
			break
		}
		k.kills++
		resume = k.truncate(t, events)
	}
	if k.isSlow(t, folder) {
		k.kills = before
		return
	}
	for name, want := range k.want {
		if have := reports(t, folder)[name]; have != want {
			t.Errorf("%s differs from that of the uninterrupted run: %s", name, firstDifference(have, want))
		}
	}
	eachOnce(t, events)
}

// interrupted is the exit code after a signal that the program handles.
const interrupted = 130

// truncate sometimes removes the end of the last line, like a kill during a write. It reports whether the file has
// events to resume.
func (k *killer) truncate(t *testing.T, path string) bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || len(text) == 0 {
		k.early++
		return err == nil
	}
	if k.random.IntN(3) == 0 {
		k.incomplete++
		line := len(text) - 1 - bytes.LastIndexByte(text[:len(text)-1], '\n')
		if err := os.Truncate(path, int64(len(text)-1-k.random.IntN(line))); err != nil {
			t.Fatal(err)
		}
	}
	return true
}

// timesOfRun matches the times, which differ between runs.
var timesOfRun = lazy(`"(seconds|started|ts|dur|queued_us|duration)": ?"?[-0-9.e+]+[^",}\n]*"?|` +
	`(time|timestamp)="[^"]*"| in [0-9.]+ s`)

// isSlow reports whether a case other than slow.lua reached its time limit, because the machine was busy. Such a run
// cannot be compared. A few of them are tolerated.
func (k *killer) isSlow(t *testing.T, folder string) bool {
	t.Helper()
	for _, c := range readReport(t, folder).Cases {
		if c.Outcome == "timeout" && !strings.HasPrefix(c.ID, "slow@") {
			if k.slow++; k.slow > 5+*kills {
				t.Fatalf("%s reached its time limit, as cases did in %d other runs", c.ID, k.slow-1)
			}
			return true
		}
	}
	return false
}

// reports reads the reports of a run, without the times.
func reports(t *testing.T, folder string) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, name := range []string{"r.json", "r.txt", "r.xml", "r.trace"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		list[name] = timesOfRun().ReplaceAllString(string(text), "TIME")
	}
	return list
}

func firstDifference(have, want string) string {
	i := 0
	for i < len(have) && i < len(want) && have[i] == want[i] {
		i++
	}
	part := func(s string) string { return s[max(0, i-80):min(len(s), i+200)] }
	return "have\n..." + part(have) + "...\nwant\n..." + part(want) + "..."
}

// eachOnce checks that every case ended once, and that the last event is the end of the run.
func eachOnce(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	cases, last := 0, ""
	for line := range bytes.Lines(text) {
		var e struct {
			Event, ID, Outcome string
			Cases              int
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		last = e.Event
		switch e.Event {
		case "begin":
			cases = e.Cases
		case "case":
			if e.Outcome != "interrupted" {
				seen[e.ID]++
			}
		}
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s ended %d times", id, n)
		}
	}
	if len(seen) != cases || last != "end" {
		t.Errorf("%d of %d cases ended; the last event is %q", len(seen), cases, last)
	}
}
