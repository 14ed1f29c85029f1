//go:build linux || darwin || freebsd

package nvidia

import (
	"encoding/binary"
	"sync/atomic"
	"testing"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/dl/dltest"
	"roclua/hip/driver"
	"roclua/hip/native"
	"roclua/hip/routine"
)

// source is CUDA's runtime on host memory, and functions of cuBLAS and cuSOLVER that only write their arguments into a
// trace. Addresses in the memory that tests use are written as offsets, and other addresses as *.
const source = `
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char memory[1 << 17], trace[1 << 16];
static size_t used;
static int failing, major = 9;

int testMemory(char **p) { *p = memory; return 0; }
int testTrace(char *to) { int n = used; memcpy(to, trace, n); used = 0; return n; }
int testFail(int status) { failing = status; return 0; }
int testMajor(int v) { major = v; return 0; }

static int record(const char *name, int n, const int64_t *v) {
  used += snprintf(trace + used, sizeof trace - used, "%s", name);
  for (int i = 0; i < n; i++) {
    if (v[i] >= (int64_t)memory && v[i] < (int64_t)memory + sizeof memory)
      used += snprintf(trace + used, sizeof trace - used, " @%ld", (long)(v[i] - (int64_t)memory));
    else if (v[i] > 1L << 32 || v[i] < -(1L << 32))
      used += snprintf(trace + used, sizeof trace - used, " *");
    else
      used += snprintf(trace + used, sizeof trace - used, " %ld", (long)v[i]);
  }
  trace[used++] = '\n';
  int status = failing;
  failing = 0;
  return status;
}

#define W int64_t
#define F(name, n, more) int name(W a, W b, W c, W d, W e, W f, W g, W h, W i, W j, W k, W l, W m, W o, W p, W q, W r, \
  W s, W t, W u) { W v[] = {a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u}; \
  int status = record(#name, n, v); if (!status) { more } return status; }

int cudaGetLastError(void) { return 0; }
int cudaRuntimeGetVersion(int *v) { *v = 12040; return 0; }
int cudaGetDeviceCount(int *n) { *n = 1; return 0; }
int cudaDeviceSynchronize(void) { return 0; }
int cudaDeviceGetAttribute(int *v, int number, int device) { *v = number == 75 ? major : 0; return 0; }
int cudaMemGetInfo(uint64_t *free, uint64_t *total) { *free = *total = 4096; return 0; }
int cudaGetDeviceProperties(char *p, int d) { strcpy(p, "fake"); return 0; }
int cudaStreamSynchronize(void *s) { return 0; }
int cudaStreamCreateWithFlags(void **s, unsigned flags) { *s = (void *)77; return 0; }
int cudaStreamDestroy(void *s) { return 0; }
int cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, void *s) { memcpy(to, from, n); return 0; }
F(cudaMemsetAsync, 4, ) F(cudaMemcpy2DAsync, 8, ) F(cudaMemset2DAsync, 6, )

F(cublasCreate_v2, 0, *(W *)a = 1;) F(cusolverDnCreate, 0, *(W *)a = 2;)
F(cublasSetStream_v2, 2, ) F(cublasSetWorkspace_v2, 3, ) F(cublasSetPointerMode_v2, 2, ) F(cusolverDnSetStream, 2, )
F(cublasGetProperty, 1, *(int *)b = 12 + a;) F(cusolverGetProperty, 1, *(int *)b = 11 + a;)

F(cublasDasum_v2, 5, ) F(cublasDgemm_v2, 14, ) F(cublasDgemm_v2_64, 14, ) F(cublasDgemmBatched, 15, )
F(cublasDgemmStridedBatched, 18, ) F(cublasHgemm, 14, ) F(cublasDsyrk_v2, 11, ) F(cublasDgemv_v2, 12, )
F(cublasDtrsm_v2, 12, ) F(cublasZtrsm_v2, 12, ) F(cublasDcopy_v2, 6, ) F(cublasGemmEx, 19, ) F(cublasGemmEx_64, 19, )
F(cublasDotEx, 11, ) F(cublasNrm2Ex, 8, )
F(cublasDgetrfBatched, 7, ) F(cublasDgetrsBatched, 11, )
F(cusolverDnDgetrf, 8, ) F(cusolverDnDgetrs, 10, ) F(cusolverDnDpotrf, 8, ) F(cusolverDnDpotrs, 9, )
F(cusolverDnDpotrfBatched, 7, ) F(cusolverDnDgeqrf, 9, ) F(cusolverDnXtrtri, 11, )
F(cusolverDnDgetrf_bufferSize, 5, *(int *)f = 40;) F(cusolverDnDpotrf_bufferSize, 5, *(int *)f = 40;)
F(cusolverDnDgeqrf_bufferSize, 5, *(int *)f = 40;)
F(cusolverDnXtrtri_bufferSize, 7, *(W *)h = 64; *(W *)i = 3;)
`

// fake is a device of source.
type fake struct {
	*testing.T
	*device
	lib    *dl.Library
	memory uint64
}

func newFake(t *testing.T) *fake {
	t.Helper()
	lib, err := dl.Open(dltest.Compile(t, source))
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{T: t, lib: lib}
	libs := &libraries{api: newAPI(lib), cublas: &library{lib: lib, statuses: cublasStatuses},
		cusolver: &library{lib: lib, statuses: cusolverStatuses}, functions: make([]atomic.Uintptr, routine.Count())}
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
	rt, err := native.Open(libs.api, driver.Config{})
	if err != nil {
		f.Fatal(err)
	}
	return &device{Device: rt.Devices()[0], libs: libs, scalars: new([2][16]byte)}
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
			a.SetInt(p.Slot, routine.Legal(p.Kind)[1])
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
	if err := f.Write(f.NullStream(), to, list); err != nil {
		f.Fatal(err)
	}
}

// execute runs a call with the workspace that it needs, from offset 2048 on, and returns an error or nil.
func (f *fake) execute(a *routine.Args, onDevice bool) (driver.Needs, error) {
	f.Helper()
	n, err := f.Needs(a)
	if err != nil {
		return n, err
	}
	l := &driver.Launch{Args: a, OnDevice: onDevice, Result: driver.Ptr(f.memory + 1024)}
	at := f.memory + 2048
	for _, b := range n.Buffers {
		l.Work = append(l.Work, driver.Work{ID: b.ID, Span: driver.Span{Ptr: driver.Ptr(at), Bytes: b.Bytes}})
		at += 256
	}
	return n, f.Execute(f.NullStream(), l)
}
