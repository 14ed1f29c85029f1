package hip_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/internal/randomtest"
)

func TestRegistry(t *testing.T) {
	for name, register := range map[string]func(){
		"nil driver": func() { hip.Register("none", nil) },
		"name taken": func() { hip.Register("bare", &bare{}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			register()
		}()
	}
	if have := strings.Join(hip.Platforms(), " "); have != "bare cpu keeping" {
		t.Errorf("platforms %q", have)
	}
	_, err := hip.Open("bar", driver.Config{})
	for _, words := range []string{`"bar"`, `did you mean "bare"`, "forgotten import?",
		"registered: bare, cpu, keeping"} {
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("error %v does not contain %s", err, words)
		}
	}
	*theBare = bare{err: errNoCode}
	want := "platform bare: the library is gone"
	if _, err := hip.Open("bare", driver.Config{}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}

func TestAbsentAbilitiesAreNotSupported(t *testing.T) {
	rt, _ := open(t)
	d := rt.Device()
	_, err := d.MallocAsync(64, nil)
	wantCode(t, err, driver.ErrorNotSupported)
	wantCode(t, d.FreeAsync(0, nil), driver.ErrorNotSupported)
	wantCode(t, d.TrimPool(0), driver.ErrorNotSupported)
	r, _ := routine.Lookup("rocblas_dasum")
	wantCode(t, d.Execute(nil, &driver.Launch{Args: r.New()}), driver.ErrorNotSupported)
	if d.Capabilities() != (driver.Capabilities{}) || len(rt.Hazards()) != 0 {
		t.Error("a bare platform executes or reports hazards")
	}
	if s := rt.Stats(); s.Calls["hipMallocAsync"] != 1 || s.Kernels != 0 {
		t.Errorf("stats %+v", s)
	}
}

func TestErrorsOfThePlatform(t *testing.T) {
	rt, b := open(t)
	d := rt.Device()
	p, err := d.Malloc(64)
	wantCode(t, err, driver.Success)
	q, err := d.Malloc(64)
	wantCode(t, err, driver.Success)

	b.err = driver.ErrorOutOfMemory
	_, err = d.Malloc(4096)
	if err == nil || !strings.Contains(err.Error(), "hipMalloc of 4096 bytes: device 0 has 10 of 100 bytes free") {
		t.Errorf("error %v", err)
	}
	b.err = &driver.Fault{Code: driver.ErrorOutOfMemory, Func: "cudaMalloc"}
	_, err = d.Malloc(4096)
	if err == nil || !strings.HasSuffix(err.Error(), "cudaMalloc: hipMalloc of 4096 bytes: device 0 has 10 of "+
		"100 bytes free") {
		t.Errorf("error %v", err)
	}
	b.err = errNoCode
	_, err = d.NewStream(false)
	wantCode(t, err, driver.ErrorUnknown)
	_, err = d.NewEvent()
	wantCode(t, err, driver.ErrorUnknown)
	wantCode(t, d.Free(p), driver.ErrorUnknown)
	if s := rt.Stats(); s.LiveBlocks != 2 || s.Streams != 0 || s.Events != 0 {
		t.Errorf("after failures: %+v", s)
	}
	b.err = driver.ErrorIllegalAddress // the error of an earlier kernel: the block is freed nonetheless
	wantCode(t, d.Free(q), driver.ErrorIllegalAddress)
	if s := rt.Stats(); s.LiveBlocks != 1 || s.LiveBytes != 64 {
		t.Errorf("after a fault: %+v", s)
	}
	trace := rt.Trace()
	if last := trace[len(trace)-1]; last.Name != "hipFree" || last.Result != driver.ErrorIllegalAddress {
		t.Errorf("the last call is %+v", last)
	}
}

func TestElapsedIsInMilliseconds(t *testing.T) {
	rt, _ := open(t)
	start, err := rt.Device().NewEvent()
	wantCode(t, err, driver.Success)
	stop, err := rt.Device().NewEvent()
	wantCode(t, err, driver.Success)
	wantCode(t, start.Record(nil), driver.Success)
	wantCode(t, stop.Record(nil), driver.Success)
	wantCode(t, stop.Record(nil), driver.Success)
	if ms, err := hip.Elapsed(start, stop); ms != 1.5 || err != nil {
		t.Errorf("%v ms, %v", ms, err)
	}
	if ms, err := hip.Elapsed(stop, start); ms != -1.5 || err != nil {
		t.Errorf("backwards: %v ms, %v", ms, err)
	}
}

func TestCausesNest(t *testing.T) {
	rt, _ := open(t)
	d := rt.Device()
	sync := func() { wantCode(t, d.Synchronize(), driver.Success) }
	outer := d.SetCause("create_handle", 1)
	sync()
	inner := d.SetCause("growth", 1)
	sync()
	inner()
	sync()
	outer()
	sync()
	var have []string
	for _, c := range rt.Trace() {
		have = append(have, c.Cause)
	}
	if want := "create_handle growth create_handle script"; strings.Join(have, " ") != want {
		t.Errorf("causes %v, want %s", have, want)
	}
	if s := rt.Stats(); s.Syncs["create_handle"] != 2 || s.Syncs["growth"] != 1 || s.Syncs["script"] != 1 {
		t.Errorf("synchronizations %v", s.Syncs)
	}
}

func TestTraceIsBounded(t *testing.T) {
	rt, _ := open(t)
	const calls = 300_000
	s := rt.Device().NullStream()
	for range calls {
		wantCode(t, s.Query(), driver.Success)
	}
	if n := len(rt.Trace()); n >= calls || n < 1<<17 {
		t.Errorf("the trace has %d calls", n)
	}
	if n := rt.Stats().Calls["hipStreamQuery"]; n != calls {
		t.Errorf("%d calls were counted", n)
	}
}

func TestCloseClosesOnce(t *testing.T) {
	rt, b := open(t)
	wantCode(t, rt.Close(), driver.Success)
	wantCode(t, rt.Close(), driver.Success)
	if b.closed != 1 {
		t.Errorf("the platform was closed %d times", b.closed)
	}
	wantCode(t, rt.SetDevice(0), driver.ErrorDeinitialized)
}

// TestRecordsOfRandomAllocations compares a runtime's records of its memory with a separate list.
func TestRecordsOfRandomAllocations(t *testing.T) {
	randomtest.Each(t, 5, 1000, recordsOfRandomAllocations)
}

func recordsOfRandomAllocations(t *testing.T, rng *rand.Rand, length int) {
	rt, _ := open(t)
	d := rt.Device()
	type piece struct {
		p driver.Ptr
		n uint64
	}
	var held []piece
	var bytes, peak uint64
	for range length {
		if len(held) > 0 && rng.IntN(2) == 0 {
			i := rng.IntN(len(held))
			wantCode(t, d.Free(held[i].p), driver.Success)
			wantCode(t, d.Free(held[i].p), driver.ErrorInvalidValue)
			bytes -= held[i].n
			held = append(held[:i], held[i+1:]...)
		} else {
			n := rng.Uint64N(5000)
			p, err := d.Malloc(n)
			wantCode(t, err, driver.Success)
			if n == 0 {
				continue
			}
			held = append(held, piece{p, n})
			bytes += n
			peak = max(peak, bytes)
		}
		if s := rt.Stats(); s.LiveBytes != bytes || s.PeakBytes != peak || s.LiveBlocks != len(held) {
			t.Fatalf("%+v, want %d bytes, peak %d, %d blocks", s, bytes, peak, len(held))
		}
		if len(held) > 0 {
			h := held[rng.IntN(len(held))]
			if base, n, ok := d.Allocation(h.p + driver.Ptr(rng.Uint64N(h.n))); base != h.p || n != h.n || !ok {
				t.Fatalf("the block at %#x is not known", h.p)
			}
		}
	}
	leaks := rt.Leaks()
	if len(leaks) != len(held) {
		t.Fatalf("%d leaks, want %d", len(leaks), len(held))
	}
	for i, l := range leaks {
		if l.Ptr != held[i].p || l.Bytes != held[i].n {
			t.Errorf("leak %d is %+v, want %+v", i, l, held[i])
		}
	}
}
