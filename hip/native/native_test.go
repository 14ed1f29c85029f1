//go:build linux || darwin || freebsd

package native

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

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
       WAITED, STATES };
static int64_t state[STATES] = {1};

int testGet(int i) { return (int)state[i]; }
int testPut(int i, int v) { state[i] = v; return 0; }

#define CALL if (state[ERROR] && state[AFTER]-- == 0) { int e = state[ERROR]; state[ERROR] = 0; return e; }

int testGetLastError(void) { state[CLEARED]++; return 0; }
int testRuntimeGetVersion(int *v) { CALL *v = 12040; return 0; }
int testGetDeviceCount(int *n) { CALL *n = state[DEVICES]; return 0; }
int testSetDevice(int d) { CALL state[DEVICE] = d; state[SET]++; return 0; }
int testDeviceGetAttribute(int *v, int number, int device) { CALL *v = 100 * number + device; return 0; }
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
)

// fake is the runtime of source.
type fake struct {
	*testing.T
	api *API
}

func newFake(t *testing.T) *fake {
	t.Helper()
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
	rt, err := Open(f.api, driver.Config{Devices: count})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { rt.Close() })
	return rt.Devices()
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

// TestOpen opens as many devices as a configuration requests.
func TestOpen(t *testing.T) {
	f := newFake(t)
	f.put(devices, 2)
	for requested, want := range map[int]int{0: 2, 1: 1, 2: 2} {
		if list := f.open(requested); len(list) != want || list[want-1].Index() != want-1 {
			t.Errorf("%d devices are open, want %d", len(list), want)
		}
	}
	for _, test := range []struct {
		devices, requested int
		failure            driver.Error
		calls              int
		code               driver.Error
		text               string
	}{
		{2, 3, 0, 0, driver.ErrorNoDevice, "3 devices were requested, there are 2"},
		{0, 0, 0, 0, driver.ErrorNoDevice, "finds no device"},
		{2, 0, driver.ErrorNoDevice, 0, driver.ErrorNoDevice, "finds no device"},
		{2, 0, driver.ErrorNotInitialized, 0, driver.ErrorNotInitialized, "testGetDeviceCount"},
		{1, 0, driver.ErrorOutOfMemory, 1, driver.ErrorOutOfMemory, "testMemGetInfo"},
		{2, 0, driver.ErrorOutOfMemory, 2, driver.ErrorOutOfMemory, "testMemGetInfo"},
	} {
		f.put(devices, test.devices)
		f.fail(test.failure, test.calls)
		_, err := Open(f.api, driver.Config{Devices: test.requested})
		if driver.CodeOf(err) != test.code || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%+v: %v", test, err)
		}
	}
	f.api.NameAndArch = func(*API, int) (string, string, error) { return "", "", driver.ErrorUnknown }
	if _, err := Open(f.api, driver.Config{}); driver.CodeOf(err) != driver.ErrorUnknown {
		t.Errorf("a device without a name: %v", err)
	}
}

// TestProperties reads the properties of devices, with the numbers of HIP and with others.
func TestProperties(t *testing.T) {
	f := newFake(t)
	f.put(devices, 2)
	d := f.open(2)[1]
	want := driver.Properties{Name: "gpu 1", Arch: "arch", MemoryBytes: 4001,
		WarpSize:            100*int(driver.AttributeWarpSize) + 1,
		Multiprocessors:     100*int(driver.AttributeMultiprocessorCount) + 1,
		MaxThreadsPerBlock:  100*int(driver.AttributeMaxThreadsPerBlock) + 1,
		ClockKHz:            100*int(driver.AttributeClockRate) + 1,
		SharedMemPerBlock:   uint64(100*int(driver.AttributeMaxSharedMemoryPerBlock) + 1),
		MemoryPoolSupported: true}
	if have := d.Properties(); have != want {
		t.Errorf("properties %+v, want %+v", have, want)
	}
	if v, err := d.Attribute(driver.AttributeTotalGlobalMem); v != 4001 || err != nil {
		t.Errorf("the memory is %d bytes, %v", v, err)
	}
	free, total, err := d.MemInfo()
	if free != 1000 || total != 4001 || err != nil {
		t.Errorf("%d of %d bytes are free, %v", free, total, err)
	}
	if v, err := f.api.Version(); v != 12040 || err != nil {
		t.Errorf("version %d, %v", v, err)
	}
	f.api.Attribute = func(a driver.Attribute) (int, bool) { return 7, a == driver.AttributeWarpSize }
	if v, err := d.Attribute(driver.AttributeWarpSize); v != 701 || err != nil {
		t.Errorf("a translated attribute is %d, %v", v, err)
	}
	if _, err := d.Attribute(driver.AttributeClockRate); driver.CodeOf(err) != driver.ErrorInvalidValue {
		t.Errorf("an unknown attribute: %v", err)
	}
	f.api.Attribute = func(driver.Attribute) (int, bool) { return 0, true }
	if d := f.open(1)[0]; d.Properties().MemoryPoolSupported {
		t.Error("a pool is supported when its attribute is 0")
	}
}

