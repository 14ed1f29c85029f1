package atomicfile

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

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
