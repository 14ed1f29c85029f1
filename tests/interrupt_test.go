//go:build linux

package tests

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// terminal is a program in its own process group, as started by a shell, so that Ctrl-C also reaches its workers.
type terminal struct {
	*exec.Cmd
	mu  sync.Mutex
	out bytes.Buffer
}

func (c *terminal) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Write(b)
}

func (c *terminal) shows(text string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Contains(c.out.String(), text)
}

func (c *terminal) interrupt(t *testing.T) {
	t.Helper()
	if err := syscall.Kill(-c.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}

func inTerminal(t *testing.T, folder string, args ...string) *terminal {
	t.Helper()
	c := &terminal{Cmd: command(t, folder, "faulty", args...)}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Stdout, c.Stderr = c, c
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) })
	return c
}

// exitCode waits for a program. It kills one that does not end.
func exitCode(t *testing.T, c *exec.Cmd) int {
	t.Helper()
	defer time.AfterFunc(patience, func() { c.Process.Kill() }).Stop()
	var exit *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode()
}

// longConfig has three cases. The second one waits, and % is what its teardown calls.
const longConfig = `jobs = 1
[[target]]
platform = "faulty"
[[scenario]]
script = "long.lua"
zip = { run = [0, 9, 64], teardown = [0, %, 0] }`

// TestInterruptOnce presses Ctrl-C once: the running case runs its teardown, the reports are complete, and the run can
// be resumed.
func TestInterruptOnce(t *testing.T) {
	for _, isolation := range []string{"case", "worker"} {
		t.Run(isolation, func(t *testing.T) {
			t.Parallel()
			folder := writeFiles(t, map[string]string{
				"long.lua": longScript, "c.toml": strings.Replace(longConfig, "%", "0", 1),
			})
			args := []string{
				"run", "c.toml", "--isolation", isolation,
				"--out", "json=r.json", "--out", "junit=r.xml", "--out", "text",
			}
			c := inTerminal(t, folder, append(args, "--out", "jsonl=e.jsonl")...)
			eventually(t, "the second case", func() bool { return isWaiting(folder, waits) })
			c.interrupt(t)
			code := exitCode(t, c.Cmd)
			summary := "3 cases: 1 passed, 2 not passed, 0 skipped, 2 interrupted"
			if code != 130 || !c.shows(summary) || !c.shows("with --resume e.jsonl") {
				t.Errorf("exit %d\n%s", code, &c.out)
			}
			r := readReport(t, folder)
			if len(r.Cases) != 3 || r.Exit.Code != 130 ||
				r.Cases[0].Outcome != "passed" || r.Cases[2].Outcome != "interrupted" {
				t.Fatalf("%+v", r)
			}
			if torn := r.Cases[1]; torn.Outcome != "interrupted" || torn.Log != "begun\ntorn down\n" {
				t.Errorf("%+v", torn)
			}
			xml, err := os.ReadFile(filepath.Join(folder, "r.xml"))
			if err != nil || !bytes.Contains(xml, []byte("interrupted")) {
				t.Errorf("%v %s", err, xml)
			}
			eventually(t, "no worker", func() bool { return workerIn(folder) == 0 })
			letGo(t, folder)
			c = inTerminal(t, folder, append(args, "--resume", "e.jsonl")...)
			code = exitCode(t, c.Cmd)
			if code != 0 || !c.shows("3 cases: 3 passed") || readReport(t, folder).Exit.Code != 0 {
				t.Errorf("exit %d\n%s", code, &c.out)
			}
		})
	}
}

// letGo ends the waiting in a folder.
func letGo(t *testing.T, folder string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func readReport(t *testing.T, folder string) *finalReport {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "r.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r finalReport
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// TestInterruptTwice presses Ctrl-C again during a teardown that does not end: the program and its workers end
// immediately, and the run can be resumed.
func TestInterruptTwice(t *testing.T) {
	for _, isolation := range []string{"case", "worker"} {
		t.Run(isolation, func(t *testing.T) {
			t.Parallel()
			folder := writeFiles(t, map[string]string{
				"long.lua": longScript, "c.toml": strings.Replace(longConfig, "%", "10", 1),
			})
			c := inTerminal(t, folder, "run", "c.toml", "--isolation", isolation, "--out", "jsonl=e.jsonl")
			eventually(t, "the second case", func() bool { return isWaiting(folder, waits) })
			c.interrupt(t)
			eventually(t, "the message", func() bool { return c.shows("a second interrupt ends the program at once") })
			eventually(t, "the teardown", func() bool { return isWaiting(folder, waitsAgain) })
			c.interrupt(t)
			if code := exitCode(t, c.Cmd); code != 130 {
				t.Errorf("exit %d\n%s", code, &c.out)
			}
			eventually(t, "no worker", func() bool { return workerIn(folder) == 0 })
			events, err := os.ReadFile(filepath.Join(folder, "e.jsonl"))
			if err != nil || bytes.Count(events, []byte("\n")) != 2 || !bytes.HasSuffix(events, []byte("}\n")) {
				t.Errorf("%v\n%s", err, events)
			}
		})
	}
}

// TestInterruptWithoutTeardown interrupts commands without teardown: a sweep, and the loading of a script.
func TestInterruptWithoutTeardown(t *testing.T) {
	folder := writeFiles(t, map[string]string{"top.lua": "while true do end"})
	c := inTerminal(t, folder, "size", "dgetrf m=m n=n", "--sweep", "m=1:100", "--sweep", "n=1:1000000", "--json")
	eventually(t, "the first sizes", func() bool { return c.shows("bytes") })
	c.interrupt(t)
	if exitCode(t, c.Cmd); c.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT {
		t.Error(c.ProcessState)
	}
	c = inTerminal(t, folder, "run", "top.lua")
	eventually(t, "a worker", func() bool { return workerIn(folder) > 0 })
	c.interrupt(t)
	if code := exitCode(t, c.Cmd); code != 130 || !c.shows("interrupted before the run began") {
		t.Errorf("exit %d\n%s", code, &c.out)
	}
}

// TestEventsAreLocked starts runs that use the event file of a running program.
func TestEventsAreLocked(t *testing.T) {
	folder := writeFiles(t, map[string]string{"long.lua": longScript})
	c := inTerminal(t, folder, "run", "long.lua", "--platform", "faulty", "--out", "jsonl=e.jsonl")
	eventually(t, "the case", func() bool { return isWaiting(folder, waits) })
	for _, other := range [][]string{
		{"run", "long.lua", "--platform", "faulty", "--resume", "e.jsonl"},
		{"run", "long.lua", "--out", "jsonl=e.jsonl"},
	} {
		var out bytes.Buffer
		code := runProgram(t, program(t, "faulty"), folder, &out, other...)
		if code != 2 || !strings.Contains(out.String(), "e.jsonl: a running roclua writes this file\n") {
			t.Errorf("exit %d: %s", code, &out)
		}
	}
	c.Process.Kill()
	c.Wait()
	events, err := os.ReadFile(filepath.Join(folder, "e.jsonl"))
	if err != nil || bytes.Count(events, []byte("\n")) != 1 {
		t.Errorf("%v\n%s", err, events)
	}
}
