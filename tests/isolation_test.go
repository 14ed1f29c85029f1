//go:build linux

package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// finalReport has the parts of --out json checked by tests.
type finalReport struct {
	Cases []reportedCase
	Exit  struct{ Code int }
}

type reportedCase struct {
	ID, Outcome, Log string
	Problems         []string
	Error            *struct{ Message string }
}

// writeFiles creates a temporary folder with files.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// command returns a command that runs one of the programs of the test binary in a folder.
func command(t *testing.T, folder, program string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, args...)
	c.Dir = folder
	return c
}

const breakScript = `local hip = require "hip"
return { params = { how = 0 }, run = function(t)
  if t.platform == "cpu" then
    local stop = os.clock() + 0.05
    while os.clock() < stop do end
  elseif t.how > 0 then
    hip.free(hip.malloc(t.how))
  end
end, teardown = function(t) t:log("torn down") end }`

// TestIsolation breaks worker processes in several ways. Only the offending case may fail.
func TestIsolation(t *testing.T) {
	for _, test := range []struct {
		name    string
		how     string
		outcome string
		says    string // in the error or, if there is none, in the log
	}{
		{"segmentation fault", "1", "crashed",
			"killed by SIGSEGV (segmentation violation) during hipMalloc at break.lua:7"},
		{"abort", "2", "crashed", "killed by SIGABRT (abort) during hipMalloc at break.lua:7"},
		{"kill", "3", "crashed", "killed by signal 9 (killed) during hipMalloc at break.lua:7"},
		{"exit", "4", "crashed", "exited with status 3 during hipMalloc at break.lua:7"},
		{"hang", "5", "timeout", "ran longer than its limit of 4s"},
		{"prints", "6", "passed", "torn down\njunk on the output\njunk on the other\n"},
		{"nonsense", "7", "crashed", "was killed because its reply cannot be read"},
		{"lost device", "8", "error", "hipErrorIllegalAddress"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			folder := writeFiles(t, map[string]string{
				"break.lua": breakScript,
				"good.lua":  `return { run = function(t) t:check(true) end }`,
				"c.toml": `
				jobs = 1
				limits = { timeout = "4s" }
				[[target]]
				platform = "faulty"
				[[target]]
				platform = "cpu"
				[[scenario]]
				script = "break.lua"
				matrix = { how = [0, ` + test.how + `] }
				[[scenario]]
				script = "good.lua"`})
			out, _ := command(t, folder, "faulty", "run", "c.toml", "--quiet", "--out", "json").Output()
			var r finalReport
			if err := json.Unmarshal(out, &r); err != nil || len(r.Cases) != 6 {
				t.Fatalf("%v: %s", err, out)
			}
			for i, c := range r.Cases {
				if broken := i == 2; !broken && (c.Outcome != "passed" || len(c.Problems) > 0) {
					t.Errorf("%s failed too: %+v", c.ID, c)
				} else if broken && (c.Outcome != test.outcome || !strings.Contains(said(c), test.says)) {
					t.Errorf("%s %s: %s", c.ID, c.Outcome, said(c))
				}
			}
		})
	}
}

func said(c reportedCase) string {
	if c.Error != nil {
		return c.Error.Message
	}
	return c.Log
}

// longScript calls functions of the platform faulty that wait.
const longScript = `local hip = require "hip"
local function try(n)
  repeat local p, status = hip.try.malloc(n) until status.ok and (hip.free(p) or true)
end
return { params = { run = 9, teardown = 0 }, run = function(t)
  print("begun")
  try(t.run)
end, teardown = function(t)
  try(t.teardown)
  t:log("torn down")
end }`

// isWaiting reports whether a case in a folder has called a function that waits.
func isWaiting(folder string, function int) bool {
	_, err := os.Stat(filepath.Join(folder, fmt.Sprint(function)))
	return err == nil
}

// eventually waits until a condition is true.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("timed out waiting for " + what)
		}
	}
}

// TestWorkersEndWithTheProgram kills the program while a worker runs a case.
func TestWorkersEndWithTheProgram(t *testing.T) {
	folder := writeFiles(t, map[string]string{"long.lua": longScript})
	c := command(t, folder, "faulty", "run", "long.lua", "--platform", "faulty", "--isolation", "worker")
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the case", func() bool { return isWaiting(folder, waits) })
	c.Process.Kill()
	c.Wait()
	eventually(t, "no worker", func() bool { return workerIn(folder) == 0 })
}
