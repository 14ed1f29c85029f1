//go:build !js

package nogpu

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"roclua/internal/ccompile"
)

// shared has the cache of the runtime, and libraries in the place of AMD's.
var shared string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "roclua-nogpu-")
	if err != nil {
		panic(err)
	}
	shared = folder
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// compiler skips the test where nothing can be compiled, and gives it the shared cache.
func compiler(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the runtime is for Linux")
	}
	if _, err := exec.LookPath(ccompile.Compiler); err != nil {
		t.Skipf("no C compiler: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", shared)
}

// cc compiles text to a file.
func cc(t *testing.T, to, text string, args ...string) {
	t.Helper()
	source := to + ".c"
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(ccompile.Compiler, append([]string{"-w", "-o", to, source}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", to, err, out)
	}
}

// vendor makes a library in the place of AMD's, if the folder has none. Its functions end the process: they must not be
// called.
func vendor(t *testing.T, folder, release string) {
	t.Helper()
	name := soname + "." + release
	if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
		return
	}
	var text strings.Builder
	text.WriteString("#include <stdlib.h>\n")
	functions := exported(files()["hip.map"])
	functions["hipFutureCall"], functions["hipOtherCall"] = "hip_9.9", "hip_4.2"
	for name := range functions {
		fmt.Fprintf(&text, "void %s(void) { abort(); }\n", name)
	}
	script := filepath.Join(folder, "vendor.map")
	if err := os.WriteFile(script, []byte(versionScript(functions)), 0o600); err != nil {
		t.Fatal(err)
	}
	cc(t, filepath.Join(folder, name), text.String(), "-shared", "-fPIC", "-Wl,-soname,"+name,
		"-Wl,--version-script="+script)
}

// program makes a program that is linked with a vendor's library, and returns its path. Its calls are the statements of
// main.
func program(t *testing.T, release, statements string) string {
	t.Helper()
	vendor(t, shared, release)
	path := filepath.Join(t.TempDir(), "program")
	cc(t, path, "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <pthread.h>\n"+
		"#include <dlfcn.h>\n#include <string.h>\n#include \"types.h\"\n"+statements, "-I", sources(t),
		filepath.Join(shared, soname+"."+release),
		"-Wl,-rpath,"+shared, "-ldl", "-lpthread")
	return path
}

// sources returns a folder with the sources.
func sources(t *testing.T) string {
	folder := t.TempDir()
	for name, text := range files() {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// output runs a program over the runtime.
func output(t *testing.T, path string, env ...string) (stdout, stderr string) {
	t.Helper()
	library, err := Compile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path)
	var errors strings.Builder
	c.Env, c.Stderr = append(append(os.Environ(), "LD_PRELOAD="+library), env...), &errors
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, errors.String())
	}
	return string(out), errors.String()
}

// TestMissingFunctions calls functions that the runtime does not have. They name themselves once. A name that dlsym
// looks up is absent.
func TestMissingFunctions(t *testing.T) {
	compiler(t)
	for _, release := range []string{"6", "7"} {
		path := program(t, release, `char *hipGetErrorName(int);
int main(void) {
  void *p;
  printf("%d ", hipMalloc(&p, 100));
  for (int i = 0; i < 3; i++) printf("%d ", (int)hipFutureCall(1, 2));
  printf("%d %d %s\n", hipGetLastError(), dlsym(RTLD_DEFAULT, "hipNoSuchCall") != NULL, hipGetErrorName(801));
}`)
		stdout, stderr := output(t, path)
		if want := "0 801 801 801 801 0 hipErrorNotSupported\n"; stdout != want {
			t.Errorf("HIP %s: %q, want %q", release, stdout, want)
		}
		want := "roclua: hipFutureCall is not in the HIP runtime without a GPU: it returns hipErrorNotSupported\n"
		if stderr != want {
			t.Errorf("HIP %s: %q, want %q", release, stderr, want)
		}
	}
}

