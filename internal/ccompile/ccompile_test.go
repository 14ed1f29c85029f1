package ccompile

import (
	"context"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// cached sets the cache to a new folder and returns it. It skips the test where nothing can be compiled.
func cached(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("shared libraries are compiled on Linux")
	}
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", folder)
	return filepath.Join(folder, "roclua", "compiled")
}

func withCompiler(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath(Compiler); err != nil {
		t.Skipf("no C compiler: %v", err)
	}
	return cached(t)
}

var example = Library{Name: "libexample.so.1", Files: map[string]string{
	"example.c": `#include "example.h"` + "\nint example(void) { return VALUE + 1; }\n",
	"example.h": "enum { START = 1 };\n",
}, Args: []string{"-DVALUE=START", "-Wl,-soname,libexample.so.1", "example.c"}}

func compiled(t *testing.T, l Library) string {
	t.Helper()
	path, err := l.Path(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCompile(t *testing.T) {
	withCompiler(t)
	path := compiled(t, example)
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil || len(symbols) == 0 || symbols[len(symbols)-1].Name != "example" {
		t.Errorf("symbols %v, %v", symbols, err)
	}
	info, err := os.Stat(filepath.Dir(path))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("folder: %v, %v; want mode 0700", info.Mode(), err)
	}
}

// TestCompiledOnce uses the library of the cache, also without a compiler. Another source or option is another library.
func TestCompiledOnce(t *testing.T) {
	withCompiler(t)
	path := compiled(t, example)
	other, option := example, example
	other.Files = map[string]string{"example.c": "int other(void) { return 1; }\n"}
	option.Args = append([]string{"-O1"}, example.Args...)
	if a, b := compiled(t, other), compiled(t, option); a == path || b == path || a == b {
		t.Errorf("paths %s, %s and %s; want three", path, a, b)
	}
	t.Setenv("PATH", t.TempDir())
	if again := compiled(t, example); again != path {
		t.Errorf("path %s, and then %s", path, again)
	}
}

// TestCompiledAtOnce compiles one library in many goroutines. All get the same one, and nothing else remains.
func TestCompiledAtOnce(t *testing.T) {
	cache := withCompiler(t)
	var paths [8]string
	var wait sync.WaitGroup
	for i := range paths {
		wait.Go(func() { paths[i], _ = example.Path(context.Background()) })
	}
	wait.Wait()
	for _, path := range paths {
		if path != paths[0] || path == "" {
			t.Errorf("paths %q", paths)
			break
		}
	}
	if list, err := os.ReadDir(cache); err != nil || len(list) != 1 {
		t.Errorf("the cache has %v, %v; want one folder", list, err)
	}
}

func refused(t *testing.T, l Library, want ...string) {
	t.Helper()
	path, err := l.Path(t.Context())
	if err == nil {
		t.Fatalf("%s was used; want an error with %q", path, want)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error is %q; want %q in it", err, w)
		}
	}
}

func TestNoCompiler(t *testing.T) {
	cache := cached(t)
	t.Setenv("PATH", t.TempDir())
	refused(t, example, "libexample.so.1 must be compiled", "no C compiler", "install one")
	if list, _ := os.ReadDir(cache); len(list) > 0 {
		t.Errorf("the cache has %v; want nothing", list)
	}
}

func TestFailedCompilation(t *testing.T) {
	cache := withCompiler(t)
	broken := example
	broken.Files = map[string]string{"example.c": "int example(void) { return nothing; }\n"}
	refused(t, broken, "does not compile libexample.so.1", "nothing", "to do: ")
	if list, _ := os.ReadDir(cache); len(list) > 0 {
		t.Errorf("the cache has %v; want nothing", list)
	}
}

// TestWritableByOthers refuses a library that another user could have written.
func TestWritableByOthers(t *testing.T) {
	cache := withCompiler(t)
	path := compiled(t, example)
	for _, at := range []string{path, filepath.Dir(path), cache, filepath.Dir(cache)} {
		info, err := os.Stat(at)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(at, info.Mode()|0o002); err != nil {
			t.Fatal(err)
		}
		refused(t, example, at, "other users can write to it", "XDG_CACHE_HOME")
		if err := os.Chmod(at, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(path, 12345, -1); err != nil {
			t.Fatal(err)
		}
		refused(t, example, path, "it belongs to user 12345")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("other.so", path); err != nil {
		t.Fatal(err)
	}
	refused(t, example, path, "it is a link")
}

func TestNoCache(t *testing.T) {
	cache := cached(t)
	if err := os.WriteFile(filepath.Dir(filepath.Dir(cache))+"/roclua", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, example, "cannot be used", "not a directory", "XDG_CACHE_HOME")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	refused(t, example, "there is no folder for compiled libraries", "XDG_CACHE_HOME")
}

// TestAbandoned removes what a killed compilation left, and keeps what may still be in use.
func TestAbandoned(t *testing.T) {
	cache := withCompiler(t)
	old, young := filepath.Join(cache, temporaryPrefix+"1"), filepath.Join(cache, temporaryPrefix+"2")
	for _, folder := range []string{old, young} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * abandonedAfter)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	compiled(t, example)
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("an old folder remains: %v", err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Error(err)
	}
}
