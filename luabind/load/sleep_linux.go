package load

import (
	"syscall"
	"time"
)

// spin is how long before an arrival a sleep ends: it may end later by so much.
const spin = 100 * time.Microsecond

// sleep sleeps. Timers of Go round to milliseconds while no goroutine runs, so they are used for long sleeps only.
func sleep(d time.Duration) {
	const coarse = 2 * time.Millisecond
	if d > 2*coarse {
		time.Sleep(d - coarse)
		return
	}
	t := syscall.NsecToTimespec(int64(d))
	syscall.Nanosleep(&t, nil)
}
