//go:build unix

package host

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lockFile takes a file for as long as it is open here, and reports false when another process has it. A program that was
// killed may hold it for a moment yet. Where the file system has no locks, everybody gets it.
func lockFile(f *os.File) bool {
	for range 20 {
		if !errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK) {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}
