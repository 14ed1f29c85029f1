//go:build unix

package host

import (
	"os"

	"golang.org/x/sys/unix"
)

func mapShared(f *os.File, bytes int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}