// TestOtherPrograms compiles the runtime for a library, and runs a program with a function that only the program uses,
// as the program of a shell does: the installed HIP has it.
func TestOtherPrograms(t *testing.T) {
	compiler(t)
	path := program(t, "7", `int main(void) { printf("%d\n", (int)hipFutureCall(1, 2)); }`)
	library := filepath.Join(t.TempDir(), "liblibrary.so")
	cc(t, library, "int hipMalloc(void **, long); int use(void **p) { return hipMalloc(p, 1); }", "-shared", "-fPIC",
		filepath.Join(shared, soname+".7"), "-Wl,-rpath,"+shared)
	hip, err := Compile(t.Context(), "/bin/sh", library)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "-c", path)
	c.Env = append(os.Environ(), "LD_PRELOAD="+hip)
	if out, err := c.CombinedOutput(); err != nil || !strings.HasSuffix(string(out), "\n801\n") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestModernCalls answers functions that applications use and the libraries do not, as HIP does.
func TestModernCalls(t *testing.T) {
	compiler(t)
	path := program(t, "7", `
#define SHOW(x) printf(#x " %ld\n", (long)(x))
int hipExtLaunchKernel(const void *, dim3, dim3, void **, size_t, void *, void *, void *, int);
int hipDeviceGetName(char *, int, int), hipEventElapsedTime(float *, void *, void *);
int hipStreamGetCaptureInfo_v2(void *, int *, unsigned long long *, void **, void ***, size_t *);
int hipStreamEndCapture(void *, void **), hipMemsetAsync(void *, int, size_t, void *);
int main(void) {
  void *p, *stream, *module, *f, *from, *to;
  unsigned flags = 9;
  size_t bytes = 0;
  int device = 9, grid, block = 0;
  char name[8] = "";
  float ms = -1;
  dim3 one = {1, 1, 1};
  SHOW(hipInit(0)), SHOW(hipInit(1)), SHOW(hipDeviceGet(&device, 0)), SHOW(device), SHOW(hipDeviceGet(&device, 5));
  SHOW(hipDeviceGetName(name, 8, 0)), SHOW(!strcmp(name, "no GPU")), SHOW(hipDeviceTotalMem(&bytes, 0)), SHOW(bytes);
  hipMalloc(&p, 100l);
  SHOW(hipMemPtrGetInfo((char *)p + 4, &bytes)), SHOW(bytes), SHOW(hipMemPtrGetInfo(&bytes, &bytes));
  hipStreamCreateWithFlags(&stream, 1);
  SHOW(hipStreamGetFlags(stream, &flags)), SHOW(flags), SHOW(hipStreamGetFlags(stream, NULL));
  hipStreamDestroy(stream);
  SHOW(hipStreamGetFlags(stream, &flags));
  hipStreamCreateWithPriority(&stream, 0, 0), hipEventCreate(&from), hipEventCreate(&to);
  SHOW(hipExtLaunchKernel(&one, one, one, NULL, 0, stream, from, to, 0));
  SHOW(hipEventElapsedTime(&ms, from, to)), SHOW(ms >= 0), SHOW(hipModuleLoadDataEx(&module, "", 0, NULL, NULL));
  SHOW(hipModuleGetFunction(&f, module, "f")), SHOW(hipModuleLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
  SHOW(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, f, 0l, 256)), SHOW(block);
  void *graph = NULL, *whole, **nodes = NULL, *all[2];
  unsigned long long id;
  size_t count = 9, two = 2;
  int status;
  SHOW(hipStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count)), SHOW(status), SHOW(count);
  hipStreamBeginCapture(stream, 2), hipMemsetAsync(p, 0, 100, stream), hipMemsetAsync(p, 0, 100, stream);
  SHOW(hipStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count)), SHOW(status), SHOW(count);
  hipGraphGetNodes(graph, all, &two);
  SHOW(nodes[0] == all[1]), SHOW(hipStreamEndCapture(stream, &whole)), SHOW(whole == graph);
}`)
	stdout, _ := output(t, path, EnvCapacity+"=1000")
	want := "0 1 0 0 101 0 1 0 1000 0 100 1 0 1 1 709 0 0 1 0 0 0 0 256 0 0 9 0 1 1 1 0 1"
	var have []string
	for line := range strings.Lines(stdout) {
		have = append(have, strings.TrimSpace(line[strings.LastIndex(line, " ")+1:]))
	}
	if strings.Join(have, " ") != want {
		t.Errorf("have %s\nwant %s", stdout, want)
	}
}

