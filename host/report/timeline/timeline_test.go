package timeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip/driver"
	"roclua/hip/trace"
)

func TestMemoryFollowsAllocationsThatSucceeded(t *testing.T) {
	h := trace.History{Capacity: 1000, Calls: []trace.Call{
		{Name: "hipMalloc", Bytes: 100, Ptr: 16, Seconds: 1, Duration: 0.5},
		{Name: "hipMalloc", Bytes: 900, Result: driver.ErrorOutOfMemory, Seconds: 2},
		{Name: "hipMemcpy", Bytes: 50, Ptr: 16, Seconds: 3},
		{Name: "hipMallocAsync", Bytes: 30, Ptr: 64, Seconds: 4, Cause: trace.CauseGrowth},
		{Name: "hipFree", Seconds: 5},
		{Name: "hipFree", Ptr: 16, Seconds: 6},
	}}
	line := Of(h)
	want := []Step{{0, 0}, {1.5, 100}, {4, 130}, {6, 30}}
	if diff := cmp.Diff(want, line.Live); diff != "" {
		t.Error(diff)
	}
	if line.Growths() != 1 || Peak(line.Live) != 130 || line.Seconds != 6 {
		t.Errorf("growths %d, peak %d, end %v", line.Growths(), Peak(line.Live), line.Seconds)
	}
}

func TestEachHandleHasItsTrack(t *testing.T) {
	line := Of(trace.History{Marks: []trace.Mark{
		{Handle: 1, Seconds: 1, Bytes: 32}, {Handle: 2, Seconds: 2, Bytes: 64}, {Handle: 1, Seconds: 3, Bytes: 32,
			Text: "refused"},
		{Seconds: 3.5, Text: "a check failed"}, {Handle: 1, Seconds: 4}, {Handle: 2, Seconds: 5, Bytes: 80},
	}})
	want := []Track{{Handle: 1, Steps: []Step{{1, 32}, {4, 0}}}, {Handle: 2, Steps: []Step{{2, 64}, {5, 80}}}}
	if diff := cmp.Diff(want, line.Handles); diff != "" {
		t.Error(diff)
	}
	if line.HandlePeak() != 96 {
		t.Errorf("peak %d, want 96", line.HandlePeak())
	}
}

func TestHandleSizes(t *testing.T) {
	of := func(sizes ...uint64) trace.History {
		h := trace.History{}
		for i, n := range sizes {
			h.Marks = append(h.Marks, trace.Mark{Handle: 1, Seconds: float64(i), Bytes: n})
		}
		return h
	}
	for _, test := range []struct {
		h    trace.History
		want []uint64
	}{
		{of(), nil}, {of(0), []uint64{0}}, {of(32, 0), []uint64{32}}, {of(32, 1, 0), []uint64{32, 1}},
		{of(32, 0, 1), []uint64{32, 0, 1}}, {trace.History{Marks: []trace.Mark{{Handle: 1}, {Handle: 2}}}, nil},
	} {
		if diff := cmp.Diff(test.want, Of(test.h).HandleSizes()); diff != "" {
			t.Error(diff)
		}
	}
}

// TestDevices follows the memory of each of two devices. The device of a free does not matter.
func TestDevices(t *testing.T) {
	h := trace.History{Capacity: 300, Capacities: []uint64{100, 200}, Calls: []trace.Call{
		{Name: "hipMalloc", Bytes: 10, Ptr: 16, Seconds: 1},
		{Name: "hipMalloc", Device: 1, Bytes: 20, Ptr: 64, Seconds: 2},
		{Name: "hipFreeAsync", Device: 0, Ptr: 64, Seconds: 3},
		{Name: "hipFree", Ptr: 16, Seconds: 4},
	}, Marks: []trace.Mark{{Handle: 1, Bytes: 1}, {Device: 1, Handle: 2, Bytes: 2}}}
	line := Of(h)
	want := []Device{{100, []Step{{0, 0}, {1, 10}, {4, 0}}}, {200, []Step{{0, 0}, {2, 20}, {3, 0}}}}
	if diff := cmp.Diff(want, line.Devices); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Step{{0, 0}, {1, 10}, {2, 30}, {3, 10}, {4, 0}}, line.Live); diff != "" {
		t.Error(diff)
	}
	if line.Handles[0].Device != 0 || line.Handles[1].Device != 1 {
		t.Errorf("handles %+v", line.Handles)
	}
	if h.Capacities = nil; Of(h).Devices != nil {
		t.Error("a case with one device has devices")
	}
}
