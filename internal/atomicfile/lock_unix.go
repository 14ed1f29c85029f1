//go:build unix

package atomicfile

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// Lock locks a file until it is closed. It waits for another process that has locked it, and returns false when that
// takes too long: also a program that was killed may hold a lock for a moment. A file system without locks counts as
// unlocked.
func Lock(f interface{ Fd() uintptr }, wait time.Duration) bool {
	for end := time.Now().Add(wait); ; time.Sleep(10 * time.Millisecond) {
		if !errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK) {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}
