package amd

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/release"
)

func TestVersionsComeFromTheReleases(t *testing.T) {
	have := versions("librocblas.so", (*release.Release).RocBLASMajor)
	newest := release.All()[len(release.All())-1]
	if have[0] != "librocblas.so."+newest.RocBLASMajor() || have[len(have)-1] != "librocblas.so" {
		t.Errorf("names %v: want the newest release first and the name without a version last", have)
	}
	for i, name := range have {
		if slices.Contains(have[:i], name) {
			t.Errorf("names %v: %s is listed twice", have, name)
		}
	}
}

// TestFoldersOfLibraries searches the folders of the environment variable before the names of the loader.
func TestFoldersOfLibraries(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(second, "lib"), 0o755); err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(first, "libone.so"), filepath.Join(second, "lib", "libtwo.so")}
	for _, file := range want {
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want = append(want, "libone.so", "libtwo.so")
	t.Setenv(EnvPath, first+string(os.PathListSeparator)+second)
	if have := search().Candidates("libone.so", "libtwo.so"); !slices.Equal(have, want) {
		t.Errorf("candidates %q, want %q", have, want)
	}
}

// TestFunctionsOfLibraries looks up functions in the library to which they belong. The C library and its mathematics
// are in place of rocBLAS and rocSOLVER.
func TestFunctionsOfLibraries(t *testing.T) {
	c, err1 := dl.Open("libc.so.6")
	m, err2 := dl.Open("libm.so.6")
	if err := errors.Join(err1, err2); err != nil {
		t.Skip(err)
	}
	l := &libraries{rocblas: c, rocsolver: m, blasVersion: "4.4.1.", solVersion: "3.28"}
	for name, want := range map[string]string{
		"abs": "", "rocblas_none": "rocblas_none is not in this library, rocBLAS 4.4.1",
		"rocsolver_none": "rocsolver_none is not in this library, rocSOLVER 3.28",
	} {
		_, err := l.symbol(name)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if status, err := l.call("abs", 41); status != 41 || err != nil {
		t.Errorf("abs(41) is %d, %v", status, err)
	}
	if _, err := l.call("rocblas_none"); err == nil {
		t.Error("a function that does not exist is called")
	}
	// gethostname writes a string and returns 0, as the functions of versions do.
	name, err := os.Hostname()
	if have := l.version("gethostname"); err == nil && have != name {
		t.Errorf("version %q, want %q", have, name)
	}
	for _, function := range []string{"rocblas_none", "abs"} {
		if have := l.version(function); have != "of unknown version" {
			t.Errorf("the version by %s is %q", function, have)
		}
	}
}

// TestEnvironmentOfACase sets variables in the C library for a case, and restores them for the next.
func TestEnvironmentOfACase(t *testing.T) {
	if err := (&libraries{}).setEnvironment(map[string]string{"A": "1"}); err != nil {
		t.Errorf("without a C library: %v", err)
	}
	c, err := dl.Open("libc.so.6")
	if err != nil {
		t.Skip(err)
	}
	getenv, err := c.Symbol("getenv")
	if err != nil {
		t.Fatal(err)
	}
	compare, err := c.Symbol("strcmp")
	if err != nil {
		t.Fatal(err)
	}
	holds := func(name, want string) bool {
		key, text := append([]byte(name), 0), append([]byte(want), 0)
		at := dl.Call(getenv, uintptr(unsafe.Pointer(&key[0])))
		if at == 0 {
			return want == "none"
		}
		return int32(dl.Call(compare, at, uintptr(unsafe.Pointer(&text[0])))) == 0
	}
	const both, one = "ROCLUA_TEST_BOTH", "ROCLUA_TEST_ONE"
	t.Setenv(both, "before")
	l := &libraries{c: c}
	for i, test := range []struct {
		set       map[string]string
		both, one string // in the C library
	}{
		{map[string]string{both: "first", one: "1"}, "first", "1"},
		{map[string]string{both: "second"}, "second", "none"},
		{nil, "before", "none"},
		{map[string]string{one: "2"}, "before", "2"},
		{nil, "before", "none"},
	} {
		if err := l.setEnvironment(test.set); err != nil {
			t.Fatal(err)
		}
		if !holds(both, test.both) || !holds(one, test.one) {
			t.Errorf("case %d: the variables are not %q and %q", i, test.both, test.one)
		}
	}
}
