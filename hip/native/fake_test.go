//go:build linux || darwin || freebsd

package native

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"roclua/hip/dl"
	"roclua/hip/dl/dltest"
	"roclua/hip/driver"
)

// source is a C runtime with the prefix "test". Device memory is host memory, and work is done at once. A call
// returns the error that fail sets, once, after so many other calls.
const source = `
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES, ERROR, AFTER, CLEARED, LIVE, POOLED, STREAMS, EVENTS, DEVICE, SET, POOL, KEPT, SYNCED, FLAGS, KIND,
       WAITED, PEER, STATES };
static int64_t state[STATES] = {1};

int testGet(int i) { return (int)state[i]; }
int testPut(int i, int v) { state[i] = v; return 0; }

#define CALL if (state[ERROR] && state[AFTER]-- == 0) { int e = state[ERROR]; state[ERROR] = 0; return e; }

int testGetLastError(void) { state[CLEARED]++; return 0; }
int testRuntimeGetVersion(int *v) { CALL *v = 12040; return 0; }
int testGetDeviceCount(int *n) { CALL *n = state[DEVICES]; return 0; }
int testSetDevice(int d) { CALL state[DEVICE] = d; state[SET]++; return 0; }
int testDeviceGetAttribute(int *v, int number, int device) { CALL *v = 100 * number + device; return 0; }
int testDeviceCanAccessPeer(int *can, int device, int other) { CALL *can = device == 3 && other == 1; return 0; }
int testDeviceEnablePeerAccess(int device, unsigned flags) {
  CALL if (state[PEER]) return 704;
  state[PEER] = device; return 0;
}
int testDeviceDisablePeerAccess(int device) { CALL state[PEER] = 0; return 0; }
int testMemGetInfo(uint64_t *free, uint64_t *total) { CALL *free = 1000; *total = 4000 + state[DEVICE]; return 0; }
int testMalloc(void **p, size_t n) { CALL *p = malloc(n); state[LIVE]++; return 0; }
int testMallocAsync(void **p, size_t n, void *s) { CALL *p = malloc(n); state[POOLED]++; return 0; }
int testFreeAsync(void *p, void *s) { CALL free(p); state[POOLED]--; return 0; }
int testDeviceGetDefaultMemPool(void **pool, int d) { CALL *pool = (void *)(intptr_t)(70 + d); return 0; }
int testMemPoolTrimTo(void *pool, size_t keep) { CALL state[POOL] = (int64_t)pool; state[KEPT] = keep; return 0; }
int testMemcpyAsync(void *to, const void *from, size_t n, int kind, void *s) {
  CALL memcpy(to, from, n); state[KIND] = kind; return 0;
}
int testMemcpy2DAsync(char *to, size_t tp, const char *from, size_t fp, size_t w, size_t h, int kind, void *s) {
  CALL for (size_t i = 0; i < h; i++) memcpy(to + i * tp, from + i * fp, w);
  state[KIND] = kind; return 0;
}
int testMemsetAsync(void *to, int v, size_t n, void *s) { CALL memset(to, v, n); return 0; }
int testMemset2DAsync(char *to, size_t p, int v, size_t w, size_t h, void *s) {
  CALL for (size_t i = 0; i < h; i++) memset(to + i * p, v, w);
  return 0;
}
int testStreamCreateWithFlags(void **s, unsigned flags) {
  CALL state[FLAGS] = flags; *s = (void *)(intptr_t)(500 + ++state[STREAMS]); return 0;
}
int testStreamDestroy(void *s) { CALL state[STREAMS]--; return 0; }
int testStreamWaitEvent(void *s, void *e, unsigned flags) {
  CALL state[WAITED] = (int64_t)s * 1000 + (int64_t)e; return 0;
}
int testEventCreate(void **e) { CALL *e = (void *)(intptr_t)(700 + ++state[EVENTS]); return 0; }
int testEventDestroy(void *e) { CALL state[EVENTS]--; return 0; }
int testEventRecord(void *e, void *s) { CALL state[WAITED] = (int64_t)s * 1000 + (int64_t)e; return 0; }
int testEventElapsedTime(float *ms, char *from, char *to) { CALL *ms = 1.5f * (to - from); return 0; }
`

// The state of the runtime, in the order of source.
const (
	devices = iota
	failure
	after
	cleared
	live
	pooled
	streams
	events
	current
	set
	pool
	kept
	synced
	flags
	kind
	waited
	peer
)

// rowOf8 is a row with pitches.
var rowOf8 = driver.Rows{Width: 8, Count: 1, HostPitch: 8, DevicePitch: 8}

// fake is the runtime of source.
type fake struct {
	*testing.T
	api *API
}

// The test stays on its thread: how many calls of the runtime it takes to open devices depends on the current device,
// which belongs to a thread.
func newFake(t *testing.T) *fake {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	lib, err := dl.Open(dltest.Compile(t, source+captureSource+hostSource))
	if err != nil {
		t.Fatal(err)
	}
	describe := func(_ *API, device int) (string, string, error) { return fmt.Sprint("gpu ", device), "arch", nil }
	return &fake{t, &API{Library: lib, Prefix: "test", NameAndArch: describe}}
}

// call calls a function of the runtime that takes an int.
func (f *fake) call(name string, argument int) {
	f.Helper()
	address, err := f.api.Library.Symbol(name)
	f.must(err)
	dl.Call(address, uintptr(argument))
}

// get returns a part of the state.
func (f *fake) get(which int) int {
	f.Helper()
	address, err := f.api.Library.Symbol("testGet")
	if err != nil {
		f.Fatal(err)
	}
	return int(int32(dl.Call(address, uintptr(which))))
}

func (f *fake) put(which, value int) {
	f.Helper()
	address, err := f.api.Library.Symbol("testPut")
	if err != nil {
		f.Fatal(err)
	}
	dl.Call(address, uintptr(which), uintptr(value))
}

// fail makes a call fail, after so many others.
func (f *fake) fail(e driver.Error, calls int) {
	f.put(failure, int(e))
	f.put(after, calls)
}

// open opens a number of devices, which the test closes.
func (f *fake) open(count int) []*Device {
	f.Helper()
	rt, err := Open(f.api, driver.Config{Devices: count}, Plain)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { rt.Close() })
	return rt.devices
}

// must fails the test on an error.
func (f *fake) must(errs ...error) {
	f.Helper()
	if err := errors.Join(errs...); err != nil {
		f.Fatal(err)
	}
}

// want compares parts of the state.
func (f *fake) want(pairs ...int) {
	f.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if have := f.get(pairs[i]); have != pairs[i+1] {
			f.Errorf("state %d is %d, want %d", pairs[i], have, pairs[i+1])
		}
	}
}
