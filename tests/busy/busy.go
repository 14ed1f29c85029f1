// Package busy measures time on busy machines, for tests with time limits.
package busy

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Stopwatch measures the time since Start.
type Stopwatch struct {
	start  time.Time
	waited time.Duration
}

// Start returns a running stopwatch.
func Start() Stopwatch { return Stopwatch{time.Now(), waited()} }

// Elapsed returns the time since Start minus the time that runnable threads of this process waited for a processor.
// Nothing is subtracted on an idle machine, or on a system that does not measure waiting.
func (s Stopwatch) Elapsed() time.Duration { return time.Since(s.start) - max(waited()-s.waited, 0) }

// waited returns the total time that threads of this process have waited for a processor. Linux measures it, in
// nanoseconds, in the second field of each file.
func waited() (total time.Duration) {
	files, _ := filepath.Glob("/proc/self/task/*/schedstat")
	for _, name := range files {
		text, _ := os.ReadFile(name)
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			n, _ := strconv.ParseInt(fields[1], 10, 64)
			total += time.Duration(n)
		}
	}
	return total
}
