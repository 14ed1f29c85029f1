package worker

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"
)

// resident reads the resident memory of a process.
type resident struct{ pid int }

func openResident(pid int) resident { return resident{pid} }

// Arguments of the system call proc_info, and the layout of its result proc_taskinfo.
const (
	procInfoCallPIDInfo = 2
	procPIDTaskInfo     = 4
	taskInfoBytes       = 96
	atResidentSize      = 8
)

// bytes returns the resident bytes; 0 if they are not known.
func (r resident) bytes() uint64 {
	var info [taskInfoBytes]byte
	n, _, errno := unix.Syscall6(unix.SYS_PROC_INFO, procInfoCallPIDInfo, uintptr(r.pid), procPIDTaskInfo, 0,
		uintptr(unsafe.Pointer(&info[0])), taskInfoBytes)
	if errno != 0 || n != taskInfoBytes {
		return 0
	}
	return binary.NativeEndian.Uint64(info[atResidentSize:])
}

func (r resident) close() {}

// available returns the bytes of memory of the machine; 0 if they are not known.
func available() uint64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return n
}
