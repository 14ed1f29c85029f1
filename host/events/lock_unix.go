//go:build unix

package events

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// lockFile locks a file until it is closed, and returns false when another process has locked it. It tries for a
// short time, since a program that was killed may hold the lock for a moment. A file system without locks counts as
// unlocked.
func lockFile(f interface{ Fd() uintptr }) bool {
	for range 20 {
		if !errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK) {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}
