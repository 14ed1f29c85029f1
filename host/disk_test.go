package host

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"roclua/host/baseline"
	"roclua/internal/atomicfile"
)

// disk is a System whose operations fail: the one with a number, or all from that one on.
type disk struct {
	atomicfile.System
	failing int  // number of the operation, from 1; 0 for none
	stays   bool // and all after it
	short   bool // a write that fails writes half

	mu         sync.Mutex
	operations []string
}

var errDisk = syscall.ENOSPC

// operation counts an operation and reports whether it fails.
func (d *disk) operation(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.operations = append(d.operations, name)
	n := len(d.operations)
	return n == d.failing || d.stays && n > d.failing
}

func (d *disk) Open(name string, flag int, mode fs.FileMode) (atomicfile.File, error) {
	if d.operation("open") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errDisk}
	}
	f, err := d.System.Open(name, flag, mode)
	if err != nil {
		return nil, err
	}
	return diskFile{f, d}, nil
}

func (d *disk) Rename(from, to string) error {
	if d.operation("rename") {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: errDisk}
	}
	return d.System.Rename(from, to)
}

func (d *disk) SyncFolder(name string) error {
	if d.operation("sync of the folder") {
		return &fs.PathError{Op: "sync", Path: name, Err: errDisk}
	}
	return nil // not synced: thousands of times it takes seconds
}

func (d *disk) MakeFolder(name string) error {
	if d.operation("new folder") {
		return &fs.PathError{Op: "mkdir", Path: name, Err: errDisk}
	}
	return d.System.MakeFolder(name)
}

type diskFile struct {
	atomicfile.File
	disk *disk
}

func (f diskFile) Write(b []byte) (int, error) {
	if !f.disk.operation("write") {
		return f.File.Write(b)
	}
	if !f.disk.short {
		return 0, errDisk
	}
	n, _ := f.File.Write(b[:len(b)/2])
	return n, errDisk
}

func (f diskFile) Sync() error {
	if f.disk.operation("sync") {
		return errDisk
	}
	return nil // as for folders
}

func (f diskFile) Chmod(mode fs.FileMode) error {
	if f.disk.operation("chmod") {
		return errDisk
	}
	return f.File.Chmod(mode)
}

func (f diskFile) Truncate(size int64) error {
	if f.disk.operation("truncate") && !f.disk.stays { // a file on a full disk can be truncated
		return errDisk
	}
	return f.File.Truncate(size)
}

func (f diskFile) Close() error {
	err := f.File.Close()
	if f.disk.operation("close") {
		return errDisk
	}
	return err
}

// diskArgs is a run with an output in a file for each way of writing one.
var diskArgs = []string{"run", "c.toml", "--quiet", "--update", "--out", "jsonl=e.jsonl", "--out", "json=r.json",
	"--out", "junit=r.xml", "--out", "tap=r.tap", "--out", "github=g.txt", "--out", "text=r.txt"}

const oldBaseline = "[\"a[n=1]@cpu/rocm-7.2/gfx90a\"]\nvalue = 7\n"

// diskFiles are the files before a run. The outputs have been written before.
var diskFiles = map[string]string{
	"a.lua": `return { params = { n = 1 }, run = function(t) t:metric("value", t.n) t:log(("x"):rep(1000)) end }`,
	"c.toml": "jobs = 1\nisolation = \"case\"\n[[scenario]]\nscript = \"a.lua\"\nbaseline = \"kept\"\n" +
		"matrix = { n = \"1:3\" }\n",
	"e.jsonl": "old", "r.json": "old", "r.xml": "old", "r.tap": "old", "r.txt": "old", "g.txt": "old",
	"summary.md": "old\n", "kept/a.toml": oldBaseline,
}

// runOnDisk runs the program in a folder, and returns its exit code and its standard error.
func runOnDisk(t *testing.T, s atomicfile.System, args ...string) (int, string) {
	t.Helper()
	var stderr bytes.Buffer
	code := Main(args, Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &stderr, Now: time.Now, CPUs: 1,
		Files: s, Getenv: func(name string) string {
			if name == "GITHUB_STEP_SUMMARY" {
				return "summary.md"
			}
			return ""
		}})
	return code, stderr.String()
}

