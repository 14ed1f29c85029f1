//go:build !js

package input

import "syscall"

// NonBlocking opens a FIFO without waiting for a program at its other end.
const NonBlocking = syscall.O_NONBLOCK
