package hip_test

import (
	"fmt"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/trace"
)

// openCPU starts a runtime of simulated devices, which detect wrong uses of memory.
func openCPU(t *testing.T, devices int) *hip.Runtime {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Devices: devices, MemoryBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	return rt
}

// TestWaits checks which calls are recorded as synchronizing: calls for no bytes are not.
func TestWaits(t *testing.T) {
	rt, _ := open(t)
	d := rt.Device()
	p, err := d.Malloc(64)
	wantCode(t, err, driver.Success)
	_, err = d.Malloc(0)
	wantCode(t, err, driver.Success)
	wantCode(t, d.Fill(p, 0, 64), driver.Success)
	wantCode(t, d.Fill(p, 0, 0), driver.Success)
	wantCode(t, d.Free(0), driver.Success)
	wantCode(t, d.Free(p+8), driver.ErrorInvalidValue)
	wantCode(t, d.Free(p), driver.Success)
	want := []bool{true, false, true, false, false, false, true}
	for i, c := range rt.Trace() {
		if c.Synchronizing != want[i] {
			t.Errorf("call %d, %s of %d bytes, waits: %v", i+1, c.Name, c.Bytes, c.Synchronizing)
		}
	}
}

// TestAddresses checks the messages about addresses at and next to the ends of blocks.
func TestAddresses(t *testing.T) {
	rt, _ := open(t)
	d := rt.Device()
	p, err := d.Malloc(64)
	wantCode(t, err, driver.Success)
	for offset, want := range map[driver.Ptr]string{8: "is 8 bytes inside a block of 64 bytes allocated by hipMalloc",
		63: "is 63 bytes inside", 64: "is not an address of device memory"} {
		if err := d.Free(p + offset); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("at %d: %v, want %s", offset, err, want)
		}
	}
	for offset, want := range map[driver.Ptr]bool{0: true, 63: true, 64: false} {
		if base, _, ok := d.Allocation(p + offset); ok != want || ok && base != p {
			t.Errorf("at %d: a block at %#x, %v", offset, base, ok)
		}
	}
	if _, _, ok := d.Allocation(p - 1); ok {
		t.Error("a block before the first one")
	}
	wantCode(t, d.Free(p), driver.Success)
	for offset, want := range map[driver.Ptr]string{0: "was in a block of 64 bytes", 63: "already freed by hipFree",
		64: "is not an address of device memory"} {
		if err := d.Free(p + offset); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("freed, at %d: %v, want %s", offset, err, want)
		}
	}
}

// TestFreedBlocksAreBounded checks how many freed blocks are remembered: after 4096 the older half is dropped.
func TestFreedBlocksAreBounded(t *testing.T) {
	rt, _ := open(t)
	d := rt.Device()
	var blocks []driver.Ptr
	free := func(n int) {
		for range n {
			p, err := d.Malloc(64)
			wantCode(t, err, driver.Success)
			wantCode(t, d.Free(p), driver.Success)
			blocks = append(blocks, p)
		}
	}
	remembers := func(i int) bool { return strings.Contains(d.Free(blocks[i]).Error(), "already freed") }
	free(4096)
	if !remembers(0) {
		t.Error("the first of 4096 freed blocks is forgotten")
	}
	free(1)
	for i, want := range map[int]bool{0: false, 2047: false, 2048: true, 4096: true} {
		if remembers(i) != want {
			t.Errorf("block %d of 4097 is remembered: %v", i, !want)
		}
	}
}

// TestTraceAfterItsLimit checks that calls are neither lost nor returned again when old ones are dropped.
func TestTraceAfterItsLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("it records a million calls")
	}
	const limit = 1 << 18
	for _, drained := range []int{1000, limit/2 + 1000} {
		rt, _ := open(t)
		s := rt.Device().NullStream()
		call := func(n int) {
			for range n {
				wantCode(t, s.Query(), driver.Success)
			}
		}
		call(drained)
		if n := len(rt.Trace()); n != drained {
			t.Errorf("%d calls, want %d", n, drained)
		}
		call(limit - drained)
		if n := len(rt.History().Calls); n != limit {
			t.Errorf("%d calls are kept, want %d", n, limit)
		}
		call(1)
		if n := len(rt.History().Calls); n != limit/2+1 {
			t.Errorf("%d calls are kept after one more, want %d", n, limit/2+1)
		}
		if have, want := len(rt.Trace()), min(limit+1-drained, limit/2+1); have != want {
			t.Errorf("after %d calls were returned: %d more, want %d", drained, have, want)
		}
		if n := len(rt.Trace()); n != 0 {
			t.Errorf("%d calls are returned again", n)
		}
	}
}

// TestInjectedFaultsAreBounded checks that the first 32 injected failures are kept and all are counted.
func TestInjectedFaultsAreBounded(t *testing.T) {
	rt, _ := open(t)
	rt.SetFaults(func(*trace.Call) string { return "each" })
	for n := 1; n <= 34; n++ {
		_, err := rt.Device().Malloc(uint64(n))
		wantCode(t, err, driver.ErrorOutOfMemory)
		if have := len(rt.Recorder().Faults()); have != min(n, 32) || rt.Stats().Injected != n {
			t.Errorf("after %d failures: %d kept, %d counted", n, have, rt.Stats().Injected)
		}
	}
}