// TestErrors checks how error numbers are translated, and that an error is cleared once.
func TestErrors(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	for number, want := range map[driver.Error]string{
		driver.ErrorOutOfMemory: "testDeviceSynchronize", driver.ErrorIllegalAddress: "testDeviceSynchronize",
		driver.ErrorNotReady: "", 998: "testDeviceSynchronize: error 998",
	} {
		f.put(cleared, 0)
		f.fail(number, 0)
		code, clears := number, 1
		switch number {
		case 998:
			code = driver.ErrorUnknown
		case driver.ErrorNotReady:
			clears = 0
		}
		if err := d.Synchronize(); driver.CodeOf(err) != code || !strings.Contains(err.Error(), want) {
			t.Errorf("error %d is %v, want %q", number, err, want)
		}
		f.want(cleared, clears)
	}
	f.must(d.Synchronize())
	if err := f.api.Call("Frobnicate"); driver.CodeOf(err) != driver.ErrorNotSupported {
		t.Errorf("an unknown function: %v", err)
	}
	if err := f.api.call(&symbol{}, "Frobnicate"); driver.CodeOf(err) != driver.ErrorNotSupported {
		t.Errorf("an unknown function: %v", err)
	}
	f.must(f.api.Call("SetDevice", 1))
	f.want(current, 1)
	for text, want := range map[string]string{"ab\x00c": "ab", "abc": "abc", "": "", "\x00": ""} {
		if have := CString([]byte(text)); have != want {
			t.Errorf("%q is the string %q", text, have)
		}
	}
}

// TestMemory copies and fills memory, of no bytes too.
func TestMemory(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	s := d.NullStream()
	p, err1 := d.Malloc(16)
	q, err2 := d.MallocAsync(s, 16)
	f.must(err1, err2)
	f.want(live, 1, pooled, 1)
	in, out := []byte("0123456789abcdef"), make([]byte, 16)
	f.must(d.Write(s, p, in), d.Copy(s, q, p, 16), d.Fill(s, q+4, 'x', 2))
	f.put(synced, 5)
	f.must(d.Read(s, out, q))
	f.want(kind, copyDefault, synced, 0)
	if string(out) != "0123xx6789abcdef" {
		t.Errorf("read %q", out)
	}
	rows := driver.Rows{Width: 2, Count: 3, HostPitch: 3, DevicePitch: 5}
	f.must(d.WriteRows(s, q, []byte("AB-CD-EF-"), rows), d.Clear2D(s, q+2, 5, 1, 2), d.Copy2D(s, q+14, 1, p, 2, 1, 2))
	f.put(synced, 5)
	f.must(d.Read(s, out, q))
	if want := "AB\x003xCD\x0089EFcd02"; string(out) != want {
		t.Errorf("rows are %q, want %q", out, want)
	}
	back := bytes.Repeat([]byte("."), 9)
	f.put(synced, 5)
	f.must(d.ReadRows(s, back, q, rows))
	f.want(synced, 0)
	if string(back) != "AB.CD.EF." {
		t.Errorf("read rows %q", back)
	}
	// Calls with no bytes do not reach the runtime.
	f.fail(driver.ErrorUnknown, 0)
	none, err1 := d.Malloc(0)
	noneAsync, err2 := d.MallocAsync(s, 0)
	f.must(err1, err2, d.Write(s, p, nil), d.Read(s, nil, p), d.Copy(s, p, q, 0), d.Fill(s, p, 1, 0), d.FreeAsync(s, 0))
	if none != 0 || noneAsync != 0 {
		t.Errorf("allocations of no bytes are at %d and %d", none, noneAsync)
	}
	f.fail(0, 0)
	f.must(d.Free(p), d.FreeAsync(s, q), d.TrimPool(9))
	f.want(live, 0, pooled, 0, pool, 70, kept, 9)
}