// TestSystemManagement finds the place of a device on the bus, as rocblas-bench does by ROCm SMI.
func TestSystemManagement(t *testing.T) {
	compiler(t)
	path := program(t, "7", `
int hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *, int);
int main(void) {
  int (*init)(long) = dlsym(RTLD_DEFAULT, "rsmi_init");
  int (*count)(unsigned *) = dlsym(RTLD_DEFAULT, "rsmi_num_monitor_devices");
  int (*place)(unsigned, uint64_t *) = dlsym(RTLD_DEFAULT, "rsmi_dev_pci_id_get");
  unsigned n;
  hipDeviceProp_tR0600 p;
  printf("%d %d ", init(0), count(&n));
  printf("%u", n);
  for (unsigned i = 0; i < n; i++) {
    uint64_t id;
    hipGetDevicePropertiesR0600(&p, i);
    printf(" %d", place(i, &id) == 0 && id == (uint64_t)p.pciBusID << 8);
  }
}`)
	if stdout, _ := output(t, path, EnvDevices+"=2"); stdout != "0 0 2 1 1" {
		t.Errorf("have %q", stdout)
	}
}

// TestExportsAreDefined compiles the runtime and checks that it has the functions and versions of its list.
func TestExportsAreDefined(t *testing.T) {
	compiler(t)
	path, err := library("7", []symbol{{"hipFutureCall", "hip_9.9"}, {"hipMalloc", "hip_5.0"}}).Path(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && s.Section != elf.SHN_ABS {
			have[s.Name] = s.Version
		}
	}
	want := exported(files()["hip.map"])
	want["hipFutureCall"], want["hipMalloc"] = "hip_9.9", "hip_5.0"
	if !maps.Equal(have, want) {
		t.Errorf("the library has %v, want %v", have, want)
	}
}

// TestDevices uses two devices: each has its own memory, and each thread its current device.
func TestDevices(t *testing.T) {
	compiler(t)
	path := program(t, "7", `
int hipMalloc(void **, size_t), hipFree(void *), hipSetDevice(int), hipGetDevice(int *), hipGetDeviceCount(int *);
int hipMemGetInfo(size_t *, size_t *), hipDeviceCanAccessPeer(int *, int, int), hipDeviceEnablePeerAccess(int, int);
int hipPointerGetAttributes(hipPointerAttribute_t *, void *), hipDeviceReset(void);
static void *other(void *p) {
  int device;
  hipGetDevice(&device);
  printf("thread %d\n", device);
  return NULL;
}
int main(void) {
  void *a, *b;
  int count, device, can;
  size_t left, total;
  hipGetDeviceCount(&count);
  printf("%d devices, set %d ", count, hipSetDevice(2));
  printf("%d\n", hipSetDevice(1));
  printf("%d ", hipMalloc(&a, 900));
  printf("%d\n", hipMalloc(&b, 200));
  hipMemGetInfo(&left, &total);
  hipPointerAttribute_t attributes;
  hipPointerGetAttributes(&attributes, a);
  printf("left %zu of %zu, device %d\n", left, total, attributes.device);
  hipSetDevice(0);
  printf("%d\n", hipMalloc(&b, 200));
  hipFree(a);
  hipMemGetInfo(&left, &total);
  hipDeviceCanAccessPeer(&can, 0, 1);
  printf("left %zu, peer %d %d ", left, can, hipDeviceEnablePeerAccess(1, 0));
  printf("%d\n", hipDeviceEnablePeerAccess(1, 0));
  hipSetDevice(1);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_join(thread, NULL);
  hipMalloc(&a, 900);
  printf("reset %d ", hipDeviceReset());
  hipMemGetInfo(&left, &total);
  printf("left %zu, ", left);
  hipSetDevice(0);
  hipMemGetInfo(&left, &total);
  printf("%zu\n", left);
}`)
	stdout, _ := output(t, path, EnvDevices+"=2", EnvCapacity+"=1000")
	want := "2 devices, set 101 0\n0 2\nleft 100 of 1000, device 1\n0\nleft 800, peer 1 0 704\nthread 0\n" +
		"reset 0 left 1000, 800\n"
	if stdout != want {
		t.Errorf("have %q\nwant %q", stdout, want)
	}
}

