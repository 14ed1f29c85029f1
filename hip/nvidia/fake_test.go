//go:build linux || darwin || freebsd

package nvidia

import (
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/dl/dltest"
	"roclua/hip/driver"
	"roclua/hip/native"
	"roclua/hip/routine"
)

// source is CUDA's runtime on host memory, and the functions of cuBLAS and cuSOLVER in testdata/functions.txt, which
// only write their arguments into a trace. Addresses in the memory that tests use are written as offsets, and other
// addresses as *.
const source = `
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char memory[1 << 18], trace[1 << 16];
static size_t used;
static int failing, last, quiet, capturing, major;
static void *captured;

int testMemory(char **p) { *p = memory; return 0; }
int testTrace(char *to) { int n = used; memcpy(to, trace, n); used = 0; return n; }
int testFail(int status) { failing = status; return 0; }
int testQuiet(int v) { quiet = v; return 0; }
int testMajor(int v) { major = v; return 0; }

#define W int64_t

// An argument is a pointer, an integer of 32 or 64 bits, a float or a double.
static void print(char kind, W v) {
  char *to = trace + used;
  size_t room = sizeof trace - used;
  if (kind == 'd' || kind == 'f') {
    double d;
    memcpy(&d, &v, sizeof d);
    used += snprintf(to, room, " %g", d);
  } else if (v >= (W)memory && v < (W)memory + (W)sizeof memory)
    used += snprintf(to, room, " @%ld", (long)(v - (W)memory));
  else if (v > 1L << 32 || v < -(1L << 32))
    used += snprintf(to, room, " *");
  else
    used += snprintf(to, room, " %ld", (long)v);
}

// A quiet library writes no trace.
static int record(const char *name, const char *kinds, const W *v) {
  if (quiet) return 0;
  used += snprintf(trace + used, sizeof trace - used, "%s", name);
  for (int i = 0; kinds[i]; i++) print(kinds[i], v[i]);
  trace[used++] = '\n';
  last = failing ? failing : last;
  failing = 0;
  return last;
}

static W bits(double d) { W v; memcpy(&v, &d, sizeof v); return v; }

// A size query stores 40 elements, or 64 bytes on the device and 3 on the host. Options may follow the pointer to the
// size.
static int call(const char *name, const char *kinds, const W *v) {
  int status = record(name, kinds, v), last = strlen(kinds) - 1;
  if (status) return status;
  if (strstr(name, "_bufferSize") && !strncmp(name, "cusolverDnX", 11)) *(W *)v[last - 1] = 64, *(W *)v[last] = 3;
  else if (strstr(name, "_bufferSize"))
    *(int *)v[last - (strstr(name, "evj") || strstr(name, "gvj") || strstr(name, "svdj") ? 1 : 0)] = 40;
  else if (!strncmp(name, "cusolverDnCreate", 16) && strlen(name) > 16) *(W *)v[0] = 3;
  return 0;
}

// The next call repeats the error of a call that failed, as with cuSOLVER, until it is cleared.
int cudaGetLastError(void) { int error = last; last = 0; return error; }
int cudaRuntimeGetVersion(int *v) { *v = 12040; return 0; }
int cudaGetDeviceCount(int *n) { *n = 1; return 0; }
int cudaDeviceSynchronize(void) { return 0; }
int cudaDeviceGetAttribute(int *v, int number, int device) { *v = number == 75 ? major : 0; return 0; }
int cudaMemGetInfo(uint64_t *free, uint64_t *total) { *free = *total = 4096; return 0; }
int cudaGetDeviceProperties(char *p, int d) { strcpy(p, "fake"); return 0; }
int cudaMalloc(void **p, size_t n) { *p = n < 1 << 16 ? memory : memory + (1 << 17); return 0; }
int cudaFree(void *p) { return 0; }
int cudaStreamSynchronize(void *s) { return 0; }
int cudaStreamCreateWithFlags(void **s, unsigned flags) { *s = (void *)77; return 0; }
int cudaStreamDestroy(void *s) { return 0; }

// One stream is captured at a time.
int cudaStreamBeginCapture(void *s, int mode) { captured = s; capturing = 1; return 0; }
int cudaStreamEndCapture(void *s, void **graph) { capturing = 0; *graph = (void *)78; return 0; }
int cudaStreamGetCaptureInfo(void *s, int *status, uint64_t *id) {
  *status = capturing && s == captured;
  *id = 1;
  return 0;
}
int cudaGraphDestroy(void *graph) { return 0; }

// Plain copies leave no trace, because the tests make them too.
int cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, void *s) { memcpy(to, from, n); return 0; }
int cudaMemsetAsync(W a, W b, W c, W d) { return record("cudaMemsetAsync", "pilp", (W[]){a, b, c, d}); }
int cudaMemcpy2DAsync(W a, W b, W c, W d, W e, W f, W g, W h) {
  return record("cudaMemcpy2DAsync", "plplllip", (W[]){a, b, c, d, e, f, g, h});
}
int cudaMemset2DAsync(W a, W b, W c, W d, W e, W f) {
  return record("cudaMemset2DAsync", "plillp", (W[]){a, b, c, d, e, f});
}
int cublasCreate_v2(W *h) { int status = record("cublasCreate_v2", "", 0); if (!status) *h = 1; return status; }
int cusolverDnCreate(W *h) { int status = record("cusolverDnCreate", "", 0); if (!status) *h = 2; return status; }
int cublasGetProperty(W a, int *v) {
  int status = record("cublasGetProperty", "i", &a);
  if (!status) *v = 12 + a;
  return status;
}
int cusolverGetProperty(W a, int *v) {
  int status = record("cusolverGetProperty", "i", &a);
  if (!status) *v = 11 + a;
  return status;
}
`