// inNewFolder writes the files to an empty folder, which becomes the current one.
func inNewFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range diskFiles {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFullDisk makes operations on files fail, a third of them or with -all each one, alone or with all that follow it.
// No output has a part of a result, no finished result is lost, the program says which file is not complete, and the
// run can be resumed.
func TestFullDisk(t *testing.T) {
	whole := &disk{System: atomicfile.OS}
	inNewFolder(t)
	if code, stderr := runOnDisk(t, whole, diskArgs...); code != 0 {
		t.Fatalf("the whole run: exit %d: %s", code, stderr)
	}
	t.Logf("%d operations", len(whole.operations))
	step := 3 // each kind of operation fails for some file
	if *all {
		step = 1
	} else if testing.Short() {
		step = 5
	}
	for i := 0; i < len(whole.operations); i += step {
		name := whole.operations[i]
		for _, mode := range []struct{ short, stays bool }{{}, {true, false}, {true, true}} {
			if name != "write" && mode.short && (!mode.stays || i%2 == 0) {
				continue // as without short writes, or like the one before
			}
			d := &disk{System: atomicfile.OS, failing: i + 1, short: mode.short, stays: mode.stays}
			inNewFolder(t)
			code, stderr := runOnDisk(t, d, diskArgs...)
			if checkFailure(t, d, code, stderr); t.Failed() {
				t.Fatalf("operation %d in mode %+v: %s; %s", i+1, mode, name, stderr)
			}
		}
	}
}

// TestFullDiskOfProjects makes operations fail that create files of a project. Each file is then absent or complete,
// and the message names one.
func TestFullDiskOfProjects(t *testing.T) {
	for _, test := range []struct {
		args       []string
		operations int // that fail in turn
	}{{[]string{"init", "p"}, 8}, {[]string{"new", "p/a/b"}, 8}, {[]string{"types", "--out", "p/types"}, 3}} {
		args := test.args
		whole := &disk{System: atomicfile.OS}
		t.Chdir(t.TempDir())
		if code, stderr := runOnDisk(t, whole, args...); code != 0 {
			t.Fatalf("%v: exit %d: %s", args, code, stderr)
		}
		want := filesBelow(t)
		if len(want) == 0 {
			t.Fatalf("%v writes no file", args)
		}
		for i, name := range whole.operations[:min(len(whole.operations), test.operations)] {
			t.Chdir(t.TempDir())
			code, stderr := runOnDisk(t, &disk{System: atomicfile.OS, failing: i + 1, short: true}, args...)
			if code != 2 || !strings.Contains(stderr, filepath.FromSlash("p/")) || strings.Contains(stderr, ".tmp") {
				t.Errorf("%v, operation %d (%s): exit %d: %s", args, i+1, name, code, stderr)
			}
			for path, text := range filesBelow(t) {
				if text != want[path] {
					t.Errorf("%v, operation %d (%s): %s has %d bytes, want %d", args, i+1, name, path, len(text),
						len(want[path]))
				}
			}
		}
	}
}

// filesBelow returns the files below the current folder with their texts.
func filesBelow(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func checkFailure(t *testing.T, d *disk, code int, stderr string) {
	t.Helper()
	names := 0
	for name := range diskFiles {
		if strings.Contains(stderr, name) || strings.Contains(stderr, "kept") {
			names++
		}
	}
	if code != 2 || names == 0 || strings.Contains(stderr, ".tmp") {
		t.Errorf("exit %d, want 2 and a message that names a file", code)
	}
	written := 0
	for name, check := range diskChecks {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		if string(text) == diskFiles[name] {
			continue
		}
		if err := check(text); err != nil {
			t.Errorf("%s: %v: %q", name, err, text)
			continue
		}
		written++
	}
	if !d.stays && written != 0 && written < len(diskChecks)-1 {
		t.Errorf("%d of %d outputs are complete", written, len(diskChecks))
	}
	left, err := filepath.Glob(".*.tmp")
	if err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
	resumeOnDisk(t)
}

// diskChecks check that outputs are complete.
var diskChecks = map[string]func(text []byte) error{
	"r.json":      func(text []byte) error { return json.Unmarshal(text, &map[string]any{}) },
	"r.xml":       func(text []byte) error { return xml.Unmarshal(text, &struct{}{}) },
	"r.tap":       func(text []byte) error { return wants(text, "TAP version 14\n", "ok 3 - ") },
	"r.txt":       func(text []byte) error { return wants(text, "3 cases: 3 passed") },
	"g.txt":       func(text []byte) error { return wants(text, "") },
	"summary.md":  func(text []byte) error { return wants(text, "old\n", "</details>\n") },
	"kept/a.toml": func(text []byte) error { return wants(text, "n=1]", "n=2]", "n=3]") },
	"e.jsonl": func(text []byte) error { // the events may end early, but not in a line
		for line := range bytes.Lines(text) {
			if err := json.Unmarshal(line, &map[string]any{}); err != nil {
				return err
			}
		}
		return nil
	},
}

func wants(text []byte, parts ...string) error {
	for _, part := range parts {
		if !bytes.Contains(text, []byte(part)) {
			return fmt.Errorf("%q is missing", part)
		}
	}
	return nil
}

// resumeOnDisk resumes a run when there is space, or starts it again when it had not begun.
func resumeOnDisk(t *testing.T) {
	t.Helper()
	if _, err := baseline.Read(filepath.Join("kept", "a.toml")); err != nil {
		t.Error(err)
	}
	args := diskArgs
	if events, _ := os.ReadFile("e.jsonl"); bytes.HasPrefix(events, []byte(`{"event":"begin"`)) {
		args = append(args[:len(args):len(args)], "--resume", "e.jsonl")
	}
	if code, stderr := runOnDisk(t, &disk{System: atomicfile.OS}, args...); code != 0 {
		t.Errorf("resumed: exit %d: %s", code, stderr)
	}
	for name, check := range diskChecks {
		text, err := os.ReadFile(name)
		if err = errors.Join(err, check(text)); err != nil || name != "g.txt" && string(text) == diskFiles[name] {
			t.Errorf("resumed: %s: %v: %q", name, err, text)
		}
	}
	events, err := os.ReadFile("e.jsonl")
	if n := bytes.Count(events, []byte(`"event":"case"`)); err != nil || n != 3 {
		t.Errorf("resumed: the events have %d cases, %v", n, err)
	}
}