// TestObjectsOfDevices uses streams, events and pools of two devices, of different architectures and capacities. The
// memory of hipMallocAsync is of the stream's device, and an event is only recorded in streams of the same device.
func TestObjectsOfDevices(t *testing.T) {
	compiler(t)
	path := program(t, "7", `
int hipSetDevice(int), hipMemGetInfo(size_t *, size_t *), hipMallocAsync(void **, size_t, void *), hipFree(void *);
int hipStreamCreate(void **), hipEventCreate(void **), hipEventRecord(void *, void *);
int hipEventElapsedTime(float *, void *, void *), hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *, int);
int hipDeviceGetDefaultMemPool(void **, int), hipMemPoolTrimTo(void *, size_t), hipDeviceDisablePeerAccess(int);
size_t roclua_hip_log(char *, size_t);
int main(void) {
  void *s, *first, *second, *p, *pools[3];
  float ms;
  hipDeviceProp_tR0600 a, b;
  hipGetDevicePropertiesR0600(&a, 0), hipGetDevicePropertiesR0600(&b, 1);
  printf("%s %zu, %s %zu, %d\n", a.gcnArchName, a.totalGlobalMem, b.gcnArchName, b.totalGlobalMem,
      hipGetDevicePropertiesR0600(&b, 2));
  hipEventCreate(&first);
  hipSetDevice(1), hipStreamCreate(&s), hipEventCreate(&second), hipSetDevice(0);
  printf("record %d %d %d, elapsed %d\n", hipEventRecord(first, s), hipEventRecord(second, s),
      hipEventRecord(second, NULL), hipEventElapsedTime(&ms, first, second));
  printf("null stream %d, ", hipMallocAsync(&p, 500, NULL));
  printf("stream %d, ", hipMallocAsync(&p, 500, s));
  for (int i = 0; i < 3; i++) printf("pool %d, ", hipDeviceGetDefaultMemPool(&pools[i], i));
  printf("trim %d, peer %d\n", hipMemPoolTrimTo(pools[1], 0), hipDeviceDisablePeerAccess(0));
  hipFree(p);
  char log[1000] = "";
  roclua_hip_log(log, sizeof log);
  printf("%s", log);
}`)
	stdout, _ := output(t, path, EnvDevices+"=2", EnvArch+"=gfx90a,gfx942", EnvCapacity+"=400,1000")
	want := `gfx90a 400, gfx942 1000, 101
record 400 0 400, elapsed 400
null stream 2, stream 0, pool 0, pool 0, pool 101, trim 0, peer 101
hipSetDevice 0 0 1
hipSetDevice 0 0 0
hipMallocAsync 500 2 0
hipMallocAsync 500 0 1
hipMemPoolTrimTo 0 0 1
hipFree 0 0 1
`
	if stdout != want {
		t.Errorf("have %s\nwant %s", stdout, want)
	}
}

