//go:build linux

package tests

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestSignals ends runs with each signal during a case. The case is torn down, the reports are written, and the run
// can be resumed.
func TestSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			skipIfIgnored(t, signal)
			folder := writeFiles(t, map[string]string{
				"long.lua": longScript, "c.toml": strings.Replace(longConfig, "%", "0", 1),
			})
			args := []string{"run", "c.toml", "--out", "json=r.json", "--out", "text"}
			c := inTerminal(t, folder, append(args, "--out", "jsonl=e.jsonl")...)
			eventually(t, "the second case", func() bool { return isWaiting(folder, waits) })
			if err := syscall.Kill(-c.Process.Pid, signal); err != nil { // like closing a terminal
				t.Fatal(err)
			}
			if code := exitCode(t, c.Cmd); code != interrupted || !c.shows("2 interrupted") {
				t.Fatalf("exit %d\n%s", code, &c.out)
			}
			if r := readReport(t, folder); len(r.Cases) != 3 || r.Exit.Code != interrupted {
				t.Errorf("%+v", r)
			}
			letGo(t, folder)
			c = inTerminal(t, folder, append(args, "--resume", "e.jsonl")...)
			if code := exitCode(t, c.Cmd); code != 0 {
				t.Errorf("exit %d\n%s", code, &c.out)
			}
		})
	}
}

// skipIfIgnored skips a test if its signal is ignored by the tests and their programs, as under nohup.
func skipIfIgnored(t *testing.T, s os.Signal) {
	t.Helper()
	if signal.Ignored(s) {
		t.Skipf("%s is ignored in this environment", s)
	}
}

// TestSignalsDuringInput ends programs that wait for standard input with one signal.
func TestSignalsDuringInput(t *testing.T) {
	type waiting struct {
		*exec.Cmd
		signal syscall.Signal
	}
	var programs []waiting
	for _, args := range [][]string{{"run", "-"}, {"repl"}, {"size", "-"}} {
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
			programs = append(programs, waiting{startWithoutInput(t, args...), signal})
		}
	}
	for _, c := range programs {
		eventually(t, "a read of standard input", func() bool { return readsStdin(c.Process.Pid) })
	}
	for _, c := range programs {
		t.Run(c.Args[1]+" "+c.signal.String(), func(t *testing.T) {
			skipIfIgnored(t, c.signal)
			c.Process.Signal(c.signal)
			exitCode(t, c.Cmd)
			status := c.ProcessState.Sys().(syscall.WaitStatus)
			ended := status.Signaled() && status.Signal() == c.signal
			if !ended && status.ExitStatus() != interrupted {
				t.Errorf("ended with %v", c.ProcessState)
			}
		})
	}
}

// readsStdin reports whether a thread of a program is in read(0, ...).
func readsStdin(pid int) bool {
	calls, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/syscall", pid))
	return slices.ContainsFunc(calls, func(file string) bool {
		call, _ := os.ReadFile(file)
		return bytes.HasPrefix(call, fmt.Appendf(nil, "%d 0x0 ", syscall.SYS_READ))
	})
}

// startWithoutInput starts the program with a standard input that has no data and stays open during the test.
func startWithoutInput(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := command(t, t.TempDir(), "roclua", args...)
	c.Stdin = read
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill() // it has ended unless the test was skipped
		c.Wait()
		read.Close()
		write.Close()
	})
	return c
}

// TestClosedOutput closes standard output after a line. A run with other outputs writes them and ends with exit
// code 2; any other program ends with SIGPIPE.
func TestClosedOutput(t *testing.T) {
	const script = `return { params = { n = 1 }, run = function(t) t:log(("x"):rep(20000)) t:check(t.n < 90) end }`
	folder := writeFiles(t, map[string]string{"a.lua": script})
	run := []string{"run", "a.lua", "--quiet", "--axis", "n=1:99", "--out", "jsonl"}
	for _, test := range []struct {
		args  []string
		ended bool // with SIGPIPE
	}{
		{append(run[:len(run):len(run)], "--out", "json=r.json"), false}, {run, true},
	} {
		c := command(t, folder, "roclua", test.args...)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReaderSize(out, 16).ReadByte(); err != nil && err != io.EOF {
			t.Fatal(err)
		}
		out.Close()
		c.Wait()
		status := c.ProcessState.Sys().(syscall.WaitStatus)
		switch {
		case test.ended && status.Signal() != syscall.SIGPIPE:
			t.Errorf("%v ended with %v", test.args, c.ProcessState)
		case !test.ended &&
			(status.ExitStatus() != 2 || !strings.Contains(stderr.String(), "standard output is not complete")):
			t.Errorf("%v ended with %v: %s", test.args, c.ProcessState, &stderr)
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "r.json"))
	var doc struct{ Cases []any }
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil || len(doc.Cases) != 99 {
		t.Errorf("the document has %d cases, %v", len(doc.Cases), err)
	}
}
