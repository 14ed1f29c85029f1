package replay_test

import (
	"fmt"
	"slices"
	"testing"

	"roclua/hip/routine"
	"roclua/host/recording"
	"roclua/host/replay"
	"roclua/workspace/status"
)

// Bytes of solve on rocm-7.2, and of a handle that grows for it.
const (
	need6000 = 294144000
	grown    = need6000 + 32<<20
)

func agreement(r *replay.Result) string {
	a := r.Agreement()
	return fmt.Sprintf("growths %d/%d, statuses %d/%d, queries %d/%d", a.Growths.Right, a.Growths.All, a.Statuses.Right,
		a.Statuses.All, a.Queries.Right, a.Queries.All)
}

func expectAgreement(t *testing.T, r *replay.Result, want string) {
	t.Helper()
	if have := agreement(r); have != want {
		t.Errorf("%s, want %s; differences %+v", have, want, r.Differences)
	}
}

// growing records a handle that grows.
func growing(r *tape, to int64) {
	r.create(1, 0x1000)
	r.solve(1, 100, 0, 0)
	r.solve(1, 6000, 0, 0, r.hip("hipFree", 'm', 0x1000), r.malloc(0x2000, to, 0))
	r.solve(1, 6000, 0, 0)
}

func TestGrowth(t *testing.T) {
	r := newTape(t)
	growing(r, grown)
	result := r.run()
	expectAgreement(t, result, "growths 1/1, statuses 4/4, queries 0/0")
	h := result.Handles[0]
	if h.Calls != 3 || h.Held != grown || len(h.Recorded) != 1 || len(h.Growths) != 1 {
		t.Fatalf("handle %+v", h)
	}
	if g := h.Recorded[0]; g.From != 32<<20 || g.To != grown || g.Call != 3 || g.Name != "rocblas_dtrsm" ||
		h.Growths[0] != g {
		t.Errorf("growths %+v, predicted %+v", h.Recorded, h.Growths)
	}
}

// TestWrongPredictions finds a growth of another size, another status and another answer of a query.
func TestWrongPredictions(t *testing.T) {
	r := newTape(t)
	growing(r, grown+64)
	r.solve(1, 10, 0, status.InvalidSize)
	r.handle("rocblas_start_device_memory_size_query", 1)
	r.solve(1, 6000, 0, status.SizeIncreased)
	r.handle("rocblas_stop_device_memory_size_query", 1, value('Z', need6000-1))
	result := r.run()
	expectAgreement(t, result, "growths 0/1, statuses 7/8, queries 0/1")
	var have []string
	for _, d := range result.Differences {
		have = append(have, fmt.Sprintf("%d %s %s %s %s", d.Call, d.Name, d.What, d.Recorded, d.Predicted))
	}
	want := []string{"3 rocblas_dtrsm growth 327698496 327698432", "5 rocblas_dtrsm status invalid_size success",
		"8 rocblas_stop_device_memory_size_query size query 294143999 294144000"}
	if !slices.Equal(have, want) {
		t.Errorf("differences %q, want %q", have, want)
	}
	if h := result.Handles[0]; h.Calls != 4 || h.Queried != 1 || h.Failed != 1 {
		t.Errorf("handle %+v", h)
	}
}

// TestWorkspaceOfPrograms follows the workspace that programs such as hipSOLVER need for themselves: in size queries,
// and as allocations, which can enlarge the workspace and overlap.
func TestWorkspaceOfPrograms(t *testing.T) {
	const setOptimal = "rocblas_set_optimal_device_memory_size_impl"
	r := newTape(t)
	r.create(1, 0x1000)
	allocate := func(object, bytes int64, st status.Status, inside ...*recording.Call) {
		args := []recording.Value{value('h', 1), value('O', object), value('z', 1), value('z', bytes)}
		r.add("rocblas_device_malloc_alloc", "rhOzz", args, st, inside...)
	}
	free := func(object int64) {
		r.add("rocblas_device_malloc_free", "rm", []recording.Value{value('m', object)}, status.Success)
	}
	r.handle("rocblas_start_device_memory_size_query", 1)
	r.add(setOptimal, "rhzz", []recording.Value{value('h', 1), value('z', 2), value('z', 640)}, status.SizeIncreased)
	r.add(setOptimal, "rhzz", []recording.Value{value('h', 1), value('z', 1), value('z', 64)}, status.SizeUnchanged)
	r.handle("rocblas_stop_device_memory_size_query", 1, value('Z', 640))
	allocate(64, 1<<20, status.Success)
	r.solve(1, 100, 0, 0)
	free(64)
	allocate(64, need6000, status.Success, r.hip("hipFree", 'm', 0x1000), r.malloc(0x2000, grown, 0))
	free(64)
	result := r.run()
	expectAgreement(t, result, "growths 1/1, statuses 10/10, queries 1/1")
	if h := result.Handles[0]; h.Held != grown || len(h.Growths) != 1 {
		t.Errorf("handle %+v", h)
	}
}

