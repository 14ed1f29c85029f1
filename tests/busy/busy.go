// Package busy measures times on machines whose processors other programs use, too. It is for tests that something ends
// in time.
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

// Start returns a stopwatch that begins now.
func Start() Stopwatch { return Stopwatch{time.Now(), waited()} }

// Elapsed returns the time since Start, less the time for which threads of this process were ready to run and waited
// for a processor. On an idle machine, and on systems that do not measure the latter, nothing is subtracted.
func (s Stopwatch) Elapsed() time.Duration { return time.Since(s.start) - max(waited()-s.waited, 0) }

// waited returns how long the threads of this process have waited for a processor since they began. Linux measures it,
// in nanoseconds, in the second field of each file.
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
