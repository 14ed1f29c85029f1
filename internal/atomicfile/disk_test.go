package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// disk is the operating system with operations that fail.
type disk struct {
	System
	fail  map[string]error // error of an operation, by its name
	times int              // how often operations fail; 0 for always
	short bool             // a write that fails writes half

	failed int
	opened []string // names of files that were opened
	open   int      // files that are open
}

func failing(operation string, err error) *disk {
	return &disk{System: OS, fail: map[string]error{operation: err}}
}

func (d *disk) error(operation string) error {
	err := d.fail[operation]
	if err == nil || d.times > 0 && d.failed == d.times {
		return nil
	}
	d.failed++
	return err
}

func (d *disk) Open(name string, flag int, mode fs.FileMode) (File, error) {
	operation := "open"
	if flag&os.O_EXCL != 0 {
		operation = "create"
	}
	d.opened = append(d.opened, name)
	if err := d.error(operation); err != nil {
		return nil, &fs.PathError{Op: operation, Path: name, Err: err}
	}
	f, err := d.System.Open(name, flag, mode)
	if err != nil {
		return nil, err
	}
	d.open++
	return diskFile{f, d}, nil
}

func (d *disk) Rename(from, to string) error {
	if err := d.error("rename"); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return d.System.Rename(from, to)
}

func (d *disk) Remove(name string) error {
	if err := d.error("remove"); err != nil {
		return &fs.PathError{Op: "remove", Path: name, Err: err}
	}
	return d.System.Remove(name)
}

func (d *disk) MakeFolder(name string) error {
	if err := d.error("make folder"); err != nil {
		return &fs.PathError{Op: "mkdir", Path: name, Err: err}
	}
	return d.System.MakeFolder(name)
}

func (d *disk) SyncFolder(name string) error {
	if err := d.error("sync folder"); err != nil {
		return &fs.PathError{Op: "sync", Path: name, Err: err}
	}
	return d.System.SyncFolder(name)
}

type diskFile struct {
	File
	disk *disk
}

func (f diskFile) Write(b []byte) (int, error) {
	err := f.disk.error("write")
	if err == nil {
		return f.File.Write(b)
	}
	n := 0
	if f.disk.short {
		n, _ = f.File.Write(b[:len(b)/2])
	}
	return n, err
}

func (f diskFile) Stat() (fs.FileInfo, error) {
	if err := f.disk.error("stat"); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

func (f diskFile) Chmod(mode fs.FileMode) error {
	if err := f.disk.error("chmod"); err != nil {
		return err
	}
	return f.File.Chmod(mode)
}

func (f diskFile) Truncate(size int64) error {
	if err := f.disk.error("truncate"); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

func (f diskFile) Sync() error {
	if err := f.disk.error("sync"); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f diskFile) Close() error {
	f.disk.open--
	if err := f.File.Close(); err != nil {
		return err
	}
	return f.disk.error("close")
}

func (f diskFile) Fd() uintptr { return f.File.Fd() }

var errFull error = syscall.ENOSPC

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	noError(t, os.WriteFile(path, []byte(text), 0o644))
}

// expect compares the content of a file.
func expect(t *testing.T, path, want string) {
	t.Helper()
	if have, err := os.ReadFile(path); err != nil || string(have) != want {
		t.Errorf("%s has %q (%v), want %q", path, have, err, want)
	}
}

// expectFiles compares the names in a folder. No temporary file is left there.
func expectFiles(t *testing.T, folder string, want ...string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	noError(t, err)
	hidden, err := filepath.Glob(filepath.Join(folder, ".*"))
	noError(t, err)
	var have []string
	for _, path := range append(hidden, paths...) {
		have = append(have, filepath.Base(path))
	}
	if !slices.Equal(have, want) {
		t.Errorf("%s contains %q, want %q", folder, have, want)
	}
}