// TestFailedAllocation takes the results of HIP from the recording.
func TestFailedAllocation(t *testing.T) {
	r := newTape(t)
	r.create(1, 0x1000)
	r.solve(1, 6000, 0, status.MemoryError, r.hip("hipFree", 'm', 0x1000), r.malloc(0, grown, 2),
		r.malloc(0, 36<<20, 2))
	result := r.run()
	expectAgreement(t, result, "growths 0/0, statuses 2/2, queries 0/0")
	expectFinding(t, result, replay.Short, 2, "needs 294144000 bytes")
}

// TestWorkspace follows workspaces that the program sets and a handle that is destroyed.
func TestWorkspace(t *testing.T) {
	r := newTape(t)
	r.create(1, 0x1000)
	r.runtime("hipMalloc", value('M', 0x100000), value('z', 1<<20))
	r.add("rocblas_set_workspace", "rhmz",
		[]recording.Value{value('h', 1), value('m', 0x100000), value('z', 32<<20)}, 0, r.hip("hipFree", 'm', 0x1000))
	r.solve(1, 100, 0, 0)
	r.rows = 50000
	r.solve(1, 1024, 0, status.PerfDegraded)
	r.handle("rocblas_destroy_handle", 1)
	result := r.run()
	h := result.Handles[0]
	expectAgreement(t, result, "growths 0/0, statuses 6/6, queries 0/0")
	if h.Workspace != 32<<20 || h.Held != 0 || h.End == 0 || h.Failed != 0 {
		t.Errorf("handle %+v", h)
	}
	expectFinding(t, result, replay.Degraded, 4, "less memory than the 52248576 bytes")
}

// TestCopiesOfWorkspaces makes calls that copy from the workspace that the program set, whose memory is only in the
// recording: results of reductions, and scalars of an eigenvalue solver.
func TestCopiesOfWorkspaces(t *testing.T) {
	r := newTape(t)
	r.create(1, 0x1000)
	r.runtime("hipMalloc", value('M', 0x100000), value('z', 64<<20))
	r.add("rocblas_set_workspace", "rhmz",
		[]recording.Value{value('h', 1), value('m', 0x100000), value('z', 64<<20)}, 0, r.hip("hipFree", 'm', 0x1000))
	r.routine("rocblas_ddot", 1, 1000, 0, 0)
	r.routine("rocblas_dnrm2", 1, 1000, 0, 0)
	r.routine("rocsolver_dsyevd", 1, 100, 0, 0)
	r.routine("rocsolver_dgesvd", 1, 100, 0, 0)
	expectAgreement(t, r.run(), "growths 0/0, statuses 7/7, queries 0/0")
}

// TestUnknown makes calls whose needs the model does not know: it does not predict their growths and size queries.
func TestUnknown(t *testing.T) {
	r := newTape(t)
	r.create(1, 0x1000)
	r.routine("rocblas_gemm_ex", 1, 1000, 0, 0)
	r.routine("rocblas_gemm_ex", 1, 1000, 0, 0, r.hip("hipFree", 'm', 0x1000), r.malloc(0x2000, grown, 0))
	r.handle("rocblas_start_device_memory_size_query", 1)
	r.routine("rocblas_gemm_ex", 1, 1000, 0, status.SizeUnchanged)
	r.handle("rocblas_stop_device_memory_size_query", 1, value('Z', 0))
	result := r.run()
	expectAgreement(t, result, "growths 0/1, statuses 4/4, queries 0/1")
	if result.Unknown != 4 || result.Differences[0].Predicted != "unknown" {
		t.Errorf("%d unknown, differences %+v", result.Unknown, result.Differences)
	}
}

// TestInPlace checks that the result of a product replaces C where the recording has one address for both.
func TestInPlace(t *testing.T) {
	for _, test := range []struct {
		arrays map[string]int64
		same   bool
	}{
		{nil, false}, // an older recording
		{map[string]int64{"c": 0x1000, "d": 0x1000}, true},
		{map[string]int64{"c": 0x1000, "d": 0x2000}, false},
	} {
		r := newTape(t)
		same := []bool{}
		r.arrays, r.called = test.arrays, func(a *routine.Args) {
			same = append(same, a.Ptr(routine.C) == a.Ptr(routine.D))
		}
		r.create(1, 0x1000)
		r.routine("rocblas_gemm_ex", 1, 1000, 0, 0)
		if r.run(); !slices.Equal(same, []bool{test.same}) {
			t.Errorf("%v: in place %v, want %v", test.arrays, same, test.same)
		}
	}
}

