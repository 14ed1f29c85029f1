//go:build unix

package worker

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// firstFile is the file descriptor of the first file that a worker inherits in addition to the standard ones.
const firstFile = 3

// attach makes a process inherit files.
func attach(c *exec.Cmd, files []*os.File) { c.ExtraFiles = files }

// inherited opens the files that attach has attached, without letting processes that a library starts inherit them.
func inherited(count int) []*os.File {
	var files []*os.File
	for i := range count {
		unix.CloseOnExec(firstFile + i)
		files = append(files, os.NewFile(uintptr(firstFile+i), "inherited"))
	}
	return files
}

func mapShared(f *os.File, bytes int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

func unmapShared(memory []byte) { unix.Munmap(memory) }

// ignoredSignals are the signals that end the program and not its workers, which end when the program requests it.
var ignoredSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// killedBy returns the signal that ended a process.
func killedBy(state *os.ProcessState) (number int, name string, ok bool) {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return 0, "", false
	}
	return int(status.Signal()), status.Signal().String(), true
}

// isParent reports whether the parent process is still the one with this ID.
func isParent(pid int) bool { return os.Getppid() == pid }