// TestLogOfCopies checks that the log has each copy and fill once, with its bytes and its result.
func TestLogOfCopies(t *testing.T) {
	compiler(t)
	path := program(t, "6", `
int hipMalloc(void **, size_t), hipMemcpy(void *, void *, size_t, int);
int hipMemcpyAsync(void *, void *, size_t, int, void *);
int hipMemcpy2D(void *, size_t, void *, size_t, size_t, size_t, int), hipMemset(void *, int, size_t);
int hipMemcpy2DAsync(void *, size_t, void *, size_t, size_t, size_t, int, void *);
int hipMemsetAsync(void *, int, size_t, void *), hipMemcpyWithStream(void *, void *, size_t, int, void *);
int hipMemcpyPeerAsync(void *, int, void *, int, size_t, void *);
int hipMemcpyToSymbol(void *, void *, size_t, size_t, int), hipMemcpyFromSymbol(void *, void *, size_t, size_t, int);
size_t roclua_hip_log(char *, size_t);
int main(void) {
  static int shadow[4];
  char from[100] = "", log[1000] = "";
  void *p;
  __hipRegisterVar(NULL, shadow, "v", "v", 0, sizeof shadow, 0, 0);
  hipMalloc(&p, 100);
  hipMemcpy(p, from, 10, 1), hipMemcpyAsync(from, p, 20, 2, NULL), hipMemcpyAsync(NULL, p, 21, 2, NULL);
  hipMemcpy2D(p, 10, from, 10, 5, 3, 1), hipMemcpy2DAsync(p, 10, from, 10, 5, 4, 1, NULL);
  hipMemset(p, 0, 30), hipMemsetAsync(p, 0, 0, NULL), hipMemcpyWithStream(p, from, 40, 1, NULL);
  hipMemcpyPeerAsync(p, 0, from, 7, 50, NULL);
  hipMemcpyToSymbol(shadow, from, 8, 0, 1), hipMemcpyFromSymbol(from, shadow, 16, 4, 2);
  roclua_hip_log(log, sizeof log);
  printf("%s", log);
}`)
	stdout, _ := output(t, path)
	want := `hipMalloc 100 0 0
hipMemcpy 10 0 0
hipMemcpyAsync 20 0 0
hipMemcpyAsync 21 1 0
hipMemcpy2D 15 0 0
hipMemcpy2DAsync 20 0 0
hipMemset 30 0 0
hipMemsetAsync 0 0 0
hipMemcpyWithStream 40 0 0
hipMemcpyPeerAsync 50 101 0
hipMemcpyToSymbol 8 0 0
hipMemcpyFromSymbol 16 13 0
`
	if stdout != want {
		t.Errorf("have %s\nwant %s", stdout, want)
	}
}

// TestThreads creates streams, events and memory in many threads, and checks that no memory remains.
func TestThreads(t *testing.T) {
	compiler(t)
	path := program(t, "6", `
int hipStreamCreate(void **), hipStreamDestroy(void *), hipMemsetAsync(void *, int, size_t, void *);
int hipMalloc(void **, size_t), hipFree(void *), hipEventCreate(void **), hipMemGetInfo(size_t *, size_t *);
int hipEventRecord(void *, void *), hipEventDestroy(void *);
static void *work(void *failed) {
  for (int i = 0; i < 2000; i++) {
    void *stream, *memory, *event;
    int error = hipStreamCreate(&stream) | hipMalloc(&memory, 64) | hipEventCreate(&event);
    error |= hipMemsetAsync(memory, 1, 64, stream) | hipEventRecord(event, stream) | hipStreamDestroy(stream);
    if (error | hipFree(memory) | hipEventDestroy(event)) *(int *)failed = 1;
  }
  return NULL;
}
int main(void) {
  pthread_t threads[16];
  int failed = 0;
  for (int i = 0; i < 16; i++) pthread_create(&threads[i], NULL, work, &failed);
  for (int i = 0; i < 16; i++) pthread_join(threads[i], NULL);
  size_t left, total;
  hipMemGetInfo(&left, &total);
  printf("failed %d, remain %zu\n", failed, total - left);
}`)
	if stdout, _ := output(t, path); stdout != "failed 0, remain 0\n" {
		t.Errorf("have %q", stdout)
	}
}

