package native

import "syscall"

// threadID returns the number of the thread of the operating system.
func threadID() int { return syscall.Gettid() }
