//go:build !linux

package load

import "time"

// spin is how long before an arrival a sleep ends: it may end later by so much.
const spin = time.Millisecond

func sleep(d time.Duration) { time.Sleep(d) }
