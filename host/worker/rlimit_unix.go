//go:build unix

package worker

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// limitProcess prevents core dumps, and makes Linux end workers before other processes when memory runs out.
func limitProcess() {
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	if runtime.GOOS == "linux" {
		os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0)
	}
}
