//go:build unix

package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestPermissions checks that a replaced file keeps its permissions.
func TestPermissions(t *testing.T) {
	folder := t.TempDir()
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o755} {
		path := filepath.Join(folder, "a.json")
		put(t, path, "old")
		noError(t, os.Chmod(path, mode))
		noError(t, replace(OS, path, "new"))
		if info, err := os.Stat(path); err != nil || info.Mode() != mode {
			t.Errorf("%v, %v, want %v", info.Mode(), err, mode)
		}
	}
}

// TestReplaceThroughLinks replaces the target of links; the links stay.
func TestReplaceThroughLinks(t *testing.T) {
	folder, elsewhere := t.TempDir(), t.TempDir()
	target := filepath.Join(elsewhere, "a.json")
	noError(t, os.Mkdir(filepath.Join(folder, "sub"), 0o755))
	for name, to := range map[string]string{"absolute": target, "relative": "sub/next", "sub/next": "../absolute",
		"lost": "sub/new.json"} {
		noError(t, os.Symlink(to, filepath.Join(folder, name)))
	}
	for _, name := range []string{"absolute", "relative", "sub/next"} {
		path := filepath.Join(folder, name)
		noError(t, replace(OS, path, name))
		expect(t, target, name)
		if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no longer a link: %v", name, err)
		}
	}
	noError(t, replace(OS, filepath.Join(folder, "lost"), "new"))
	expect(t, filepath.Join(folder, "sub", "new.json"), "new")
	expectFiles(t, elsewhere, "a.json")
	if err := Create(OS, filepath.Join(folder, "absolute"), nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a link is created again: %v", err)
	}
}

// TestManyLinks follows links to links, also to a file that does not exist yet, but not a circle.
func TestManyLinks(t *testing.T) {
	folder := t.TempDir()
	name := func(i int) string { return filepath.Join(folder, fmt.Sprint(i)) }
	for i := 1; i <= 30; i++ {
		noError(t, os.Symlink(name(i-1), name(i)))
	}
	for _, text := range []string{"new", "replaced"} {
		noError(t, replace(OS, name(30), text))
		expect(t, name(0), text)
	}
	path := filepath.Join(folder, "circle")
	noError(t, os.Symlink("circle", path))
	err := replace(OS, path, "new")
	if !errors.Is(err, syscall.ELOOP) || err.Error() != "write "+path+": "+syscall.ELOOP.Error() {
		t.Errorf("%s: %v", path, err)
	}
	if other := NewFiles(OS).Writes("--out", path); other == nil || other.Error() != "--out: "+err.Error() {
		t.Errorf("%s: %v", path, other)
	}
}

// TestLinksUsedTwice adds files under several names.
func TestLinksUsedTwice(t *testing.T) {
	folder := t.TempDir()
	put(t, filepath.Join(folder, "old.json"), "old")
	noError(t, os.Mkdir(filepath.Join(folder, "sub"), 0o755))
	for name, to := range map[string]string{"to-old": "old.json", "to-new": "new.json", "to-sub": "sub",
		"to-sub-new": "to-sub/new.json"} {
		noError(t, os.Symlink(to, filepath.Join(folder, name)))
	}
	for _, test := range []struct {
		first, second string
		same          bool
	}{
		{"old.json", "to-old", true}, {"new.json", "to-new", true}, {"sub/new.json", "to-sub/new.json", true},
		{"sub/new.json", "to-sub-new", true}, {"new.json", "to-old", false}, {"sub/new.json", "to-new", false},
	} {
		f := NewFiles(OS)
		noError(t, f.Writes("one", filepath.Join(folder, test.first)))
		if err := f.Writes("two", filepath.Join(folder, test.second)); (err != nil) != test.same {
			t.Errorf("%s and %s: %v", test.first, test.second, err)
		}
	}
}

// TestPipes writes a FIFO and a device, which are not replaced.
func TestPipes(t *testing.T) {
	folder := t.TempDir()
	fifo := filepath.Join(folder, "fifo")
	noError(t, syscall.Mkfifo(fifo, 0o600))
	f := NewFiles(OS)
	for _, path := range []string{fifo, fifo, os.DevNull, os.DevNull} {
		noError(t, f.Writes("--out", path))
	}
	reader, err := os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	noError(t, err)
	defer reader.Close()
	a := open(t, OS, fifo, 0)
	noError(t, a.Append([]byte("one ")))
	noError(t, a.Truncate(0))
	noError(t, a.Sync())
	noError(t, replace(OS, fifo, "two"))
	have := make([]byte, 7)
	if n, err := io.ReadFull(reader, have); string(have) != "one two" || a.IsRegular() {
		t.Errorf("%q, %v, regular: %v", have[:n], err, a.IsRegular())
	}
	d := failing("create", errFull)
	d.fail["rename"] = errFull // a defect must not replace the device
	noError(t, replace(d, os.DevNull, "three"))
	expectFiles(t, folder, "fifo")
	if info, err := os.Lstat(fifo); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestEndlessPipes opens a FIFO that no program reads, and writes to one whose reader does not read: both end with the
// context.
func TestEndlessPipes(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	noError(t, syscall.Mkfifo(fifo, 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	opened := make(chan error)
	go func() { opened <- Append(Until(ctx, OS), fifo, []byte("x")) }()
	cancel()
	if err := <-opened; err == nil || err.Error() != "open "+fifo+": no program reads the FIFO" {
		t.Error(err)
	}
	reader, err := os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	noError(t, err)
	defer reader.Close()
	ctx, cancel = context.WithCancel(t.Context())
	s := Until(ctx, OS)
	noError(t, Append(s, fifo, []byte("x")))
	go func() { opened <- Append(s, fifo, make([]byte, 1<<20)) }()
	cancel()
	if err := <-opened; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
}

// TestPathsOfOpenFiles writes a file under the name that the system has for an open one.
func TestPathsOfOpenFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("opening such a path does not open the file again")
	}
	path := filepath.Join(t.TempDir(), "stdout.txt")
	file, err := os.Create(path)
	noError(t, err)
	defer file.Close()
	name := fmt.Sprintf("/dev/fd/%d", file.Fd())
	before, err := file.Stat()
	noError(t, err)
	f := NewFiles(OS)
	noError(t, f.Writes("one", name))
	if err := f.Writes("two", path); err == nil {
		t.Error("the same file is written twice")
	}
	noError(t, replace(OS, name, "text"))
	expect(t, path, "text")
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Errorf("the open file was replaced: %v", err)
	}
	missing := fmt.Sprintf("/dev/fd/%d", 1<<20)
	if err := replace(OS, missing, "text"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", missing, err)
	}
}

// TestSocket cannot write to a socket.
func TestSocket(t *testing.T) {
	t.Chdir(t.TempDir()) // the path of a socket is short
	l, err := net.Listen("unix", "s")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	if err := NewFiles(OS).Writes("--out", "s"); err == nil || !strings.Contains(err.Error(), "it is a socket") {
		t.Error(err)
	}
}
