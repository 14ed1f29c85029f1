//go:build !linux

package worker

import "os"

func newFile(name string) (*os.File, error) { return newTemporary(name) }

// removeFile closes and removes a file that could not be removed while it was open.
func removeFile(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}