// TestDevices replays handles of two devices of different architectures. Each prediction counts for the device of its
// handle, and null streams of two devices are two streams.
func TestDevices(t *testing.T) {
	const large, needed = 128 << 20, need6000 + 128<<20
	r := newTape(t)
	r.archs = []string{"gfx90a", "gfx942"}
	r.create(1, 0x1000)
	r.device = 1
	r.add("rocblas_create_handle", "rH", []recording.Value{value('H', 2)}, 0, r.malloc(0x2000, large, 0))
	r.solve(2, 6000, 0, 0, r.hip("hipFree", 'm', 0x2000), r.malloc(0x3000, needed, 0))
	r.device = 0
	r.solve(1, 100, 0, 0)
	r.runtime("hipDeviceSynchronize") // device 0
	r.solve(2, 100, 0, 0)
	r.device = 1
	r.solve(2, 100, 0, status.InvalidSize)
	result := r.run()
	for i, want := range []string{"growths 0/0, statuses 3/3, queries 0/0", "growths 1/1, statuses 3/4, queries 0/0"} {
		d := result.Devices[i]
		if have := agreement(&replay.Result{Devices: []*replay.Device{d}}); have != want || d.Handles != 1 {
			t.Errorf("device %d, %s: %s and %d handles, want %s; differences %+v", i, d.Arch, have, d.Handles, want,
				result.Differences)
		}
	}
	if h := result.Handles[1]; h.Device != 1 || h.Held != needed || result.Label() != "gfx90a,gfx942" {
		t.Errorf("handle %+v on %s", h, result.Label())
	}
	expectFinding(t, result, replay.Unordered, 5, "on stream 0 of device 0, and nothing waits for call 3 "+
		"(rocblas_dtrsm), which uses it on stream 0 of device 1")
	r.oneWorkspace = true
	if s := r.run().Sharing; len(s) != 2 || s[0].Device != 0 || s[0].Conflicts != 0 || s[1].Conflicts != 2 {
		t.Errorf("sharing %+v", s)
	}
}

// TestWaitsOfDevices lets the host wait for the device of the workspace's user, and for another one.
func TestWaitsOfDevices(t *testing.T) {
	for device, ordered := range []bool{true, false} {
		r := newTape(t)
		r.archs = []string{"gfx90a", "gfx90a"}
		r.create(1, 0x1000)
		r.solve(1, 1000, 0, 0)
		r.device = device
		r.runtime("hipDeviceSynchronize")
		r.device = 1
		r.solve(1, 1000, 0, 0)
		if result := r.run(); ordered {
			expectNoFindings(t, result)
		} else {
			expectFinding(t, result, replay.Unordered, 3, "on stream 0 of device 1")
		}
	}
}

// TestFunctionsOfHIP replays variants of functions, and names those that are not followed.
func TestFunctionsOfHIP(t *testing.T) {
	r := newTape(t)
	r.runtime("hipStreamCreateWithFlags", value('S', 1), value('u', 1))
	r.runtime("hipStreamCreateWithFlags", value('S', 2), value('u', 1))
	r.create(1, 0x1000)
	r.runtime("hipMallocPitch", value('M', 0x1000000), value('Z', 512), value('z', 500), value('z', 100))
	r.handle("rocblas_set_workspace", 1, value('m', 0x1000000), value('z', 512*100))
	r.solve(1, 10, 1, 0)
	r.runtime("hipEventRecordWithFlags", value('e', 1), value('s', 1), value('u', 0))
	r.runtime("hipStreamWaitEvent_spt", value('s', 2), value('e', 1), value('u', 0))
	r.solve(1, 10, 2, 0)
	r.runtime("hipSetDevice", value('i', 0))
	r.runtime("hipGraphNodeSetEnabled", value('g', 1), value('m', 2), value('u', 0))
	r.runtime("hipStreamGetFlags", value('s', 1), value('p', 0))
	result := r.run()
	expectNoFindings(t, result)
	want := "1 call of hipGraphNodeSetEnabled is not followed: nodes have no numbers in recordings"
	if list := result.Gaps(); len(list) != 1 || list[0] != want {
		t.Errorf("gaps %q, want %q", list, want)
	}
}
