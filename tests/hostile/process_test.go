//go:build linux

package hostile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFewOpenFiles runs cases while the program may have few files open. Either all of them pass, or nothing runs and
// a message says which limit to raise.
func TestFewOpenFiles(t *testing.T) {
	skipShort(t)
	program := build(t)
	passed, limits := 0, []int{9, 18, 26, 60}
	if *all {
		limits = []int{9, 12, 15, 18, 20, 22, 26, 30, 60}
	}
	for _, files := range limits {
		command := "ulimit -n %d; exec %s run a.lua --quiet --jobs 4 --repeat 40 --out json=r.json"
		code, stderr := shell(t, fmt.Sprintf(command, files, program))
		if code == 0 {
			passed++
		} else if code != 2 || !strings.Contains(stderr, "too many open files; raise the limit of open files") {
			t.Errorf("%d files: exit code %d, %s", files, code, stderr)
		}
	}
	if passed < len(limits)/2 {
		t.Errorf("the cases passed with %d limits", passed)
	}
}

// TestClosedOutput runs cases while the reader of standard output has ended, next to other outputs.
func TestClosedOutput(t *testing.T) {
	skipShort(t)
	program := build(t)
	for _, args := range []string{"run a.lua --out json=r.json --out text",
		"run a.lua --out jsonl=r.jsonl --out text",
		"list a.lua --out json=r.json --out text", "size 'dgetrf m=1 n=1' --out json=r.json --out text"} {
		command := "mkfifo go; { read _ < go; %s %s; echo $? > code; } | { exec 0<&-; echo > go; }; exit $(cat code)"
		code, stderr := shell(t, fmt.Sprintf(command, program, args))
		if code != 2 || !strings.Contains(stderr, "standard output is not complete") {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
}

// shell runs a command next to the script a.lua.
func shell(t *testing.T, command string) (code int, stderr string) {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a.lua"), []byte(after), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "-c", command)
	c.Dir = folder
	c.Env = append(os.Environ(), "HOME="+folder, "XDG_CACHE_HOME="+folder)
	m, err := Run(c, Bounds{Memory: 2 << 30, Wall: time.Minute, Output: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return m.Exit, string(m.Stderr)
}
