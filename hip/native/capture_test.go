//go:build linux || darwin || freebsd

package native

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
)

// captureSource has the functions of captures and graphs, which write their calls into a trace. Streams are captured
// while testBegun is not 0. Every graph has the nodes 11 to 14: a copy, which depends on an allocation, the allocation
// of 96 bytes at address 4096, a release of it, and an allocation that is not freed.
const captureSource = `
#include <stdio.h>
static char trace[1 << 12];
static size_t used;
static int begun;
static uint64_t pool[9];
int testTrace(char *to) { int n = used; memcpy(to, trace, n); used = 0; return n; }
#define TRACE(...) used += snprintf(trace + used, sizeof trace - used, __VA_ARGS__)

int testStreamBeginCapture(void *s, int mode) { CALL TRACE("begin %ld %d;", (long)s, mode); begun++; return 0; }
int testStreamEndCapture(void *s, void **g) { CALL TRACE("end %ld;", (long)s); begun--; *g = (void *)900; return 0; }
int testStreamGetCaptureInfo_v2(void *s, int *status, uint64_t *id, void *g, void *nodes, void *n) {
  CALL *status = begun > 0 && s; *id = 5; return g || nodes || n;
}
int testThreadExchangeStreamCaptureMode(int *mode) { CALL TRACE("mode %d;", *mode); *mode = 1; return 0; }
int testMemcpy(void *to, const void *from, size_t n, int kind) { CALL TRACE("memcpy %zu;", n); return 0; }
int testGraphGetNodes(void *g, void **list, size_t *n) {
  CALL for (int i = 0; list && i < 4; i++) list[i] = (void *)(intptr_t)(11 + i);
  *n = 4; return g != (void *)900;
}
int testGraphNodeGetType(void *n, int *type) {
  static const int types[] = {1, 10, 11, 10};
  CALL *type = types[(intptr_t)n - 11]; return 0;
}
int testGraphNodeGetDependencies(void *n, void **list, size_t *count) {
  static const int after[] = {12, 0, 11, 11};
  CALL int a = after[(intptr_t)n - 11];
  *count = a != 0; if (list && a) list[0] = (void *)(intptr_t)a;
  return 0;
}
int testGraphMemAllocNodeGetParams(void *n, char *p) {
  CALL *(uint64_t *)(p + 104) = 96; *(uint64_t *)(p + 112) = n == (void *)12 ? 4096 : 8192; return 0;
}
int testGraphMemFreeNodeGetParams(void *n, uint64_t *p) { CALL *p = 4096; return 0; }
int testGraphInstantiateWithFlags(void **e, void *g, uint64_t flags) {
  CALL TRACE("instantiate %ld %d;", (long)g, (int)flags); *e = (void *)901; return 0;
}
int testGraphExecDestroy(void *e) { CALL TRACE("destroy %ld;", (long)e); return 0; }
int testGraphDestroy(void *g) { CALL TRACE("destroy %ld;", (long)g); return 0; }
int testMallocManaged(void **p, size_t n, unsigned flags) {
  CALL TRACE("managed %zu %u;", n, flags); *p = malloc(n); state[LIVE]++; return 0;
}
int testMemPoolSetAttribute(void *p, int a, void *v) { CALL pool[a] = a < 4 ? *(int *)v : *(uint64_t *)v; return 0; }
int testMemPoolGetAttribute(void *p, int a, void *v) {
  CALL if (a < 4) *(int *)v = pool[a]; else *(uint64_t *)v = pool[a]; return 0;
}
`

// trace returns the calls since the last trace.
func (f *fake) trace() string {
	f.Helper()
	address, err := f.api.Library.Symbol("testTrace")
	f.must(err)
	buffer := make([]byte, 1<<12)
	n := dl.Call(address, uintptr(unsafe.Pointer(&buffer[0])))
	return string(buffer[:n])
}

func (f *fake) traced(want string) {
	f.Helper()
	if have := f.trace(); have != want {
		f.Errorf("calls %q, want %q", have, want)
	}
}

