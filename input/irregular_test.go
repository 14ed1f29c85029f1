//go:build unix

package input

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestIrregularFiles reads a FIFO without a writer, which would block, and an endless device.
func TestIrregularFiles(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o644); err != nil {
		t.Skip(err)
	}
	for path, want := range map[string]string{fifo: "it is a FIFO", "/dev/zero": "it is a device"} {
		if _, err := File(path, small); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
