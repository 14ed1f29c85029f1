//go:build unix

package run

import (
	"os"

	"golang.org/x/sys/unix"
)

// sharesMemory reports whether workers can record their calls.
const sharesMemory = true

func mapShared(f *os.File, bytes int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

// keepFromChildren keeps processes that a library starts from inheriting the files.
func keepFromChildren(files ...int) {
	for _, fd := range files {
		unix.CloseOnExec(fd)
	}
}
