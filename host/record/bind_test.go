//go:build linux && amd64

package record

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// three are the calls of bind.c. The status 3 is the first library's answer to n = 1000, and the other copy's to 2000.
const (
	three = `blas_create_handle h0 s0 d0 =1 -> 0
    hipMalloc h0 s0 d0 p 33554432 -> 0
blas_dscal h1 s0 d0 1 1000 [000000000000f03f] p 1 -> 3
blas_dscal h1 s0 d0 1 2000 [000000000000f03f] p 1 -> 0`
	threeOfCopy = `blas_create_handle h0 s0 d0 =2 -> 0
    hipMalloc h0 s0 d0 p 33554432 -> 0
blas_dscal h2 s0 d0 2 1000 [000000000000f03f] p 1 -> 0
blas_dscal h2 s0 d0 2 2000 [000000000000f03f] p 1 -> 3`
)

// TestWaysToBind records the same calls, which a program finds in many ways.
func TestWaysToBind(t *testing.T) {
	folder := fake(t)
	direct := func(args ...string) []string { return []string{linked(t, "bind.c", append(args, "-DDIRECT")...)} }
	host := func(args ...string) []string {
		return append([]string{compile(t, folder, "host", "-DHOST", "testdata/bind.c", "-ldl")}, args...)
	}
	plugin := func(library string) string {
		return compile(t, folder, "libplugin-"+library+".so", "-DPLUGIN", "-shared", "-fPIC", "testdata/bind.c",
			"-L"+folder, "-l"+library, "-Wl,-rpath,"+folder)
	}
	first, second := folder+"/libfake.so", folder+"/libcopy.so"
	python := []string{"python3", "-c", `import ctypes, sys
l = ctypes.CDLL(sys.argv[1])
h, alpha = ctypes.c_void_p(), ctypes.c_double(1)
l.rocblas_create_handle(ctypes.byref(h))
print(*[l.rocblas_dscal(h, n, ctypes.byref(alpha), ctypes.byref(alpha), 1) for n in (1000, 2000)])`, first}
	const printed, both = "3 0\n", "3 0\n0 3\n"
	for name, test := range map[string]struct {
		command    []string
		want, text string
	}{
		"lazy":                       {direct("-Wl,-z,lazy"), printed, three},
		"now":                        {direct("-Wl,-z,now"), printed, three},
		"no PLT":                     {direct("-fno-plt"), printed, three},
		"not PIE":                    {direct("-no-pie", "-fno-pie"), printed, three},
		"pointers in data":           {[]string{linked(t, "bind.c", "-DDATA")}, printed, three},
		"dlsym":                      {host("l", first), printed, three},
		"dlsym, global":              {host("g", first), printed, three},
		"plugin, RTLD_LOCAL":         {host("l", plugin("fake")), printed, three},
		"plugin, RTLD_DEEPBIND":      {host("d", plugin("fake")), printed, three},
		"plugin, dlmopen":            {host("n", plugin("fake")), printed, three},
		"two copies":                 {host("l", first, second), both, three + "\n" + threeOfCopy},
		"two plugins, two copies":    {host("l", plugin("fake"), plugin("copy")), both, three + "\n" + threeOfCopy},
		"two plugins, RTLD_DEEPBIND": {host("d", plugin("fake"), plugin("copy")), both, three + "\n" + threeOfCopy},
		"ctypes":                     {python, printed, three},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(test.command[0]); err != nil {
				t.Skip(err)
			}
			o := runRecorded(t, test.command...)
			if o.Code != 0 || o.stdout != test.want || o.stderr != "" || len(o.Files) != 1 {
				t.Fatalf("exit code %d, output %q and %q, %q", o.Code, o.stdout, o.stderr, o.Files)
			}
			if have := lines(calls(t, o.Files[0])); have != test.text {
				t.Errorf("recorded:\n%s\nwant:\n%s", have, test.text)
			}
		})
	}
}

// TestUnknown records a program with functions of a later HIP: one that it is linked with, and one that it asks for.
func TestUnknown(t *testing.T) {
	folder := fake(t)
	compile(t, folder, "libamdhip64.so", "-DLATER_HIP", "-shared", "-fPIC", "-Wl,-soname,libamdhip64.so",
		"testdata/bind.c")
	o := runRecorded(t, linked(t, "bind.c", "-DLATER", "-rdynamic", folder+"/libamdhip64.so"))
	want := []string{o.Files[0] + ": the program uses functions that record does not know, whose effects are " +
		"missing: hipNorThis, hipNotYet"}
	if diff := cmp.Diff(want, o.Problems); diff != "" || o.Code != 0 {
		t.Errorf("exit code %d, %s:\n%s", o.Code, o.stderr, diff)
	}
}

// TestManyPlaces calls a function of a library that is not in the global scope twice from each of many places. Looking
// for the function opens the library of the caller: once for each place, not for each call.
func TestManyPlaces(t *testing.T) {
	folder := fake(t)
	host := compile(t, folder, "host", "-DHOST", "testdata/bind.c", "-ldl")
	plugin := compile(t, folder, "libplugin-places.so", "-DPLUGIN", "-DPLACES", "-shared", "-fPIC", "testdata/bind.c",
		"-L"+folder, "-lfake", "-Wl,-rpath,"+folder)
	o := runRecorded(t, host, "p", plugin)
	const places = 40000
	_, text, _ := strings.Cut(strings.TrimSpace(o.stdout), "\n")
	if n, err := strconv.Atoi(text); err != nil || n < places || n > places+10 {
		t.Errorf("the library was opened %q times for %d places", text, places)
	}
}

// TestOtherInterposers preloads libraries that wrap the same functions, and dlsym: each sees the calls once.
func TestOtherInterposers(t *testing.T) {
	folder := fake(t)
	interposer := compile(t, folder, "libinterposer.so", "-DINTERPOSER", "-shared", "-fPIC", "testdata/bind.c", "-ldl")
	dlsym := compile(t, folder, "libdlsym.so", "-DALSO_DLSYM", "-shared", "-fPIC", "testdata/bind.c", "-ldl")
	r := Request{Command: []string{linked(t, "bind.c", "-DDIRECT")},
		Environ: append(os.Environ(), "LD_PRELOAD="+interposer+":"+dlsym)}
	o := runRequest(t, r)
	want := strings.NewReplacer("-> 3", "-> 103", "1 2000 [000000000000f03f] p 1 -> 0",
		"1 2000 [000000000000f03f] p 1 -> 100").Replace(three)
	if have := lines(calls(t, o.Files[0])); have != want || o.stdout != "103 100\n" {
		t.Errorf("output %q, recorded:\n%s", o.stdout, have)
	}
	host := compile(t, folder, "host", "-DHOST", "testdata/bind.c", "-ldl")
	r.Command = []string{host, "l", folder + "/libfake.so"}
	o = runRequest(t, r)
	if have := lines(calls(t, o.Files[0])); have != three || o.stdout != "3 0\n" {
		t.Errorf("with dlsym: output %q and %q, recorded:\n%s", o.stdout, o.stderr, have)
	}
}
