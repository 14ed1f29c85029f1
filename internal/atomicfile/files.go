package atomicfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"roclua/input"
)

// Files are the files that a run reads and writes, each for one use.
type Files struct {
	system System
	list   []use
}

// NewFiles returns a set without files.
func NewFiles(s System) *Files { return &Files{system: s} }

// use is a file and its purpose.
type use struct {
	what   string // "--out json=results.json", or "the baseline values/solve.toml"
	path   string // absolute, without links
	info   fs.FileInfo
	writes bool
}

// Reads adds a file that the run reads. Errors describe the use as what.
func (f *Files) Reads(what, path string) { f.list = append(f.list, newUse(what, path, false)) }

// Writes adds a file that the run will write, and checks that it can be written. It is an error if the run uses the
// file already.
func (f *Files) Writes(what, path string) error {
	u := newUse(what, path, true)
	if err := f.add(u); err != nil {
		return err
	}
	if err := check(f.system, path); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// WritesOpen adds a file that is open already, such as standard output.
func (f *Files) WritesOpen(what string, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return nil
	}
	return f.add(use{what: what, info: info, writes: true})
}

func (f *Files) add(u use) error {
	for _, other := range f.list {
		switch {
		case !u.isSame(other):
		case other.writes:
			return fmt.Errorf("%s and %s are the same file; name two files", other.what, u.what)
		default:
			return fmt.Errorf("%s would overwrite %s; name another file", u.what, other.what)
		}
	}
	f.list = append(f.list, u)
	return nil
}

func newUse(what, path string, writes bool) use {
	target, info, err := resolve(path)
	if err != nil {
		target = path
	}
	return use{what, target, info, writes}
}

// isSame reports whether two uses are of the same file. A device or a pipe can be written twice.
func (u use) isSame(other use) bool {
	if u.info != nil && !u.info.Mode().IsRegular() {
		return false
	}
	return u.path != "" && u.path == other.path ||
		u.info != nil && other.info != nil && os.SameFile(u.info, other.info)
}

// check reports why a file cannot be written. It changes no file.
func check(s System, path string) error {
	target, info, err := resolve(path)
	switch {
	case err != nil:
		return failure(path, err)
	case info != nil && (info.IsDir() || info.Mode()&fs.ModeSocket != 0):
		return failure(path, errors.New("it is "+input.Describe(info.Mode())))
	case info != nil && !info.Mode().IsRegular():
		return nil // opening a FIFO waits for its reader
	}
	if info != nil {
		file, err := s.Open(target, os.O_WRONLY, 0)
		if err == nil {
			err = file.Close()
		}
		if err != nil {
			return failure(path, err)
		}
	}
	if !isReplaced(target, info) {
		return nil // no temporary file will be created
	}
	temporary, file, err := createTemporary(s, target)
	if errors.Is(err, fs.ErrPermission) && info != nil {
		return nil // it is written in place
	}
	if err == nil {
		err = cmp.Or(file.Close(), s.Remove(temporary))
	}
	return failure(path, err)
}
