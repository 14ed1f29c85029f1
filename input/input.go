// Package input reads files and streams named by a user or a script. Each has a maximum size. Directories, devices,
// FIFOs and sockets are rejected: some never end, and opening some blocks until another program opens them.
//
//	text, err := input.File("config.toml", input.Config)
//	text, err = input.InFolder(root, "lib/solve.lua", input.Script)
//	text, err = input.Stream(ctx, os.Stdin, "standard input", input.Script)
package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Kind is the kind of a file or stream.
type Kind struct {
	Name string // "script"
	Most int64  // maximum size in bytes
}

// The kinds of files.
var (
	Script   = Kind{"script", 64 << 20}
	Config   = Kind{"configuration", 16 << 20}
	Baseline = Kind{"baseline", 256 << 20}
	Results  = Kind{"result file", 8 << 30} // the document of a run, or its events
	LastRun  = Kind{"memory of the last run", 256 << 20}
	Lines    = Kind{"list of lines", 16 << 20}
	Calls    = Kind{"recording", 1 << 40} // it is read in parts
)

// TooLargeError reports a file or a stream larger than its maximum size.
type TooLargeError struct {
	Path string
	Kind Kind
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s: a %s may have at most %d bytes", e.Path, e.Kind.Name, e.Kind.Most)
}

// File reads a file.
func File(path string, k Kind) ([]byte, error) {
	f, err := Open(path, k)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.all()
}

// InFolder reads a file below a folder. Neither its name nor a link can escape the folder.
func InFolder(root *os.Root, name string, k Kind) ([]byte, error) {
	f, err := OpenInFolder(root, name, k)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.all()
}

// OpenInFolder opens a file below a folder for reading in parts.
func OpenInFolder(root *os.Root, name string, k Kind) (*Reader, error) {
	file, err := root.OpenFile(name, openFlags, 0)
	if err != nil {
		return nil, err
	}
	return Check(file, name, k)
}

const openFlags = os.O_RDONLY | NonBlocking

// Reader reads a regular file. Read returns a *TooLargeError beyond the maximum size.
type Reader struct {
	file OpenFile
	path string
	kind Kind
	read int64
	size int64 // size when the file was opened
}

// Open opens a file for reading in parts.
func Open(path string, k Kind) (*Reader, error) {
	file, err := os.OpenFile(path, openFlags, 0)
	if err != nil {
		return nil, err
	}
	return Check(file, path, k)
}

// OpenFile is an open file; *os.File implements it.
type OpenFile interface {
	io.ReadCloser
	Stat() (fs.FileInfo, error)
}

// Check returns a reader of an open file, or closes the file on error. path names the file in errors.
func Check(file OpenFile, path string, k Kind) (*Reader, error) {
	info, err := file.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = &fs.PathError{Op: "read", Path: path,
			Err: fmt.Errorf("it is %s, want a regular file", Describe(info.Mode()))}
	case info.Size() > k.Most:
		err = &TooLargeError{path, k}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return &Reader{file: file, path: path, kind: k, size: info.Size()}, nil
}

// Describe describes an irregular file: "a directory".
func Describe(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "not a regular file"
}

// Read reads a part of the file.
func (r *Reader) Read(b []byte) (int, error) {
	n, err := r.file.Read(b)
	if r.read += int64(n); r.read > r.kind.Most {
		return 0, &TooLargeError{r.path, r.kind}
	}
	return n, err
}

// ReadAt reads a part of an opened file that Read has already read.
func (r *Reader) ReadAt(b []byte, offset int64) (int, error) {
	f, ok := r.file.(io.ReaderAt)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	return f.ReadAt(b, offset)
}

// Size returns the size of the file when it was opened.
func (r *Reader) Size() int64 { return r.size }

// Close closes the file.
func (r *Reader) Close() error { return r.file.Close() }

// all reads the file from its beginning. A file may have grown since it was opened.
func (r *Reader) all() ([]byte, error) {
	text := bytes.NewBuffer(make([]byte, 0, r.size+bytes.MinRead))
	_, err := text.ReadFrom(r)
	return text.Bytes(), err
}

// Stream reads a stream that may be a pipe or a terminal. It returns the cause of the context if that ends first; a
// goroutine then uses the stream until its read returns. name is the name of the stream in errors.
func Stream(ctx context.Context, r io.Reader, name string, k Kind) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(r, k.Most+1))
		if err == nil && int64(len(text)) > k.Most {
			text, err = nil, &TooLargeError{name, k}
		}
		done <- result{text, err}
	}()
	select {
	case got := <-done:
		if large := (*TooLargeError)(nil); got.err != nil && !errors.As(got.err, &large) {
			return nil, fmt.Errorf("cannot read %s: %w", name, got.err)
		}
		return got.text, got.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
