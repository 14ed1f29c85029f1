package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// replace replaces the content of a file by a string.
func replace(s System, path, text string) error {
	return Replace(s, path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

func TestReplace(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.json")
	for _, text := range []string{"first", "", "another, longer text", strings.Repeat("x", 1<<17)} {
		noError(t, replace(OS, path, text))
		expect(t, path, text)
	}
	expectFiles(t, folder, "a.json")
}

// TestReplaceIsAtomic reads the file while it is written, and keeps its old content open.
func TestReplaceIsAtomic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	put(t, path, "old")
	noError(t, Replace(OS, path, func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Repeat("new", 1<<16)) // more than a buffer
		expect(t, path, "old")
		return err
	}))
	expect(t, path, strings.Repeat("new", 1<<16))
}

// TestFailedReplace makes each operation fail. The file is as before, and the error names it and no temporary file.
func TestFailedReplace(t *testing.T) {
	for _, operation := range []string{"create", "chmod", "write", "sync", "close", "rename"} {
		for _, short := range []bool{false, true} {
			d := failing(operation, errFull)
			d.short = short
			folder := t.TempDir()
			path := filepath.Join(folder, "a.json")
			put(t, path, "old")
			var at *fs.PathError
			err := replace(d, path, "new text")
			if !errors.Is(err, errFull) || !errors.As(err, &at) || at.Path != path ||
				err.Error() != fmt.Sprintf("write %s: %v", path, errFull) {
				t.Errorf("%s: %v", operation, err)
			}
			expect(t, path, "old")
			expectFiles(t, folder, "a.json")
			if d.open != 0 {
				t.Errorf("%s: %d files are open", operation, d.open)
			}
		}
	}
}

// TestFailedWriter fails before and after the writer wrote more than a buffer.
func TestFailedWriter(t *testing.T) {
	cause := errors.New("no result")
	for _, size := range []int{0, 10, 1 << 17} {
		folder := t.TempDir()
		path := filepath.Join(folder, "a.json")
		put(t, path, "old")
		err := Replace(OS, path, func(w io.Writer) error {
			w.Write(make([]byte, size))
			return cause
		})
		if !errors.Is(err, cause) {
			t.Errorf("%d bytes: %v", size, err)
		}
		expect(t, path, "old")
		expectFiles(t, folder, "a.json")
	}
}

// TestFailedSyncOfFolder renames a file, but the system does not make that permanent: the file is complete.
func TestFailedSyncOfFolder(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.json")
	if err := replace(failing("sync folder", errFull), path, "new"); !errors.Is(err, errFull) {
		t.Error(err)
	}
	expect(t, path, "new")
	expectFiles(t, folder, "a.json")
}

// TestUnsupportedSync writes to a file system that cannot sync.
func TestUnsupportedSync(t *testing.T) {
	for err, ignored := range map[error]bool{syscall.EINVAL: true, errors.ErrUnsupported: true, syscall.EPERM: true,
		syscall.EIO: false} {
		path := filepath.Join(t.TempDir(), "a.json")
		if have := replace(failing("sync", err), path, "new"); (have == nil) != ignored {
			t.Errorf("%v: %v", err, have)
		}
		a, e := OpenAppender(failing("sync", err), path, os.O_CREATE)
		noError(t, e)
		if have := a.Sync(); (have == nil) != ignored || have != nil && !strings.Contains(have.Error(), path) {
			t.Errorf("%v: %v", err, have)
		}
		noError(t, a.Close())
	}
}

// TestReplaceInPlace writes a file in a folder where no file can be created.
func TestReplaceInPlace(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.json")
	if err := replace(failing("create", fs.ErrPermission), path, "new"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a new file: %v", err)
	}
	put(t, path, "old and longer")
	noError(t, replace(failing("create", fs.ErrPermission), path, "new"))
	expect(t, path, "new")
	for _, operation := range []string{"open", "write", "sync", "close"} {
		d := failing("create", fs.ErrPermission)
		d.fail[operation] = errFull
		err := replace(d, path, "new")
		if !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), "write "+path) || d.open != 0 {
			t.Errorf("%s: %v, %d files are open", operation, err, d.open)
		}
	}
	if err := Replace(failing("create", fs.ErrPermission), path, func(io.Writer) error {
		return errFull
	}); !errors.Is(err, errFull) {
		t.Errorf("a failed writer: %v", err)
	}
	expectFiles(t, folder, "a.json")
}

// TestTemporaryNames finds temporary files of others under the first names.
func TestTemporaryNames(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.json")
	d := failing("create", fs.ErrExist)
	d.times = 3
	noError(t, replace(d, path, "new"))
	expect(t, path, "new")
	names := map[string]bool{}
	for _, name := range d.opened {
		names[name] = true
		if filepath.Dir(name) != folder {
			t.Errorf("%s is in another folder", name)
		}
	}
	if len(names) != 4 {
		t.Errorf("the names are %q", d.opened)
	}
	if err := replace(failing("create", fs.ErrExist), path, "newer"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("no free name: %v", err)
	}
	expect(t, path, "new")
}

func TestWrite(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "new", "folder", "a.json")
	noError(t, Write(OS, path, []byte("one")))
	noError(t, Write(OS, path, []byte("two")))
	expect(t, path, "two")
	for _, operation := range []string{"make folder", "create"} {
		err := Write(failing(operation, errFull), path, []byte("three"))
		if !errors.Is(err, errFull) || err.Error() != fmt.Sprintf("write %s: %v", path, errFull) {
			t.Errorf("%s: %v", operation, err)
		}
	}
	expect(t, path, "two")
	put(t, filepath.Join(folder, "file"), "")
	if err := Write(OS, filepath.Join(folder, "file", "a.json"), nil); err == nil {
		t.Error("a file is below a file")
	}
}

func TestCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "a.json")
	noError(t, Create(OS, path, []byte("one")))
	if err := Create(OS, path, []byte("two")); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("a file that exists: %v", err)
	}
	if err := Create(OS, filepath.Dir(path), nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a folder: %v", err)
	}
	expect(t, path, "one")
}

// TestMissingFile opens a file that does not exist: the file is then nil, and not a nil pointer.
func TestMissingFile(t *testing.T) {
	if f, err := OS.Open(filepath.Join(t.TempDir(), "x"), os.O_RDONLY, 0); f != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, %v", f, err)
	}
	if err := OS.SyncFolder(filepath.Join(t.TempDir(), "x")); err != nil {
		t.Errorf("a folder that cannot be opened: %v", err)
	}
}
