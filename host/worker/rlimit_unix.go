//go:build unix

package worker

import (
	"math"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// Files that the program has open for each worker process, and otherwise, at most.
const (
	filesOfProcess = 8
	filesOfProgram = 12
)

// MostProcesses returns how many worker processes the limit of open files allows, at least one.
func MostProcesses() int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return math.MaxInt
	}
	return max(1, (int(min(uint64(limit.Cur), math.MaxInt32))-filesOfProgram)/filesOfProcess)
}

// limitProcess prevents core dumps, and makes Linux end workers before other processes when memory runs out.
func limitProcess() {
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	if runtime.GOOS == "linux" {
		os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0)
	}
}
