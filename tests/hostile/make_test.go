//go:build linux

package hostile

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestMakeFails checks that make fails when the tests do, although it filters what they print.
func TestMakeFails(t *testing.T) {
	for _, tool := range []string{"make", "bash"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	tools := t.TempDir()
	if err := os.WriteFile(filepath.Join(tools, "go"), []byte("#!/bin/sh\necho FAIL; exit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("make", "-C", "../..", "hostile")
	c.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"))
	if out, err := c.CombinedOutput(); err == nil {
		t.Errorf("success; printed %s", out)
	}
}
