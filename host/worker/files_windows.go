package worker

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// handlesVariable is the variable with the handles that a worker inherits.
const handlesVariable = "ROCLUA_WORKER_HANDLES"

// attach makes a process inherit files.
func attach(c *exec.Cmd, files []*os.File) {
	var numbers []string
	c.SysProcAttr = &syscall.SysProcAttr{}
	for _, f := range files {
		windows.SetHandleInformation(windows.Handle(f.Fd()), windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT)
		c.SysProcAttr.AdditionalInheritedHandles = append(c.SysProcAttr.AdditionalInheritedHandles,
			syscall.Handle(f.Fd()))
		numbers = append(numbers, strconv.FormatUint(uint64(f.Fd()), 10))
	}
	c.Env = append(c.Env, handlesVariable+"="+strings.Join(numbers, ","))
}

// inherited opens the files that attach has attached.
func inherited(count int) []*os.File {
	files := make([]*os.File, count)
	for i, text := range strings.Split(os.Getenv(handlesVariable), ",") {
		if n, err := strconv.ParseUint(text, 10, 64); err == nil && i < count {
			windows.SetHandleInformation(windows.Handle(n), windows.HANDLE_FLAG_INHERIT, 0)
			files[i] = os.NewFile(uintptr(n), "inherited")
		}
	}
	return files
}

func mapShared(f *os.File, bytes int) ([]byte, error) {
	mapping, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READWRITE, 0, uint32(bytes),
		nil)
	if err != nil {
		return nil, err
	}
	defer windows.CloseHandle(mapping) // the view keeps it
	address, err := windows.MapViewOfFile(mapping, windows.FILE_MAP_WRITE, 0, 0, uintptr(bytes))
	if err != nil {
		return nil, err
	}
	view := *(*unsafe.Pointer)(unsafe.Pointer(&address)) // vet rejects the conversion of an integer
	return unsafe.Slice((*byte)(view), bytes), nil
}

func unmapShared(memory []byte) {
	windows.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(memory))))
}

var ignoredSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

// killedBy returns the exception that ended a process, such as an access violation.
func killedBy(state *os.ProcessState) (number int, name string, ok bool) { return 0, "", false }

// isParent reports whether the parent process is still the one with this ID. Windows keeps the ID; the end of the
// requests says that the parent has exited.
func isParent(int) bool { return false }