// signatures returns the kinds of the arguments of the functions in testdata: p for pointers, i and l for integers of
// 32 and 64 bits, f and d for float and double. They follow the headers of CUDA 13.
var signatures = sync.OnceValue(func() map[string]string {
	text, err := os.ReadFile("testdata/functions.txt")
	if err != nil {
		panic(err)
	}
	list := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, kinds, _ := strings.Cut(strings.TrimSpace(line), " ")
		list[name] = kinds
	}
	return list
})

// otherTypes are the beginnings of functions of solvers for float and float complex, which the tests do not call.
var otherTypes = regexp.MustCompile("^cusolverDn[SC](ge|he|la|or|po|sy|un)")

// recorders is C source of the functions in testdata that source lacks.
func recorders() string {
	var text strings.Builder
	for name, kinds := range signatures() {
		if strings.Contains(source, " "+name+"(") || otherTypes.MatchString(name) {
			continue
		}
		var params, values []string
		for i, kind := range kinds {
			ctype, value := "W", fmt.Sprintf("a%d", i)
			switch kind {
			case 'd':
				ctype, value = "double", "bits("+value+")"
			case 'f':
				ctype, value = "float", "bits("+value+")"
			}
			params, values = append(params, fmt.Sprintf("%s a%d", ctype, i)), append(values, value)
		}
		fmt.Fprintf(&text, "int %s(%s) { return call(%q, %q, (W[]){%s}); }\n", name, strings.Join(params, ", "), name,
			kinds, strings.Join(values, ", "))
	}
	return text.String()
}

// fake is a device of source.
type fake struct {
	testing.TB
	*device
	lib     *dl.Library
	memory  uint64
	results uint64 // the offset of results in memory
}

// compiled is the library of source, which takes seconds to compile. It stays open.
var compiled *dl.Library

func newFake(t testing.TB) *fake {
	t.Helper()
	if compiled == nil {
		lib, err := dl.Open(dltest.Compile(t, source+recorders()))
		if err != nil {
			t.Fatal(err)
		}
		compiled = lib
	}
	lib := compiled
	f := &fake{TB: t, lib: lib, results: 1024}
	libs := newLibraries(lib, lib, lib)
	f.call("testFail", 0)
	f.call("testQuiet", 0)
	f.call("testMajor", 9)
	f.trace()
	address := new(uint64)
	f.call("testMemory", uintptr(unsafe.Pointer(address)))
	f.memory = *address
	f.device = f.open(libs)
	return f
}

