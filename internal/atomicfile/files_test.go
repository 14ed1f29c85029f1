package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesUsedTwice adds each file twice, once for writing.
func TestFilesUsedTwice(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	put(t, "old.json", "old")
	noError(t, os.Link("old.json", "other.json"))
	noError(t, os.Mkdir("sub", 0o755))
	for _, test := range []struct {
		first, second string
		same          bool
	}{
		{"old.json", "old.json", true}, {"old.json", "./sub/../old.json", true}, {"new.json", "new.json", true},
		{"old.json", filepath.Join(folder, "old.json"), true}, {"new.json", filepath.Join(folder, "new.json"), true},
		{"old.json", "other.json", true}, {"new.json", "newer.json", false}, {"new.json", "sub/new.json", false},
		{"old.json", "new.json", false}, {"new.json", "old.json", false},
	} {
		f := NewFiles(OS)
		noError(t, f.Writes("the first", test.first))
		err := f.Writes("the second", test.second)
		if (err != nil) != test.same ||
			err != nil && err.Error() != "the first and the second are the same file; name two files" {
			t.Errorf("%s and %s are written: %v", test.first, test.second, err)
		}
		f = NewFiles(OS)
		f.Reads("the first", test.first)
		f.Reads("the first again", test.first)
		err = f.Writes("the second", test.second)
		if (err != nil) != test.same ||
			err != nil && err.Error() != "the second would overwrite the first; name another file" {
			t.Errorf("%s is read and %s is written: %v", test.first, test.second, err)
		}
	}
	expect(t, "old.json", "old")
	expectFiles(t, folder, "old.json", "other.json", "sub")
}

// TestOpenFiles compares files with one that is open already.
func TestOpenFiles(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "stdout.txt")
	file, err := os.Create(path)
	noError(t, err)
	defer file.Close()
	f := NewFiles(OS)
	noError(t, f.WritesOpen("standard output", file))
	if err := f.Writes("--out", path); err == nil || !strings.Contains(err.Error(), "standard output and --out are") {
		t.Errorf("the file is written twice: %v", err)
	}
	noError(t, f.Writes("--out", filepath.Join(folder, "other.txt")))
	f = NewFiles(OS)
	f.Reads("the script", path)
	if err := f.WritesOpen("standard output", file); err == nil || !strings.Contains(err.Error(), "overwrite") {
		t.Errorf("a file that is read: %v", err)
	}
	noError(t, file.Close())
	f = NewFiles(OS)
	noError(t, f.WritesOpen("a closed file", file))
	noError(t, f.Writes("--out", path))
}

// TestFilesThatCannotBeWritten finds the reason before anything is written, and changes no file.
func TestFilesThatCannotBeWritten(t *testing.T) {
	folder := t.TempDir()
	old := filepath.Join(folder, "old.json")
	put(t, old, "old")
	for _, test := range []struct {
		path, operation string
		err             error
		want            string // "" when the file can be written
	}{
		{"", "", nil, "is a directory"},
		{"missing/a.json", "", nil, "no such file or directory"},
		{"old.json/a.json", "", nil, "not a directory"},
		{"old.json", "open", fs.ErrPermission, "permission denied"},
		{"old.json", "create", errFull, errFull.Error()},
		{"old.json", "create", fs.ErrPermission, ""}, // it is written in place
		{"new.json", "create", fs.ErrPermission, "permission denied"},
		{"new.json", "create", errFull, errFull.Error()},
		{"new.json", "open", errFull, ""}, // it is not opened
		{"old.json", "close", errFull, errFull.Error()},
		{"new.json", "close", errFull, errFull.Error()},
		{"old.json", "", nil, ""},
		{"new.json", "", nil, ""},
	} {
		d := failing(test.operation, test.err)
		path := filepath.Join(folder, test.path)
		err := NewFiles(d).Writes("--out", path)
		if (err != nil) != (test.want != "") || err != nil && (!strings.HasPrefix(err.Error(), "--out: write "+path) ||
			!strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s, %s fails: %v, want %q", test.path, test.operation, err, test.want)
		}
		expect(t, old, "old")
		expectFiles(t, folder, "old.json")
		if d.open != 0 {
			t.Errorf("%s, %s fails: %d files are open", test.path, test.operation, d.open)
		}
	}
	d := failing("remove", errFull)
	if err := NewFiles(d).Writes("--out", filepath.Join(folder, "new.json")); !errors.Is(err, errFull) {
		t.Errorf("the temporary file cannot be removed: %v", err)
	}
}