// TestCapture captures a stream and launches the graph twice.
func TestCapture(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	s, err := d.NewStream(true)
	f.must(err)
	status, _, err := d.CaptureInfo(s)
	if f.must(err); status != driver.CaptureNone {
		t.Errorf("status %d", status)
	}
	f.must(d.BeginCapture(s, driver.CaptureThreadLocal))
	f.traced("begin 501 1;")
	status, id, err := d.CaptureInfo(s)
	if f.must(err); status != driver.CaptureActive || id != 5 {
		t.Errorf("status %d, id %d", status, id)
	}
	// A captured copy to the host is not waited for, and its memory is kept.
	p, err := d.MallocAsync(s, 8)
	f.must(err)
	f.put(synced, 5)
	out := make([]byte, 8)
	all := driver.Row(uint64(len(out)))
	f.must(d.Read(s, out, p, all), d.Read(s, out, p, rowOf8), d.Write(s, p, out, all))
	f.want(synced, 5)
	f.must(d.FreeAsync(s, p), d.CheckHostCopy())
	f.traced("memcpy 0;")
	g, err := d.EndCapture(s)
	f.must(err)
	if kept := g.(*Graph).memory; len(kept) != 3 || &kept[0][0] != &out[0] || len(d.rt.captured) != 0 {
		t.Errorf("the graph keeps %v", kept)
	}
	e, err := g.Instantiate()
	f.must(err)
	f.must(e.Launch(s, nil), e.Launch(d.NullStream(), nil), e.Destroy(), g.Destroy())
	f.traced("end 501;instantiate 900 0;launch 901 501;launch 901 0;destroy 901;destroy 900;")
}

// TestNodesOfGraphs reads the nodes of a graph in the order of their dependencies, and the memory that launches
// allocate.
func TestNodesOfGraphs(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	s, err := d.NewStream(true)
	f.must(err)
	f.must(d.BeginCapture(s, driver.CaptureGlobal))
	g, err := d.EndCapture(s)
	f.must(err)
	nodes, err := g.Nodes()
	f.must(err)
	want := []driver.Node{{Type: driver.NodeMemAlloc, Ptr: 4096, Bytes: 96}, {Type: driver.NodeMemcpy, After: []int{0}},
		{Type: driver.NodeMemFree, Ptr: 4096, After: []int{1}}, {Type: driver.NodeMemAlloc, Ptr: 8192, Bytes: 96,
			After: []int{1}}}
	if !slices.EqualFunc(nodes, want, func(a, b driver.Node) bool {
		return a.Type == b.Type && a.Ptr == b.Ptr && a.Bytes == b.Bytes && slices.Equal(a.After, b.After)
	}) {
		t.Errorf("nodes %+v, want %+v", nodes, want)
	}
	e, err := g.Instantiate()
	f.must(err)
	f.must(e.Launch(s, nil))
	if !d.live[8192] || d.live[4096] {
		t.Errorf("live memory %v", d.live)
	}
	delete(d.live, 8192)
	// Open objects are destroyed at the end, and captures are ended.
	f.must(d.BeginCapture(s, driver.CaptureGlobal))
	f.trace()
	d.rt.Close()
	f.traced("end 501;destroy 900;destroy 901;destroy 900;")
}