// open opens the device for a case, without the handles of an earlier one.
func (f *fake) open(libs *libraries) *device {
	f.Helper()
	idle.list = nil
	rt, err := native.Open(libs.api, driver.Config{}, native.Plain)
	if err != nil {
		f.Fatal(err)
	}
	return newDevice(rt.Devices()[0].(*native.Device), libs)
}

//go:uintptrescapes
func (f *fake) call(name string, args ...uintptr) int {
	f.Helper()
	function, err := f.lib.Symbol(name)
	if err != nil {
		f.Fatal(err)
	}
	return int(int32(dl.Call(function, args...)))
}

// trace returns the calls since the last trace.
func (f *fake) trace() string {
	buffer := make([]byte, 1<<16)
	return string(buffer[:f.call("testTrace", uintptr(unsafe.Pointer(&buffer[0])))])
}

// arguments returns arguments of a routine that differ from each other, with addresses in the memory of the test.
func (f *fake) arguments(name string, changes map[routine.Slot]int64) *routine.Args {
	f.Helper()
	r, ok := routine.Lookup(name)
	if !ok {
		f.Fatalf("there is no routine %s", name)
	}
	a := r.New()
	for i := range r.Params {
		p := &r.Params[i]
		switch {
		case p.Kind == routine.Datatype:
			a.SetInt(p.Slot, routine.DatatypeF64)
		case p.Kind.IsEnum():
			a.SetInt(p.Slot, p.Legal()[1])
		case p.Kind == routine.Real:
			a.SetReal(p.Slot, float64(i)/2)
		case p.Kind == routine.Scalar:
			a.SetScalar(p.Slot, 2)
		case p.Slot == routine.BatchCount:
			a.SetInt(p.Slot, 2)
		case p.Kind.IsInteger():
			a.SetInt(p.Slot, int64(3+i))
		default:
			a.SetPtr(p.Slot, f.memory+uint64(4096*(i+1)))
			if p.Kind == routine.ArrayOfArrays {
				f.writePointers(driver.Ptr(a.Ptr(p.Slot)), i)
			}
		}
	}
	for slot, v := range changes {
		a.SetInt(slot, v)
	}
	return a
}

// writePointers writes the addresses of the arrays of a batch.
func (f *fake) writePointers(to driver.Ptr, parameter int) {
	f.Helper()
	var list []byte
	for b := range 12 {
		list = binary.NativeEndian.AppendUint64(list, f.memory+uint64(1+16*b+256*parameter))
	}
	if err := f.Write(f.NullStream(), to, list, driver.Row(uint64(len(list)))); err != nil {
		f.Fatal(err)
	}
}

// handlesOf returns the handles of a device.
func handlesOf(g *gpu) (h *handles, err error) {
	err = g.attempt(func() { h = g.use() })
	return h, err
}

// execute runs a call with the workspace that it needs, from offset 2048 on, and returns an error or nil.
func (f *fake) execute(a *routine.Args, onDevice bool) (driver.Needs, error) {
	f.Helper()
	for i := range a.Routine.Params {
		if p := &a.Routine.Params[i]; onDevice && p.Kind == routine.Scalar {
			a.SetPtr(p.Slot, f.memory+uint64(512+16*i))
		}
	}
	n, err := f.Needs(a)
	if err != nil {
		return n, err
	}
	l := &driver.Launch{Args: a, OnDevice: onDevice, Result: driver.Ptr(f.memory + f.results)}
	at := f.memory + 2048
	for _, b := range n.Buffers {
		l.Work = append(l.Work, driver.Work{ID: b.ID, Span: driver.Span{Ptr: driver.Ptr(at), Bytes: b.Bytes}})
		at += 256
	}
	return n, f.Execute(f.NullStream(), l)
}
