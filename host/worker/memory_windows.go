package worker

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel32             = windows.NewLazySystemDLL("kernel32.dll")
	getProcessMemoryInfo = kernel32.NewProc("K32GetProcessMemoryInfo")
	globalMemoryStatus   = kernel32.NewProc("GlobalMemoryStatusEx")
)

// resident reads the resident memory of a process.
type resident struct{ process windows.Handle }

func openResident(pid int) resident {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.PROCESS_VM_READ, false, uint32(pid))
	if err != nil {
		return resident{}
	}
	return resident{h}
}

// processMemoryCounters is PROCESS_MEMORY_COUNTERS.
type processMemoryCounters struct {
	size, faults                uint32
	peakWorkingSet, workingSet  uintptr
	peakPaged, paged            uintptr
	peakNonPaged, nonPaged      uintptr
	pagefileUsage, peakPagefile uintptr
}

// bytes returns the resident bytes; 0 if they are not known.
func (r resident) bytes() uint64 {
	if r.process == 0 {
		return 0
	}
	var c processMemoryCounters
	c.size = uint32(unsafe.Sizeof(c))
	ok, _, _ := getProcessMemoryInfo.Call(uintptr(r.process), uintptr(unsafe.Pointer(&c)), uintptr(c.size))
	if ok == 0 {
		return 0
	}
	return uint64(c.workingSet)
}

func (r resident) close() {
	if r.process != 0 {
		windows.CloseHandle(r.process)
	}
}

// memoryStatus is MEMORYSTATUSEX.
type memoryStatus struct {
	size, load                       uint32
	physical, availablePhysical      uint64
	pageFile, availablePageFile      uint64
	virtual, availableVirtual, extra uint64
}

// available returns the bytes of memory that processes can use now; 0 if they are not known.
func available() uint64 {
	var m memoryStatus
	m.size = uint32(unsafe.Sizeof(m))
	if ok, _, _ := globalMemoryStatus.Call(uintptr(unsafe.Pointer(&m))); ok == 0 {
		return 0
	}
	return m.availablePhysical
}
