// Package dltest compiles C libraries for tests.
package dltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Compile makes a shared library of C source and returns its path. It skips the test where there is no C compiler.
func Compile(t testing.TB, source string) string {
	t.Helper()
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skipf("no C compiler: %v", err)
	}
	folder := t.TempDir()
	file, shared := filepath.Join(folder, "test.c"), filepath.Join(folder, "libtest.so")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(compiler, "-w", "-O2", "-shared", "-fPIC", "-o", shared, file).CombinedOutput()
	if err != nil {
		t.Skipf("the C compiler makes no shared library: %v\n%s", err, out)
	}
	return shared
}