// TestFailedMemory checks that a failed call changes nothing, and that a failed copy is not waited for.
func TestFailedMemory(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	s := d.NullStream()
	p, err := d.Malloc(8)
	q, err2 := d.MallocAsync(s, 8)
	f.must(err, err2)
	out := make([]byte, 8)
	f.put(synced, 5)
	for name, do := range map[string]func() error{
		"Malloc":      func() error { p, err := d.Malloc(8); return zero(p, err) },
		"MallocAsync": func() error { p, err := d.MallocAsync(s, 8); return zero(p, err) },
		"Free":        func() error { return d.Free(p) },
		"FreeAsync":   func() error { return d.FreeAsync(s, q) },
		"Read":        func() error { return d.Read(s, out, p) },
		"ReadRows":    func() error { return d.ReadRows(s, out, p, driver.Rows{Width: 8, Count: 1}) },
		"TrimPool":    func() error { return d.TrimPool(0) },
		"NewStream":   func() error { s, err := d.NewStream(false); return isNil(s == nil, err) },
		"NewEvent":    func() error { e, err := d.NewEvent(); return isNil(e == nil, err) },
	} {
		f.fail(driver.ErrorLaunchFailure, 0)
		if err := do(); driver.CodeOf(err) != driver.ErrorLaunchFailure {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.want(live, 1, pooled, 1, synced, 5)
	f.must(d.Free(p), d.FreeAsync(s, q))
}

// zero returns an error if the result of a failed allocation is not 0.
func zero(p driver.Ptr, err error) error { return isNil(p == 0, err) }

func isNil(isNil bool, err error) error {
	if !isNil {
		return errors.New("a failed call has a result")
	}
	return err
}

// TestClose frees what a case left open, and returns the first error.
func TestClose(t *testing.T) {
	f := newFake(t)
	for _, test := range []struct {
		calls   int // before the one that fails; -1 for none
		trimmed bool
	}{{-1, true}, {1, false}} {
		rt, err := Open(f.api, driver.Config{Devices: 1})
		f.must(err)
		d := rt.Devices()[0]
		_, err1 := d.Malloc(8)
		_, err2 := d.MallocAsync(d.NullStream(), 8)
		_, err3 := d.NewStream(true)
		_, err4 := d.NewEvent()
		f.must(err1, err2, err3, err4)
		f.want(live, 1, pooled, 1, streams, 1, events, 1)
		f.put(pool, 0)
		if test.calls == 1 {
			f.fail(driver.ErrorLaunchFailure, 0)
		}
		if err := rt.Close(); (err == nil) != test.trimmed {
			t.Errorf("closing: %v", err)
		}
		f.want(live, 0, pooled, 0, streams, 0, events, 0)
		if have := f.get(pool) != 0; have != test.trimmed {
			t.Errorf("the pool is trimmed: %t", have)
		}
		f.fail(driver.ErrorLaunchFailure, 0)
		f.must(rt.Close())
		f.fail(0, 0)
	}
	// An error of freeing is returned, too.
	f.put(devices, 2)
	rt, err := Open(f.api, driver.Config{Devices: 2})
	f.must(err)
	_, err = rt.Devices()[0].Malloc(8)
	f.must(err)
	f.fail(driver.ErrorIllegalAddress, 3) // after SetDevice, DeviceSynchronize, SetDevice
	if err := rt.Close(); driver.CodeOf(err) != driver.ErrorIllegalAddress {
		t.Errorf("an error of freeing: %v", err)
	}
}

// TestStreamsAndEvents checks the handles that calls pass.
func TestStreamsAndEvents(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	a, err1 := d.NewStream(false)
	f.want(flags, 0)
	b, err2 := d.NewStream(true)
	f.want(flags, 1)
	first, err3 := d.NewEvent()
	last, err4 := d.NewEvent()
	f.must(err1, err2, err3, err4)
	if a.ID() != 1 || b.ID() != 2 || a.(*Stream).Handle() != 501 || d.NullStream().ID() != 0 {
		t.Errorf("streams %d and %d with the handle %d", a.ID(), b.ID(), a.(*Stream).Handle())
	}
	f.must(first.Record(a))
	f.want(waited, 501701)
	f.must(b.WaitEvent(first))
	f.want(waited, 502701)
	f.must(b.Synchronize())
	f.want(synced, 502)
	f.must(last.Synchronize(), a.Query(), first.Query())
	f.want(synced, 702)
	if took, err := last.Since(first); took != 1500*time.Microsecond || err != nil {
		t.Errorf("the time between events is %s, %v", took, err)
	}
	f.fail(driver.ErrorNotReady, 0)
	if err := a.Query(); err != driver.ErrorNotReady {
		t.Errorf("a query of a busy stream: %v", err)
	}
	f.must(a.Destroy(), b.Destroy(), first.Destroy(), last.Destroy())
	f.want(streams, 0, events, 0)
}

// TestCurrentDevice checks that calls choose their device when there are several.
func TestCurrentDevice(t *testing.T) {
	f := newFake(t)
	only := f.open(1)[0]
	f.must(only.Synchronize())
	f.want(set, 0)
	f.put(devices, 2)
	two := f.open(2)
	f.put(set, 0)
	f.must(two[1].Synchronize())
	f.want(set, 1, current, 1)
	first := f.open(1)[0] // the thread has the other device
	f.want(current, 0)
	f.must(two[1].Synchronize(), first.Synchronize())
	f.want(current, 0)
	f.must(two[0].WithDevice(func() error { f.want(current, 0); return nil }))
	f.fail(driver.ErrorInvalidDevice, 0)
	err := two[1].WithDevice(func() error { t.Error("the call runs on another device"); return nil })
	if driver.CodeOf(err) != driver.ErrorInvalidDevice {
		t.Errorf("a device that cannot be chosen: %v", err)
	}
	f.must(two[1].TrimPool(3))
	f.want(pool, 71, kept, 3)
}
