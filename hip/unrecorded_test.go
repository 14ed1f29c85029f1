package hip_test

import (
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/trace"
)

const memory = 1 << 28

// TestUnrecord makes calls that are not recorded, and checks their counts.
func TestUnrecord(t *testing.T) {
	rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: memory})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	dev := rt.Device()
	calls := func() {
		p, err := dev.Malloc(64)
		if err != nil {
			t.Fatal(err)
		}
		restore := dev.SetCause(trace.CauseGrowth, 1)
		q, err := dev.Malloc(128)
		if err != nil {
			t.Fatal(err)
		}
		if err := dev.Synchronize(); err != nil {
			t.Fatal(err)
		}
		restore()
		for _, p := range []driver.Ptr{p, q} {
			if err := dev.Free(p); err != nil {
				t.Fatal(err)
			}
		}
	}
	calls()
	before, traced := rt.Stats(), rt.Recorder().Undrained()
	seen, restore := rt.Recorder().Unrecord()
	calls()
	if rt.HeldBytes() != 0 {
		t.Error("memory is not tracked")
	}
	restore()
	after := rt.Stats()
	if after.Calls["hipMalloc"] != before.Calls["hipMalloc"] || rt.Recorder().Undrained() != traced {
		t.Errorf("calls were recorded: %v", after.Calls)
	}
	if seen.Growths != 1 || seen.Waits[trace.CauseGrowth] == 0 || len(seen.Waits) != 1 {
		t.Errorf("%d growths, waits %v", seen.Growths, seen.Waits)
	}
	calls()
	if after = rt.Stats(); after.Calls["hipMalloc"] != 2*before.Calls["hipMalloc"] {
		t.Errorf("calls are not recorded again: %v", after.Calls)
	}
}

// TestStopwatch measures work in a stream. The calls of the stopwatch are not recorded and leave no memory.
func TestStopwatch(t *testing.T) {
	rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: memory})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	dev := rt.Device()
	p, err := dev.Malloc(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	before := rt.Stats()
	w, err := dev.NewStopwatch(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func() error{w.FlushCaches, w.FlushCaches, w.Start} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	if err := dev.FillAsync(p, 1, 1<<20, nil); err != nil {
		t.Fatal(err)
	}
	if elapsed, err := w.Stop(); err != nil || elapsed <= 0 {
		t.Errorf("%v, %v", elapsed, err)
	}
	if err := w.Destroy(); err != nil {
		t.Error(err)
	}
	after := rt.Stats()
	delete(after.Calls, "hipMemsetAsync")
	if len(after.Calls) != len(before.Calls) || after.LiveBytes != before.LiveBytes || after.Events != 0 {
		t.Errorf("%+v, before %+v", after, before)
	}
	if free, _, err := dev.MemInfo(); err != nil || free != memory-1<<20 {
		t.Errorf("%d bytes are free, %v", free, err)
	}
	if err := dev.Free(p); err != nil {
		t.Error(err)
	}
}
