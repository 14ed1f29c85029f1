//go:build unix

package host

import (
	"os"

	"golang.org/x/sys/unix"
)

// sharesMemory tells whether workers can note their calls.
const sharesMemory = true

func mapShared(f *os.File, bytes int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

// keepFromChildren makes sure that no process which a library starts holds the files open.
func keepFromChildren(files ...int) {
	for _, fd := range files {
		unix.CloseOnExec(fd)
	}
}
