package atomicfile

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Replace writes a file. It writes a temporary file in the same folder, syncs it and renames it, so that the file is
// either as before or complete. A link keeps its name: the file that it leads to is replaced. A device or a FIFO is
// written directly, and so is a file in a folder where no file can be created.
func Replace(s System, path string, write func(io.Writer) error) error {
	target, info, err := resolve(path)
	if err != nil {
		return failure(path, err)
	}
	if !isReplaced(target, info) {
		return failure(path, writeInPlace(s, target, write))
	}
	temporary, file, err := createTemporary(s, target)
	if errors.Is(err, fs.ErrPermission) && info != nil {
		return failure(path, writeInPlace(s, target, write))
	}
	if err != nil {
		return failure(path, err)
	}
	if info != nil {
		err = file.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = fill(file, write)
	}
	if err = cmp.Or(err, file.Close()); err == nil {
		err = s.Rename(temporary, target)
	}
	if err != nil {
		s.Remove(temporary)
		return failure(path, err)
	}
	return failure(path, s.SyncFolder(filepath.Dir(target)))
}

func writeInPlace(s System, path string, write func(io.Writer) error) error {
	file, err := s.Open(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	return cmp.Or(fill(file, write), file.Close())
}

// fill writes a file and syncs it.
func fill(file File, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(file, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return ignoreUnsupported(file.Sync())
}

// createTemporary creates a file next to another one. It has the permissions of any new file.
func createTemporary(s System, path string) (name string, file File, err error) {
	folder, base := filepath.Split(path)
	for range 100 {
		name = filepath.Join(folder, fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		file, err = s.Open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return name, file, err
}

// isReplaced reports whether a file is replaced by another one; info is nil if it does not exist. A path of the
// system, such as /dev/stdout, leads to a file that is open already.
func isReplaced(path string, info fs.FileInfo) bool {
	return (info == nil || info.Mode().IsRegular()) && !strings.HasPrefix(path, "/dev/") &&
		!strings.HasPrefix(path, "/proc/")
}

// resolve returns the file that a path leads to, through links: an absolute path without links. info is nil if it does
// not exist.
func resolve(path string) (target string, info fs.FileInfo, err error) {
	if target, err = filepath.Abs(path); err != nil {
		return "", nil, err
	}
	if info, err = os.Stat(target); errors.Is(err, fs.ErrNotExist) && isReplaced(target, nil) {
		err = nil
	}
	for err == nil && isReplaced(target, nil) {
		folder, e := filepath.EvalSymlinks(filepath.Dir(target))
		if e != nil {
			break // there is no such folder: opening the file says so
		}
		target = filepath.Join(folder, filepath.Base(target))
		link, e := os.Readlink(target)
		if e != nil {
			break
		}
		if target = link; !filepath.IsAbs(link) {
			target = filepath.Join(folder, link)
		}
	}
	return target, info, err
}

// Write replaces the content of a file, as Replace does. It makes the folders above the file.
func Write(s System, path string, text []byte) error {
	if err := s.MakeFolder(filepath.Dir(path)); err != nil {
		return failure(path, err)
	}
	return Replace(s, path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// Create is like Write for a new file. The error for one that exists is fs.ErrExist.
func Create(s System, path string, text []byte) error {
	if _, err := os.Lstat(path); err == nil {
		return failure(path, fs.ErrExist)
	}
	return Write(s, path, text)
}
