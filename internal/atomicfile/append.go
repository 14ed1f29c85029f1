package atomicfile

import (
	"cmp"
	"io/fs"
	"os"
)

// Appender writes at the end of a file. A write that fails or is short leaves the file as it was before.
type Appender struct {
	path    string
	file    File
	regular bool
	size    int64 // bytes of the file with all finished writes
}

// OpenAppender opens a file for appending; flag is os.O_CREATE, 0, or either with os.O_RDWR.
func OpenAppender(s System, path string, flag int) (*Appender, error) {
	if flag&os.O_RDWR == 0 {
		flag |= os.O_WRONLY
	}
	file, err := s.Open(path, flag|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, failure(path, err)
	}
	return &Appender{path: path, file: file, regular: info.Mode().IsRegular(), size: info.Size()}, nil
}

// Append appends to a file that may not exist.
func Append(s System, path string, b []byte) error {
	a, err := OpenAppender(s, path, os.O_CREATE)
	if err != nil {
		return err
	}
	return cmp.Or(a.Append(b), a.Close())
}

// File returns the open file.
func (a *Appender) File() File { return a.file }

// IsRegular reports whether the file is not a pipe or a device.
func (a *Appender) IsRegular() bool { return a.regular }

// Info returns the file's description.
func (a *Appender) Info() (fs.FileInfo, error) { return a.file.Stat() }

// Truncate shortens the file to its first bytes. It does nothing to a pipe or a device.
func (a *Appender) Truncate(size int64) error {
	if !a.regular {
		return nil
	}
	if err := a.file.Truncate(size); err != nil {
		return failure(a.path, err)
	}
	a.size = size
	return nil
}

// Append writes with one call, and removes the part that was written when it fails.
func (a *Appender) Append(b []byte) error {
	n, err := a.file.Write(b)
	if err == nil {
		a.size += int64(len(b))
		return nil
	}
	if n > 0 {
		a.Truncate(a.size) // a reader of the file ignores an incomplete last line
	}
	return failure(a.path, err)
}

// Sync writes the file to disk, if it can be synced.
func (a *Appender) Sync() error { return failure(a.path, ignoreUnsupported(a.file.Sync())) }

// Close closes the file.
func (a *Appender) Close() error { return failure(a.path, a.file.Close()) }
