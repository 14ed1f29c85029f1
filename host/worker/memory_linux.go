package worker

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// resident reads the resident memory of a process.
type resident struct{ statm *os.File }

func openResident(pid int) resident {
	f, _ := os.Open(fmt.Sprintf("/proc/%d/statm", pid))
	return resident{f}
}

// bytes returns the resident bytes; 0 if they are not known.
func (r resident) bytes() uint64 {
	if r.statm == nil {
		return 0
	}
	var text [128]byte
	n, _ := r.statm.ReadAt(text[:], 0)
	fields := bytes.Fields(text[:n])
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseUint(string(fields[1]), 10, 64)
	return pages * uint64(os.Getpagesize())
}

func (r resident) close() {
	if r.statm != nil {
		r.statm.Close()
	}
}

// available returns the bytes of memory that processes can use now, on the machine or in the control group if it has
// less. 0 is not known.
func available() uint64 { return availableBelow("/") }

// availableBelow is available with the files of the system below a folder.
func availableBelow(root string) uint64 {
	least := uint64(math.MaxUint64)
	if text, err := os.ReadFile(filepath.Join(root, "proc/meminfo")); err == nil {
		if _, rest, ok := strings.Cut(string(text), "MemAvailable:"); ok {
			var kibi uint64
			if _, err := fmt.Sscan(rest, &kibi); err == nil {
				least = kibi << 10
			}
		}
	}
	for _, group := range [][2]string{
		{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory.current"},
		{"sys/fs/cgroup/memory/memory.limit_in_bytes", "sys/fs/cgroup/memory/memory.usage_in_bytes"},
	} {
		limit, used := readNumber(filepath.Join(root, group[0])), readNumber(filepath.Join(root, group[1]))
		if limit > used && used > 0 {
			least = min(least, limit-used)
		}
	}
	if least == math.MaxUint64 {
		return 0
	}
	return least
}

// readNumber returns the number in a file; 0 if there is none.
func readNumber(path string) uint64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return n
}