// TestInvalidatedCaptures queries a stream while a global and a thread-local capture are active, in each mode of the
// thread, and frees memory in the capture that this invalidates.
func TestInvalidatedCaptures(t *testing.T) {
	compiler(t)
	for release, want := range map[string]string{
		"6": "global: 900 901 901 0\nlocal: 900 901 901 0\n", "7": "global: 900 901 901 0\nlocal: 900 901 901 901\n",
	} {
		path := program(t, release, `
int hipStreamCreateWithFlags(void **, unsigned), hipStreamBeginCapture(void *, int), hipStreamQuery(void *);
int hipFreeAsync(void *, void *), hipStreamEndCapture(void *, void **), hipThreadExchangeStreamCaptureMode(int *);
int main(void) {
  void *global, *local, *outside, *graph;
  hipStreamCreateWithFlags(&global, 1), hipStreamCreateWithFlags(&local, 1), hipStreamCreateWithFlags(&outside, 1);
  for (int i = 0; i < 2; i++) {
    int mode = i;
    hipStreamBeginCapture(global, 0), hipStreamBeginCapture(local, 1), hipThreadExchangeStreamCaptureMode(&mode);
    printf("%s: %d ", i ? "local" : "global", hipStreamQuery(outside));
    printf("%d ", hipFreeAsync(&mode, global));
    printf("%d ", hipStreamEndCapture(global, &graph));
    printf("%d\n", hipStreamEndCapture(local, &graph));
  }
}`)
		if stdout, _ := output(t, path); stdout != want {
			t.Errorf("HIP %s: %q, want %q", release, stdout, want)
		}
	}
}

// TestSymbols copies to a variable of kernels and back. Host memory begins at a page.
func TestSymbols(t *testing.T) {
	compiler(t)
	path := program(t, "6", `
int hipMemcpyToSymbol(void *, void *, size_t, size_t, int), hipMemcpyFromSymbol(void *, void *, size_t, size_t, int);
int main(void) {
  static int shadow[4];
  int from[2] = {5, 6}, to[4] = {9, 9, 9, 9};
  void *host;
  for (int i = 1; i < 40; i++)
    if (hipHostMalloc(&host, i * 100, 0) || (size_t)host % 4096) printf("not aligned ");
  __hipRegisterVar(NULL, shadow, "v", "v", 0, sizeof shadow, 0, 0);
  printf("%d ", hipMemcpyToSymbol(shadow, from, 8, 4, 1));
  printf("%d ", hipMemcpyFromSymbol(to, shadow, 16, 0, 2));
  printf("%d %d %d %d ", to[0], to[1], to[2], to[3]);
  printf("%d %d\n", hipMemcpyToSymbol(shadow, from, 8, 12, 1), hipMemcpyToSymbol(to, from, 8, 0, 1));
}`)
	if stdout, _ := output(t, path); stdout != "0 0 0 5 6 0 13 13\n" {
		t.Errorf("have %q", stdout)
	}
}

// TestNoHIP compiles nothing for a program without HIP, and for a script.
func TestNoHIP(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if path, err := Compile(t.Context(), "/bin/sh", script, "/no/such/file"); !errors.Is(err, ErrNoHIP) {
		t.Errorf("%q, %v; want %v", path, err, ErrNoHIP)
	}
}

