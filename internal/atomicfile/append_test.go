package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// open opens a file for appending, and closes it at the end of the test.
func open(t *testing.T, s System, path string, flag int) *Appender {
	t.Helper()
	a, err := OpenAppender(s, path, flag)
	noError(t, err)
	t.Cleanup(func() { a.Close() })
	return a
}

func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if _, err := OpenAppender(OS, path, 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that does not exist: %v", err)
	}
	noError(t, Append(OS, path, []byte("one\n")))
	noError(t, Append(OS, path, []byte("two\n")))
	a := open(t, OS, path, 0)
	noError(t, a.Append([]byte("three\n")))
	noError(t, a.Sync())
	noError(t, a.Append([]byte("four\n")))
	expect(t, path, "one\ntwo\nthree\nfour\n")
	info, err := a.Info()
	if err != nil || info.Size() != 19 || !a.IsRegular() {
		t.Errorf("%v, %v, regular: %v", info, err, a.IsRegular())
	}
	if _, err := a.File().Read(make([]byte, 1)); err == nil || err == io.EOF {
		t.Errorf("a file that is opened for writing only is read: %v", err)
	}
}

// TestAppendAndRead opens a file for both: its content is read, and new text is appended.
func TestAppendAndRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	put(t, path, "one\n")
	a := open(t, OS, path, os.O_RDWR|os.O_CREATE)
	if text, err := io.ReadAll(a.File()); err != nil || string(text) != "one\n" {
		t.Errorf("%q, %v", text, err)
	}
	noError(t, a.Append([]byte("two\n")))
	expect(t, path, "one\ntwo\n")
}

// TestFailedAppend removes the part of a line that was written to a full disk.
func TestFailedAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	put(t, path, "one\n")
	d := failing("write", errFull)
	d.short, d.times = true, 1
	a := open(t, d, path, 0)
	err := a.Append([]byte("a line that is cut\n"))
	if !errors.Is(err, errFull) || err.Error() != fmt.Sprintf("write %s: %v", path, errFull) {
		t.Error(err)
	}
	expect(t, path, "one\n")
	noError(t, a.Append([]byte("two\n"))) // there is space again
	d.times = 2
	if err := a.Append([]byte("another line that is cut\n")); !errors.Is(err, errFull) {
		t.Error(err)
	}
	expect(t, path, "one\ntwo\n")
}

// TestFailedAppendWithOtherWriters keeps what another writer of the file appended, if no part of a line was written.
func TestFailedAppendWithOtherWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	put(t, path, "one\n")
	a := open(t, failing("write", errFull), path, 0)
	noError(t, Append(OS, path, []byte("two\n")))
	if err := a.Append([]byte("three\n")); !errors.Is(err, errFull) {
		t.Error(err)
	}
	expect(t, path, "one\ntwo\n")
}

func TestTruncate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	put(t, path, "one\ntwo\nthr")
	d := failing("write", errFull)
	d.short, d.times = true, 1
	a := open(t, d, path, 0)
	noError(t, a.Truncate(8))
	expect(t, path, "one\ntwo\n")
	if err := a.Append([]byte("a line that is cut\n")); !errors.Is(err, errFull) {
		t.Error(err)
	}
	expect(t, path, "one\ntwo\n")
	noError(t, a.Append([]byte("three\n")))
	expect(t, path, "one\ntwo\nthree\n")
	d.fail["truncate"], d.times = errFull, 0
	if err := a.Truncate(4); !errors.Is(err, errFull) || err.Error() != fmt.Sprintf("write %s: %v", path, errFull) {
		t.Error(err)
	}
	expect(t, path, "one\ntwo\nthree\n")
}

// TestFailedOpen makes other operations fail. No file stays open.
func TestFailedOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	for operation, want := range map[string]string{"open": "", "stat": "", "write": "", "close": "line\n"} {
		put(t, path, "")
		d := failing(operation, errFull)
		err := Append(d, path, []byte("line\n"))
		var at *fs.PathError
		if !errors.Is(err, errFull) || !errors.As(err, &at) || at.Path != path || d.open != 0 {
			t.Errorf("%s: %v, %d files are open", operation, err, d.open)
		}
		expect(t, path, want)
	}
	d := failing("write", errFull)
	d.fail["close"] = fs.ErrInvalid
	if err := Append(d, path, []byte("line\n")); !errors.Is(err, errFull) {
		t.Errorf("two operations fail, and the error is that of the second: %v", err)
	}
}
