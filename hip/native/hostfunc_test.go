//go:build linux || darwin || freebsd

package native

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roclua/hip/driver"
)

// hostSource calls functions of streams in a thread, in the order of their launches. Synchronous calls return when all
// functions have returned. A graph that is launched while testNodes is not 0 calls the last captured function testNodes
// times and waits for it, as CUDA does if a copy follows to memory that is not locked. With testBroken set, the device
// has an error: queries return it and functions are not called. Nor are functions called before testHold queries were
// made.
const hostSource = `
#include <pthread.h>
static struct { void (*fn)(void *); void *data; } called[1 << 12];
static volatile int first, last, nodes, broken, held;
static void *captured_data;
static void (*captured_fn)(void *);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static void *work(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (first == last || broken || held) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    called[first % (1 << 12)].fn(called[first % (1 << 12)].data);
    pthread_mutex_lock(&mutex);
    first++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
  }
}
static int add(void (*fn)(void *), void *data) {
  static int started;
  pthread_t thread;
  if (!started++) pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&mutex);
  called[last % (1 << 12)].fn = fn, called[last % (1 << 12)].data = data;
  last++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}
static void finish(void) {
  pthread_mutex_lock(&mutex);
  while (first != last && !broken) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}
static int query(void) {
  pthread_mutex_lock(&mutex);
  held -= held > 0;
  int busy = first != last;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return broken ? broken : busy ? 600 : 0;
}
int testHold(int queries) { held = queries; return 0; }
int testNodes(int n) { nodes = n; return 0; }
int testBroken(int code) {
  pthread_mutex_lock(&mutex);
  broken = code, first = last;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int testLaunchHostFunc(void *s, void (*fn)(void *), void *data) {
  CALL if (begun && s) { captured_fn = fn; captured_data = data; TRACE("function;"); return 0; }
  return add(fn, data);
}
int testStreamQuery(void *s) { CALL return query(); }
int testEventQuery(void *e) { CALL return query(); }
int testStreamSynchronize(void *s) { CALL finish(); state[SYNCED] = (int64_t)s; return broken; }
int testEventSynchronize(void *e) { CALL finish(); state[SYNCED] = (int64_t)e; return broken; }
int testDeviceSynchronize(void) { CALL finish(); return broken; }
int testFree(void *p) { CALL finish(); free(p); state[LIVE] -= p != 0; return 0; }
int testGraphLaunch(void *e, void *s) {
  CALL TRACE("launch %ld %ld;", (long)e, (long)s);
  for (int i = 0; i < nodes; i++) add(captured_fn, captured_data);
  if (nodes) finish();
  return 0;
}
`

// TestHostFunctions runs functions on the goroutine of the host before each call that waits for the device.
func TestHostFunctions(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	s, err := d.NewStream(true)
	e, err2 := d.NewEvent()
	p, err3 := d.Malloc(8)
	f.must(err, err2, err3)
	buffer := make([]byte, 8)
	var ran []string
	launch := func(name string) { // a data race unless the function runs in this goroutine
		f.must(d.LaunchHostFunc(s, func(driver.Site) { ran = append(ran, name) }))
	}
	for name, wait := range map[string]func() error{
		"stream": s.Synchronize, "event": e.Synchronize, "device": d.Synchronize,
		"read":    func() error { return d.Read(s, buffer, p, driver.Row(uint64(len(buffer)))) },
		"write":   func() error { return d.Write(s, p, buffer, driver.Row(uint64(len(buffer)))) },
		"rows":    func() error { return d.Read(s, buffer, p, rowOf8) },
		"library": func() error { return d.WithDevice(func() error { return nil }) },
		"query": func() error {
			for {
				if err := s.Query(); err != driver.ErrorNotReady {
					return err
				}
			}
		},
		"event query": func() error {
			for {
				if err := e.Query(); err != driver.ErrorNotReady {
					return err
				}
			}
		},
		"free": func() error { q, err := d.Malloc(8); f.must(err); launch("more"); return d.Free(q) },
	} {
		ran = nil
		launch("a")
		f.must(d.Fill(s, p, 1, 8), e.Record(s))
		launch("b")
		f.must(wait())
		want := []string{"a", "b"}
		if name == "free" {
			want = append(want, "more")
		}
		if !slices.Equal(ran, want) {
			t.Errorf("%s: %q have run", name, ran)
		}
	}
	f.must(s.Synchronize())
	if n := len(hostFunctions.byNumber); n != 0 {
		t.Errorf("%d functions are registered after they have run", n)
	}
	// Many calls that queue work do not fill a queue behind a function.
	ran = nil
	launch("first")
	for range maxQueued + 1 {
		f.must(d.Fill(s, p, 1, 8))
	}
	if len(ran) != 1 {
		t.Errorf("%q have run", ran)
	}
	// A stream that is destroyed and a runtime that is closed do not wait for functions.
	launch("destroyed")
	f.must(s.Destroy())
	if len(ran) != 2 {
		t.Errorf("%q have run", ran)
	}
	f.must(d.LaunchHostFunc(d.NullStream(), func(driver.Site) { t.Error("it runs after the end") }), d.rt.Close())
}

