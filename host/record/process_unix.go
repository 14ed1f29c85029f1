//go:build linux && amd64

package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"roclua/internal/ccompile"
)

// libraries returns the paths of the recorder and of the audit library: those next to the program, or compiled ones.
func libraries(ctx context.Context) (paths [2]string, err error) {
	program, err := os.Executable()
	if err != nil { // for example without /proc
		program, _ = exec.LookPath(os.Args[0])
	}
	recorder, audit := Libraries()
	for i, l := range []ccompile.Library{recorder, audit} {
		if paths[i] = shipped(program, l); paths[i] == "" {
			if paths[i], err = l.Path(ctx); err != nil {
				return paths, err
			}
		}
		if strings.ContainsAny(paths[i], " :") {
			return paths, fmt.Errorf("%s: the dynamic linker accepts no space and no colon in this name; set "+
				"XDG_CACHE_HOME to another folder", paths[i])
		}
	}
	return paths, nil
}

// lock locks a file until it is closed. It fails if a process that is recorded writes the file.
func lock(f *os.File) bool {
	return !errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// runProgram runs a program and forwards signals to it.
func runProgram(c *exec.Cmd) (*Result, error) {
	signals := make(chan os.Signal, 16)
	for _, s := range forwarded {
		if !signal.Ignored(s) { // the program ignores it, too
			signal.Notify(signals, s)
		}
	}
	defer signal.Stop(signals)
	if err := c.Start(); err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	for {
		select {
		case s := <-signals:
			forward(s, c.Process)
		case err := <-done:
			var ended *exec.ExitError
			if err != nil && !errors.As(err, &ended) {
				return nil, err
			}
			status := c.ProcessState.Sys().(syscall.WaitStatus)
			if status.Signaled() {
				return &Result{Code: 128 + int(status.Signal()), Signal: status.Signal()}, nil
			}
			return &Result{Code: status.ExitStatus()}, nil
		}
	}
}

// forwarded are the signals that are sent to the program. Those that stop a process stop both, as a terminal does.
var forwarded = []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1,
	syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGWINCH, syscall.SIGXCPU, syscall.SIGCONT}

// forward sends a signal to the program. Signals of the terminal reach the program without it.
func forward(s os.Signal, p *os.Process) {
	ofTerminal := s == syscall.SIGINT || s == syscall.SIGQUIT || s == syscall.SIGWINCH
	if !ofTerminal || !inForeground() {
		p.Signal(s)
	}
}

// inForeground reports whether the process belongs to the group that receives the signals of its terminal.
func inForeground() bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDONLY|syscall.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// EndAs ends this process by the signal that ended the program, so that its parent sees the same. It leaves no
// core file.
func EndAs(s os.Signal) {
	number := s.(syscall.Signal)
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	signal.Reset(number)
	var byDefault struct{ handler, flags, restorer, mask uintptr } // of the kernel; zeros are the default
	syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(number), uintptr(unsafe.Pointer(&byDefault)), 0, 8, 0, 0)
	syscall.Kill(os.Getpid(), number)
	select {} // until the signal arrives
}
