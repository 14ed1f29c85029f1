// Package dltest compiles C libraries for tests.
package dltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// compiled has the libraries by their source: tests that use the same one compile it once.
var compiled struct {
	sync.Mutex
	libraries map[string][]byte
}

// Compile makes a shared library of C source and returns its path, which no other library has: each has its own
// variables. It skips the test where there is no C compiler.
func Compile(t testing.TB, source string) string {
	t.Helper()
	compiled.Lock()
	defer compiled.Unlock()
	shared := filepath.Join(t.TempDir(), "libtest.so")
	library := compiled.libraries[source]
	if library == nil {
		library = compile(t, source)
		if compiled.libraries == nil {
			compiled.libraries = map[string][]byte{}
		}
		compiled.libraries[source] = library
	}
	if err := os.WriteFile(shared, library, 0o777); err != nil {
		t.Fatal(err)
	}
	return shared
}

// compile returns a shared library, which is not optimized: that takes longer than its calls.
func compile(t testing.TB, source string) []byte {
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
	out, err := exec.Command(compiler, "-w", "-shared", "-fPIC", "-o", shared, file).CombinedOutput()
	if err != nil {
		t.Skipf("the C compiler makes no shared library: %v\n%s", err, out)
	}
	library, err := os.ReadFile(shared)
	if err != nil {
		t.Fatal(err)
	}
	return library
}