// TestFailedCaptures checks errors: a capture that did not begin has not to be ended, and one that failed to end has
// ended unless it belongs to another stream or thread.
func TestFailedCaptures(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	s, err := d.NewStream(true)
	f.must(err)
	f.fail(driver.ErrorIllegalState, 0)
	err = d.BeginCapture(s, driver.CaptureGlobal)
	if driver.CodeOf(err) != driver.ErrorIllegalState || len(d.rt.captures) != 0 {
		t.Errorf("%v, %d captures", err, len(d.rt.captures))
	}
	for code, left := range map[driver.Error]int{driver.ErrorCaptureInvalidated: 0, driver.ErrorCaptureUnjoined: 0,
		driver.ErrorCaptureUnmatched: 1, driver.ErrorCaptureWrongThread: 1} {
		f.must(d.BeginCapture(s, driver.CaptureGlobal))
		f.fail(code, 0)
		g, err := d.EndCapture(s)
		if driver.CodeOf(err) != code || g != nil || len(d.rt.captures) != left {
			t.Errorf("%v, %v, %d captures", g, err, len(d.rt.captures))
		}
		if left == 1 {
			_, err = d.EndCapture(s)
			f.must(err)
		}
	}
	f.must(d.BeginCapture(s, driver.CaptureGlobal))
	f.must(s.Destroy())
	if len(d.rt.captures) != 0 {
		t.Error("the capture of a destroyed stream has not ended")
	}
	f.fail(driver.ErrorInvalidValue, 0)
	if _, err := (&Graph{device: d, handle: 900}).Instantiate(); driver.CodeOf(err) != driver.ErrorInvalidValue {
		t.Errorf("a graph that cannot be instantiated: %v", err)
	}
	for calls := range 11 {
		f.fail(driver.ErrorUnknown, calls)
		if _, err := (&Graph{device: d, handle: 900}).Nodes(); driver.CodeOf(err) != driver.ErrorUnknown {
			t.Errorf("nodes after %d calls: %v", calls, err)
		}
	}
	f.fail(0, 0)
}

// TestCaptureModes exchanges the mode of the thread, on which the host stays in another mode than the first.
func TestCaptureModes(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	for _, mode := range []driver.CaptureMode{driver.CaptureRelaxed, driver.CaptureThreadLocal, driver.CaptureGlobal,
		driver.CaptureGlobal} {
		before, err := d.ExchangeCaptureMode(mode)
		changed := d.rt.thread.modeChanged
		if f.must(err); before != driver.CaptureThreadLocal || changed != (mode != driver.CaptureGlobal) {
			t.Errorf("mode %d: %d before, changed %t", mode, before, changed)
		}
	}
	f.traced("mode 2;mode 1;mode 0;mode 0;")
	f.fail(driver.ErrorInvalidValue, 0)
	if _, err := d.ExchangeCaptureMode(7); driver.CodeOf(err) != driver.ErrorInvalidValue {
		t.Errorf("mode 7: %v", err)
	}
	f.must(d.rt.Close())
	f.traced("") // the mode is the initial one
}

// TestCaptureModeOfTheNextCase closes a runtime that has changed the mode of the thread.
func TestCaptureModeOfTheNextCase(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	_, err := d.ExchangeCaptureMode(driver.CaptureRelaxed)
	f.must(err, d.rt.Close())
	f.traced("mode 2;mode 0;")
}

// TestManagedMemoryAndPools allocates managed memory, copies rows, and sets attributes of the pool.
func TestManagedMemoryAndPools(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	p, err := d.MallocManaged(64)
	f.must(err)
	none, err := d.MallocManaged(0)
	if f.must(err); none != 0 {
		t.Errorf("no bytes are at %#x", none)
	}
	f.traced("managed 64 1;")
	f.must(d.Write(d.NullStream(), p, []byte(strings.Repeat("abcdefgh", 8)), driver.Row(64)))
	f.must(d.Copy(d.NullStream(), p+32, p, driver.Rows{Width: 2, Count: 3, HostPitch: 3, DevicePitch: 5}))
	out := make([]byte, 16)
	f.must(d.Read(d.NullStream(), out, p+32, driver.Row(uint64(len(out)))))
	if want := "abcdedehabghefgh"; string(out) != want {
		t.Errorf("rows are %q, want %q", out, want)
	}
	for a, value := range map[driver.PoolAttribute]uint64{driver.PoolReuseAllowOpportunistic: 1,
		driver.PoolReleaseThreshold: 1 << 40} {
		f.must(d.SetPoolAttribute(a, value))
		if have, err := d.PoolAttribute(a); have != value || err != nil {
			t.Errorf("attribute %d is %d, %v, want %d", a, have, err, value)
		}
	}
	f.must(d.Free(p))
}
