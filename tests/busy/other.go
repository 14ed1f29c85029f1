//go:build !unix

package busy

import "time"

var start = time.Now()

// Time returns the time since the process started: the system does not say how much of it the process used.
func Time() time.Duration { return time.Since(start) }
