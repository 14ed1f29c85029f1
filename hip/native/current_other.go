//go:build !linux

package native

// threadID returns 0: the thread is not known.
func threadID() int { return 0 }