func TestDevices(t *testing.T) {
	rt := openCPU(t, 2)
	for i, want := range map[int]driver.Error{-1: driver.ErrorInvalidDevice, 2: driver.ErrorInvalidDevice} {
		err := rt.SetDevice(i)
		wantCode(t, err, want)
		text := fmt.Sprintf("there is no device %d, the devices are 0 to 1", i)
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("device %d: %v, want %s", i, err, text)
		}
	}
	first := rt.Device()
	wantCode(t, rt.SetDevice(1), driver.Success)
	second := rt.Device()
	wantCode(t, rt.SetDevice(0), driver.Success)
	if first == second || rt.Device() != first {
		t.Error("device 0 and 1 are not two devices")
	}
	if a, b := first.NewHandleNumber(), second.NewHandleNumber(); a != 1 || b != 2 {
		t.Errorf("handles %d and %d, want 1 and 2", a, b)
	}

	var calls []string
	rt.SetWatcher(func(s driver.Site) { calls = append(calls, s.Call) })
	second.NotifyCall("rocblas_create_handle")
	r, _ := routine.Lookup("rocblas_dasum")
	launch := &driver.Launch{Args: r.New()}
	err := first.Execute(second.NullStream(), launch)
	wantCode(t, err, driver.ErrorInvalidHandle)
	if err == nil || !strings.Contains(err.Error(), "rocblas_dasum on device 0 was given stream 0 of device 1") {
		t.Error(err)
	}
	launch.Args.SetInt(routine.Result, routine.Host)
	wantCode(t, first.Execute(nil, launch), driver.Success)
	if have := strings.Join(calls, " "); have != "rocblas_create_handle rocblas_dasum" {
		t.Errorf("watched %s", have)
	}
	rt.SetWatcher(nil)
	second.NotifyCall("rocblas_create_handle")
	if n := rt.Stats().Kernels; n != 1 || len(calls) != 2 {
		t.Errorf("%d kernels, want 1; watched %s", n, calls)
	}
}

func TestDestruction(t *testing.T) {
	rt, b := open(t)
	d := rt.Device()
	stream, err := d.NewStream(false)
	wantCode(t, err, driver.Success)
	event, err := d.NewEvent()
	wantCode(t, err, driver.Success)
	wantCode(t, d.NullStream().Destroy(), driver.ErrorInvalidHandle)
	b.err = errNoCode
	wantCode(t, stream.Destroy(), driver.ErrorUnknown)
	wantCode(t, event.Destroy(), driver.ErrorUnknown)
	if s := rt.Stats(); stream.Destroyed() || s.Streams != 1 || s.Events != 1 {
		t.Errorf("after failures: %+v", s)
	}
	b.err = nil
	wantCode(t, stream.Destroy(), driver.Success)
	wantCode(t, event.Destroy(), driver.Success)
	if s := rt.Stats(); !stream.Destroyed() || s.Streams != 0 || s.Events != 0 {
		t.Errorf("after destruction: %+v", s)
	}
	wantCode(t, d.Execute(stream, nil), driver.ErrorInvalidHandle)
}

// TestLeaksAreInOrder checks that streams and events are listed in the order of their creation.
func TestLeaksAreInOrder(t *testing.T) {
	rt, _ := open(t)
	var want []string
	line := 0
	rt.SetOrigin(func() string { return fmt.Sprintf("x.lua:%d", line) })
	for line = 1; line <= 20; line++ {
		var err error
		kind := []string{"stream", "event"}[line/11]
		if kind == "stream" {
			_, err = rt.Device().NewStream(false)
		} else {
			_, err = rt.Device().NewEvent()
		}
		wantCode(t, err, driver.Success)
		want = append(want, fmt.Sprintf("%s of x.lua:%d", kind, line))
	}
	for i, l := range rt.Leaks() {
		if have := l.Kind + " of " + l.Origin; have != want[i] {
			t.Errorf("leak %d: %s, want %s", i+1, have, want[i])
		}
	}
}

func TestProbe(t *testing.T) {
	*theBare = bare{}
	if r := hip.Probe("bare", driver.Config{}); r.Problem != "" || len(r.Devices) != 1 || r.Devices[0].Name != "bare" {
		t.Errorf("%+v", r)
	}
	*theBare = bare{err: errNoCode}
	if r := hip.Probe("bare", driver.Config{}); r.Problem != errNoCode.Error() || len(r.Devices) != 0 {
		t.Errorf("%+v", r)
	}
}

// TestRows checks the names of both forms of copies of rows.
func TestRows(t *testing.T) {
	rt, _ := open(t)
	d := rt.Device()
	stream, err := d.NewStream(false)
	wantCode(t, err, driver.Success)
	rows := driver.Rows{}
	wantCode(t, d.WriteRows(0, nil, rows, nil), driver.Success)
	wantCode(t, d.ReadRows(nil, 0, rows, stream), driver.Success)
	var names []string
	for _, c := range rt.Trace()[1:] {
		names = append(names, c.Name)
	}
	if have := strings.Join(names, " "); have != "hipMemcpy2D hipMemcpy2DAsync" {
		t.Errorf("calls %s", have)
	}
}