// TestImportsOfLibraries finds the imports of a library that the program loads by DT_RPATH, DT_RUNPATH or
// LD_LIBRARY_PATH. DT_RPATH of the program counts for the libraries of its libraries, DT_RUNPATH does not.
func TestImportsOfLibraries(t *testing.T) {
	compiler(t)
	folder, far := t.TempDir(), t.TempDir()
	vendor(t, far, "6")
	hip := filepath.Join(far, soname+".6")
	cc(t, filepath.Join(far, "libinner.so"), "int hipFutureCall(void); int inner(void) { return hipFutureCall(); }",
		"-shared", "-fPIC", hip)
	cc(t, filepath.Join(folder, "libouter.so"), "int inner(void); int outer(void) { return inner(); }",
		"-shared", "-fPIC", "-L", far, "-linner")
	link := []string{"-L", folder, "-louter", "-Wl,-rpath-link," + far, "-Wl,-rpath,$ORIGIN:" + far}
	main := "int outer(void); int main(void) { return outer(); }"
	cc(t, filepath.Join(folder, "rpath"), main, append(link, "-Wl,--disable-new-dtags")...)
	cc(t, filepath.Join(folder, "runpath"), main, append(link, "-Wl,--enable-new-dtags")...)
	if err := os.Remove(hip); err != nil { // an installed HIP has more functions
		t.Fatal(err)
	}
	want := []symbol{{"hipFutureCall", "hip_9.9"}}
	for _, test := range []struct {
		program, path, release string
	}{{"rpath", "", "6"}, {"runpath", "", ""}, {"runpath", far, "6"}} {
		t.Setenv("LD_LIBRARY_PATH", test.path)
		release, list := imported([]string{filepath.Join(folder, test.program)})
		if release != test.release || release != "" && !slices.Equal(list, want) {
			t.Errorf("%s with %q: HIP %q, %v; want %q", test.program, test.path, release, list, test.release)
		}
	}
}

// TestFind finds the C library in the loader's cache, as the loader does.
func TestFind(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the test needs the Linux loader")
	}
	if _, err := os.Stat("/etc/ld.so.cache"); err != nil {
		t.Skip(err)
	}
	t.Setenv("LD_LIBRARY_PATH", "")
	if path := Find("libnone.so.7", "libc.so.6"); !strings.HasSuffix(path, "/libc.so.6") {
		t.Errorf("the C library is %q", path)
	}
	folder := t.TempDir()
	want := filepath.Join(folder, "libc.so.6")
	if err := os.WriteFile(want, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LD_LIBRARY_PATH", folder)
	if path := Find("libc.so.6"); path != want {
		t.Errorf("the C library is %q, want %q", path, want)
	}
}

// TestRaces calls every function from several threads under the thread sanitizer.
func TestRaces(t *testing.T) {
	compiler(t)
	folder := sources(t)
	path := filepath.Join(folder, "races")
	text, err := os.ReadFile("testdata/races.c")
	if err != nil {
		t.Fatal(err)
	}
	for name := range exported(files()["hip.map"]) {
		if !regexp.MustCompile(`\b` + name + `\(`).Match(text) {
			t.Errorf("races.c does not call %s", name)
		}
	}
	check := exec.Command(ccompile.Compiler, "-fsyntax-only", "-w", "-I", folder, "testdata/races.c")
	if out, err := check.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	build := exec.Command(ccompile.Compiler, "-fsanitize=thread", "-g", "-O1", "-w", "-I", folder, "-o", path,
		"testdata/races.c", "-lpthread")
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("no thread sanitizer: %v\n%s", err, out)
	}
	out, err := exec.Command("setarch", "-R", path).CombinedOutput() // the sanitizer needs its addresses
	switch {
	case err == nil:
	case bytes.Contains(out, []byte("FATAL: ThreadSanitizer")) || !bytes.Contains(out, []byte("races: ")):
		t.Skipf("the thread sanitizer does not run here: %v\n%s", err, out)
	default:
		t.Errorf("%v\n%s", err, out[:min(len(out), 4000)])
	}
}
