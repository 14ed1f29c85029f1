// Package atomicfile writes the files of a run so that a failure of the disk or a kill leaves each of them whole: a
// file is replaced by a finished one, and a file that grows line by line keeps its whole lines.
//
//	err := atomicfile.Replace(atomicfile.OS, "results.json", func(w io.Writer) error {
//		return json.NewEncoder(w).Encode(doc)
//	})
//	log, err := atomicfile.OpenAppender(atomicfile.OS, "run.jsonl", os.O_CREATE)
//	err = log.Append(line)
//
// Before a run begins, Files finds outputs that cannot be written, and files that are used twice.
package atomicfile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"roclua/input"
)

// System makes the changes of files. Tests replace it to make operations fail.
type System interface {
	Open(name string, flag int, mode fs.FileMode) (File, error)
	Rename(from, to string) error
	Remove(name string) error
	MakeFolder(name string) error // and the folders above it; not an error if it exists
	SyncFolder(name string) error // makes a rename in the folder permanent
}

// File is an open file of a System.
type File interface {
	io.ReadWriteCloser
	Stat() (fs.FileInfo, error)
	Chmod(mode fs.FileMode) error
	Truncate(size int64) error
	Sync() error
	Fd() uintptr
}

// OS is the operating system.
var OS System = system{}

type system struct{}

// Until returns a system that waits for the reader of a FIFO only until a context ends, and then lets writes take
// two more seconds in all.
func Until(ctx context.Context, s System) System { return &until{s, ctx} }

type until struct {
	System
	ctx context.Context
}

// pollFIFO is the time between two attempts to open a FIFO, and lastWrites bounds writes after the end.
const (
	pollFIFO   = 20 * time.Millisecond
	lastWrites = 2 * time.Second
)

// Open opens a file. An open for writing that waits for a reader could not be interrupted.
func (s *until) Open(name string, flag int, mode fs.FileMode) (File, error) {
	info, err := os.Stat(name)
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 || flag&os.O_WRONLY == 0 {
		return s.System.Open(name, flag, mode)
	}
	for {
		f, err := s.System.Open(name, flag|input.NonBlocking, mode)
		if pipe, ok := f.(interface{ SetWriteDeadline(time.Time) error }); ok {
			context.AfterFunc(s.ctx, func() { pipe.SetWriteDeadline(time.Now().Add(lastWrites)) })
		}
		if !errors.Is(err, syscall.ENXIO) {
			return f, err
		}
		select {
		case <-s.ctx.Done():
			return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("no program reads the FIFO")}
		case <-time.After(pollFIFO):
		}
	}
}

// Open opens a file.
func (system) Open(name string, flag int, mode fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, mode)
	if err != nil {
		return nil, err // not a File that is a nil *os.File
	}
	return f, nil
}

func (system) Rename(from, to string) error { return os.Rename(from, to) }

func (system) Remove(name string) error { return os.Remove(name) }

func (system) MakeFolder(name string) error { return os.MkdirAll(name, 0o777) }

// SyncFolder returns no error where folders cannot be synced.
func (system) SyncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	return ignoreUnsupported(f.Sync())
}

// ignoreUnsupported drops the error of syncing a file that cannot be synced, such as a pipe.
func ignoreUnsupported(err error) error {
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// failure returns an error that names the file of the user instead of a temporary one.
func failure(path string, err error) error {
	if err == nil {
		return nil
	}
	var inPath *fs.PathError
	var inLink *os.LinkError
	switch {
	case errors.As(err, &inPath):
		err = inPath.Err
	case errors.As(err, &inLink):
		err = inLink.Err
	}
	return &fs.PathError{Op: "write", Path: path, Err: err}
}