// TestQueriesDoNotWait makes many queries before a function is called.
func TestQueriesDoNotWait(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	s := d.NullStream()
	e, err := d.NewEvent()
	f.must(err)
	f.call("testHold", 4*maxQueued+1)
	ran := false
	f.must(d.LaunchHostFunc(s, func(driver.Site) { ran = true }), e.Record(s))
	for range 2 * maxQueued {
		for what, query := range map[string]func() error{"stream": s.Query, "event": e.Query} {
			if err := query(); driver.CodeOf(err) != driver.ErrorNotReady || ran {
				t.Fatalf("%s: %v, the function has run: %t", what, err, ran)
			}
		}
	}
	if f.must(s.Synchronize()); !ran {
		t.Error("the function has not run")
	}
}

// TestCapturedHostFunctions runs a captured function in each launch.
func TestCapturedHostFunctions(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	s, err := d.NewStream(true)
	f.must(err)
	var ran []string
	f.must(d.BeginCapture(s, driver.CaptureThreadLocal))
	f.must(d.LaunchHostFunc(s, func(at driver.Site) { ran = append(ran, "captured"+at.Call) }))
	other := d.NullStream()
	f.must(d.LaunchHostFunc(other, func(driver.Site) { ran = append(ran, "other") }), other.Synchronize())
	g, err := d.EndCapture(s)
	f.must(err)
	calls := f.trace() // with as many queries in the relaxed mode as it took
	if !strings.HasPrefix(calls, "begin 501 1;function;mode 2;mode 1;") || fmt.Sprint(ran) != "[other]" {
		t.Errorf("%q have run, calls %s", ran, calls)
	}
	for _, types := range [][]driver.NodeType{{driver.NodeHost}, {driver.NodeMemcpy, driver.NodeGraph}} {
		var nodes []driver.Node
		for _, n := range types {
			nodes = append(nodes, driver.Node{Type: n})
		}
		if !callsHost(nodes) {
			t.Errorf("a graph with %v calls no functions", types)
		}
	}
	g.(*Graph).callsHost = true
	exec, err := g.Instantiate()
	f.must(err)
	f.call("testNodes", 2)
	ran = nil
	f.must(exec.Launch(s, nil), exec.Launch(s, nil), s.Synchronize())
	f.call("testNodes", 0)
	if fmt.Sprint(ran) != "[captured captured captured captured]" {
		t.Errorf("%q have run", ran)
	}
	f.must(d.rt.Close())
	if n := len(hostFunctions.byNumber); n != 0 {
		t.Errorf("%d functions are registered after the end", n)
	}
}

// TestLostHostFunctions does not wait for functions that the runtime does not call after an error of the device, and
// forgets one that could not be queued.
func TestLostHostFunctions(t *testing.T) {
	f := newFake(t)
	d := f.open(1)[0]
	s := d.NullStream()
	f.call("testBroken", int(driver.ErrorIllegalAddress))
	f.must(d.LaunchHostFunc(s, func(driver.Site) { t.Error("it runs on a broken device") }))
	if err := s.Synchronize(); driver.CodeOf(err) != driver.ErrorIllegalAddress {
		t.Errorf("a wait for a broken device: %v", err)
	}
	f.call("testBroken", 0)
	before := len(hostFunctions.byNumber)
	f.fail(driver.ErrorInvalidHandle, 0)
	if err := d.LaunchHostFunc(s, func(driver.Site) {}); driver.CodeOf(err) != driver.ErrorInvalidHandle {
		t.Errorf("a function that is not queued: %v", err)
	}
	if n := len(hostFunctions.byNumber); n != before || len(d.rt.hosts.streams) != 0 {
		t.Errorf("%d functions are registered, %d before", n, before)
	}
}
