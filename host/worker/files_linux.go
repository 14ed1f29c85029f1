package worker

import (
	"os"

	"golang.org/x/sys/unix"
)

// newFile returns a file without a name, in memory.
func newFile(name string) (*os.File, error) {
	fd, err := unix.MemfdCreate("roclua-"+name, unix.MFD_CLOEXEC)
	if err != nil {
		return newTemporary(name)
	}
	return os.NewFile(uintptr(fd), name), nil
}

func removeFile(f *os.File) { f.Close() }
