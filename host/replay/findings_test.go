package replay_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/host/config"
	"roclua/host/recording"
	"roclua/host/replay"
	"roclua/workspace/status"
)

func expectFinding(t *testing.T, r *replay.Result, code string, call int64, text string) {
	t.Helper()
	for _, f := range r.Findings {
		if f.Code == code {
			if f.Call != call || !strings.Contains(f.Text, text) {
				t.Errorf("%s at call %d: %q; want call %d, %q", code, f.Call, f.Text, call, text)
			}
			return
		}
	}
	t.Errorf("no finding %s in %+v", code, r.Findings)
}

func expectNoFindings(t *testing.T, r *replay.Result) {
	t.Helper()
	for _, f := range r.Findings {
		t.Errorf("%s at call %d: %s", f.Code, f.Call, f.Text)
	}
}

// TestStreams changes the stream of a handle, with and without a wait between the uses of its workspace.
func TestStreams(t *testing.T) {
	for _, test := range []struct {
		about   string
		between func(*tape)
		ordered bool
	}{
		{"nothing", func(*tape) {}, false},
		{"wait for the stream", func(r *tape) { r.runtime("hipStreamSynchronize", value('s', 1)) }, true},
		{"wait for the other stream", func(r *tape) { r.runtime("hipStreamSynchronize", value('s', 2)) }, false},
		{"wait for the device", func(r *tape) { r.runtime("hipDeviceSynchronize") }, true},
		{"an event", func(r *tape) {
			r.runtime("hipEventRecord", value('e', 1), value('s', 1))
			r.runtime("hipStreamWaitEvent", value('s', 2), value('e', 1), value('u', 0))
		}, true},
		{"an event that the host waits for", func(r *tape) {
			r.runtime("hipEventRecord", value('e', 1), value('s', 1))
			r.runtime("hipEventSynchronize", value('e', 1))
		}, true},
		{"hipFree", func(r *tape) { r.runtime("hipFree", value('m', 0x77)) }, true},
		{"an older event", func(r *tape) {
			r.runtime("hipStreamWaitEvent", value('s', 2), value('e', 2), value('u', 0))
		}, false},
	} {
		r := newTape(t)
		r.runtime("hipStreamCreateWithFlags", value('S', 1), value('u', 1))
		r.runtime("hipStreamCreateWithFlags", value('S', 2), value('u', 1))
		r.create(1, 0x1000)
		r.runtime("hipEventRecord", value('e', 2), value('s', 1))
		r.handle("rocblas_set_stream", 1, value('s', 1))
		r.solve(1, 1000, 1, 0)
		test.between(r)
		r.handle("rocblas_set_stream", 1, value('s', 2))
		r.solve(1, 1000, 2, 0)
		result := r.run()
		if test.ordered {
			expectNoFindings(t, result)
		} else {
			expectFinding(t, result, replay.Unordered, 5,
				"nothing waits for call 3 (rocblas_dtrsm), which uses it on stream 1")
		}
		if h := result.Handles[0]; !slices.Equal(h.Streams, []int{1, 2}) {
			t.Errorf("%s: streams %v", test.about, h.Streams)
		}
		if t.Failed() {
			t.Fatalf("with %s between the calls", test.about)
		}
	}
}

// TestNullStream orders blocking streams with the null stream.
func TestNullStream(t *testing.T) {
	for _, flags := range []int64{0, 1} {
		r := newTape(t)
		r.runtime("hipStreamCreateWithFlags", value('S', 1), value('u', flags))
		r.create(1, 0x1000)
		r.solve(1, 1000, 0, 0)
		r.solve(1, 1000, 1, 0)
		if result := r.run(); flags == 0 {
			expectNoFindings(t, result)
		} else {
			expectFinding(t, result, replay.Unordered, 3, "on stream 1")
		}
	}
}

// TestSharedWorkspace uses one workspace with two handles on two streams.
func TestSharedWorkspace(t *testing.T) {
	r := newTape(t)
	r.runtime("hipMalloc", value('M', 0x100000), value('z', 64<<20))
	for h := range int64(2) {
		r.runtime("hipStreamCreateWithFlags", value('S', h+1), value('u', 1))
		r.create(h+1, 0x1000*(h+1))
	}
	for h := range int64(2) {
		r.handle("rocblas_set_workspace", h+1, value('m', 0x100000), value('z', 64<<20))
	}
	for h := range int64(2) {
		r.solve(h+1, 1000, int(h)+1, 0)
	}
	expectFinding(t, r.run(), replay.Unordered, 6, "call 5 (rocblas_dtrsm) on handle 1")
}

// TestFreedWorkspace frees a workspace that a handle still uses, and one that a capture uses.
func TestFreedWorkspace(t *testing.T) {
	for _, captured := range []bool{false, true} {
		r := newTape(t)
		r.runtime("hipMalloc", value('M', 0x100000), value('z', 64<<20))
		r.runtime("hipStreamCreateWithFlags", value('S', 1), value('u', 1))
		r.create(1, 0x1000)
		r.handle("rocblas_set_stream", 1, value('s', 1))
		r.handle("rocblas_set_workspace", 1, value('m', 0x100000), value('z', 64<<20))
		if captured {
			r.runtime("hipStreamBeginCapture", value('s', 1), value('i', 2))
		}
		r.solve(1, 1000, 1, 0)
		r.runtime("hipFree", value('m', 0x100000))
		if captured {
			r.runtime("hipStreamEndCapture", value('s', 1), value('G', 1))
		}
		r.solve(1, 1000, 1, 0)
		result := r.run()
		expectFinding(t, result, replay.Freed, 5, "was freed after call 4")
		if captured {
			expectFinding(t, result, replay.Captured, 4,
				"frees the workspace while a capture uses it (rocblas_dtrsm, call 4)")
		}
	}
}

// TestWildWorkspace sets a workspace at the end of the address space, as of a pointer without a value.
func TestWildWorkspace(t *testing.T) {
	r := newTape(t)
	r.create(1, 0x1000)
	r.handle("rocblas_set_workspace", 1, value('m', -88), value('z', 64<<20))
	r.solve(1, 1000, 0, 0)
	r.runtime("hipMalloc", value('M', 0x100000), value('z', 64<<20))
	r.runtime("hipFree", value('m', 0x100000))
	result := r.run()
	expectNoFindings(t, result)
	if len(result.Notes) != 1 || !strings.Contains(result.Notes[0], "does not have the allocation of this memory") {
		t.Errorf("notes %q", result.Notes)
	}
}

// TestReplacedInCapture replaces a workspace that a capture uses: by the same one, by another one that is left
// allocated, and by another one before it is freed.
func TestReplacedInCapture(t *testing.T) {
	for _, test := range []struct {
		other int64
		freed bool
	}{{0x100000, false}, {0x9000000, false}, {0x9000000, true}} {
		r := newTape(t)
		for _, at := range []int64{0x100000, 0x9000000} {
			r.runtime("hipMalloc", value('M', at), value('z', 64<<20))
		}
		r.runtime("hipStreamCreateWithFlags", value('S', 1), value('u', 1))
		r.create(1, 0x1000)
		r.handle("rocblas_set_stream", 1, value('s', 1))
		r.handle("rocblas_set_workspace", 1, value('m', 0x100000), value('z', 64<<20))
		r.runtime("hipStreamBeginCapture", value('s', 1), value('i', 2))
		r.solve(1, 1000, 1, 0)
		r.handle("rocblas_set_workspace", 1, value('m', test.other), value('z', 64<<20))
		r.runtime("hipStreamEndCapture", value('s', 1), value('G', 1))
		r.runtime("hipGraphInstantiate", value('G', 2), value('g', 1))
		if test.freed {
			r.runtime("hipFree", value('m', 0x100000))
		}
		r.runtime("hipGraphLaunch", value('g', 2), value('s', 1))
		result := r.run()
		if !test.freed {
			expectNoFindings(t, result)
		} else {
			expectFinding(t, result, replay.GraphFreed, 5,
				"in the graph for call 4 (rocblas_dtrsm), which hipFree (after call 5) freed after the capture")
		}
	}
}

// TestThreads uses a handle in two threads at the same time, and one after the other.
func TestThreads(t *testing.T) {
	for _, overlap := range []bool{false, true} {
		r := newTape(t)
		r.create(1, 0x1000)
		r.solve(1, 100, 0, 0)
		r.thread = 2
		if overlap {
			r.now -= 1500 * time.Nanosecond
		}
		r.solve(1, 100, 0, 0)
		result := r.run()
		if overlap {
			expectFinding(t, result, replay.Threads, 3, "thread 2 calls it while thread 1 is in rocblas_dtrsm")
		} else {
			expectNoFindings(t, result)
		}
		if h := result.Handles[0]; !slices.Equal(h.Threads, []int{1, 2}) {
			t.Errorf("threads %v", h.Threads)
		}
	}
}

// TestLayers finds the effects of hipBLAS and hipSOLVER on a handle.
func TestLayers(t *testing.T) {
	r := newTape(t)
	r.create(1, 0x1000)
	r.in("hipblasDtrsm", func() {
		r.solve(1, 6000, 0, status.MemoryError, r.hip("hipFree", 'm', 0x1000), r.malloc(0, grown, 2))
		r.solve(1, 6000, 0, 0, r.malloc(0x2000, grown, 0))
	})
	r.in("hipsolverDnDgetrf", func() {
		r.add("rocblas_set_workspace", "rhmz",
			[]recording.Value{value('h', 1), value('m', 0x100000), value('z', 1<<20)}, 0, r.hip("hipFree", 'm', 0x2000))
		r.handle("rocblas_set_workspace", 1, value('m', 0), value('z', 0))
	})
	r.solve(1, 6000, 0, 0, r.malloc(0x3000, grown, 0))
	result := r.run()
	expectFinding(t, result, replay.Repeated, 1, "hipblasDtrsm repeats it after memory_error")
	expectFinding(t, result, replay.Reallocated, 6, "hipSOLVER unbound its buffer after call 5 (hipsolverDnDgetrf)")
	if g := result.Handles[0].Recorded; len(g) != 2 || g[0].Outer != "hipblasDtrsm" {
		t.Errorf("growths %+v", g)
	}
}

// TestBuffers makes hipSOLVER calls on another release: with a buffer of the size that it returned, in a block for
// it, also one that is 8 times as large, and in a larger block; and with a size of the program.
func TestBuffers(t *testing.T) {
	const before, after, arena = 768576, 2304064, 64 << 20 // bytes of dgeqrf of order 1500
	for _, test := range []struct {
		name             string
		block, at, lwork int64
		more             int64 // bytes that the program allocates on the other release
		fails            string
	}{
		{"exact", before, 0, before, after - before, ""},
		{"elements", 8 * before, 0, before, 8 * (after - before), ""},
		{"arena", arena, 4096, before, 0, ""},
		{"own size", before + 64, 0, before + 64, 0, "needs 2304064 bytes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tape := func() *tape {
				r := newTape(t)
				r.w.Process.Facts = map[string]string{"rocblas.version": "4.4.1", "rocsolver.version": "3.28.2"}
				r.create(1, 0x1000)
				r.in("hipsolverDgeqrf_bufferSize", func() {}, value('h', 1), value('i', 1500), value('i', 1500),
					value('m', 0), value('i', 1500), value('I', before))
				r.runtime("hipMalloc", value('M', 0x100000), value('z', test.block))
				work := value('m', 0x100000+test.at)
				r.in("hipsolverDgeqrf", func() {
					r.handle("rocblas_set_workspace", 1, work, value('z', test.lwork))
					r.rows = 1500
					r.routine("rocsolver_dgeqrf", 1, 1500, 0, 0)
				}, value('h', 1), value('i', 1500), value('i', 1500), value('m', 0), value('i', 1500), value('m', 0),
					work, value('i', test.lwork), value('m', 0))
				r.elsewhere = true
				return r
			}
			recorded, other := tape(), tape()
			recorded.profile = "rocm-6.4"
			from, to := recorded.run(), other.run()
			if from.Broken.All != 0 || int64(to.Left-from.Left) != test.more {
				t.Errorf("%d calls fail on rocm-6.4; %d bytes more, want %d", from.Broken.All, to.Left-from.Left,
					test.more)
			}
			if (to.Broken.New == 0) != (test.fails == "") ||
				test.fails != "" && !strings.Contains(to.Failures[0].Text, test.fails) {
				t.Errorf("failures %+v, want %q", to.Failures, test.fails)
			}
		})
	}
}

// TestCapacity makes allocations on devices with the memory that the recorded one had for the program: 60 MiB with what
// was allocated when 20 MiB were free, or all of it in version 1. What no longer fits is found, and later calls that
// use it succeed.
func TestCapacity(t *testing.T) {
	const full = "hipMalloc of 20971521 bytes: device 0 has 20971520 of 62914560 bytes free"
	for _, test := range []struct{ fact, free, finds string }{
		{"device.0.free", fmt.Sprint(20 << 20), full},
		{"device.0.free", fmt.Sprint(20<<20 + 1), ""},
		{"device.0.memory", fmt.Sprint(60 << 20), full},
	} {
		r := newTape(t)
		r.w.Process.Facts[test.fact] = test.free
		r.runtime("hipMalloc", value('M', 0x100000), value('z', 2<<20))
		r.runtime("hipMalloc", value('M', 0x1000000), value('z', 8<<20))
		r.runtime("hipFree", value('m', 0x100000))
		r.in("hipblasCreate", func() { r.create(1, 0x4000000) })
		r.runtime("hipMalloc", value('M', 0x8000000), value('z', 20<<20+1))
		r.handle("rocblas_set_workspace", 1, value('m', 0x8000000), value('z', 20<<20))
		r.solve(1, 100, 0, 0)
		r.runtime("hipFree", value('m', 0x8000000))
		r.elsewhere = true
		r.target = &config.Target{Platform: "cpu", Profile: "rocm-7.2", DeviceMemory: config.DefaultDeviceMemory()}
		result := r.run()
		if test.finds == "" {
			if len(result.Findings)+len(result.Failures) > 0 {
				t.Errorf("%s %s: findings %+v, failures %+v", test.fact, test.free, result.Findings, result.Failures)
			}
			continue
		}
		expectFinding(t, result, replay.NoMemory, 1, test.finds)
		if result.Broken.New != 1 {
			t.Errorf("%s %s: failures %+v, want one", test.fact, test.free, result.Failures)
		}
		r.target.DeviceMemory = 1 << 30
		if result := r.run(); result.Broken.All > 0 {
			t.Errorf("%s %s: with 1 GiB failures %+v", test.fact, test.free, result.Failures)
		}
	}
}

// TestEnvironment takes the size of new handles from the variables of the program, or from the allocation.
func TestEnvironment(t *testing.T) {
	for _, fact := range []bool{true, false} {
		r := newTape(t)
		if fact {
			r.w.Process.Facts["env.ROCBLAS_DEVICE_MEMORY_SIZE"] = "1048576"
		}
		r.add("rocblas_create_handle", "rH", []recording.Value{value('H', 1)}, 0, r.malloc(0x1000, 1<<20, 0))
		r.solve(1, 6000, 0, status.MemoryError)
		expectAgreement(t, r.run(), "growths 0/0, statuses 2/2, queries 0/0")
	}
}

// TestBeyondBlock sets workspaces at the end of a block of memory, and behind it.
func TestBeyondBlock(t *testing.T) {
	for _, bytes := range []int64{1<<20 - 64, 1<<20 - 63} {
		r := newTape(t)
		r.create(1, 0x1000)
		r.runtime("hipMalloc", value('M', 0x100000000), value('z', 1<<20))
		r.handle("rocblas_set_workspace", 1, value('m', 0x100000040), value('z', bytes))
		if result := r.run(); bytes%64 == 0 {
			expectNoFindings(t, result)
		} else {
			expectFinding(t, result, replay.Beyond, 2,
				"a workspace of 1048513 bytes in memory of which 1048512 are left, of a block of 1048576")
		}
	}
}

// TestSharing asks whether two handles on two streams could share a workspace.
func TestSharing(t *testing.T) {
	for _, test := range []struct {
		about   string
		between func(*tape)
		inside  bool // the second call frees and allocates memory
		want    int64
	}{
		{"nothing", func(*tape) {}, false, 1},
		{"an event", func(r *tape) {
			r.runtime("hipEventRecord", value('e', 1), value('s', 1))
			r.runtime("hipStreamWaitEvent", value('s', 2), value('e', 1), value('u', 0))
		}, false, 0},
		{"a wait of the host", func(r *tape) { r.runtime("hipStreamSynchronize", value('s', 1)) }, false, 0},
		{"hipFree of the program", func(r *tape) { r.runtime("hipFree", value('m', 0x77)) }, false, 0},
		{"hipFree of the library", func(*tape) {}, true, 1},
	} {
		r := newTape(t)
		for h := range int64(2) {
			r.runtime("hipStreamCreateWithFlags", value('S', h+1), value('u', 1))
			r.create(h+1, 0x1000*(h+1))
		}
		r.solve(1, 1000, 1, 0)
		test.between(r)
		if test.inside {
			r.solve(2, 5000, 2, 0, r.hip("hipFree", 'm', 0x2000), r.malloc(0x9000, 64<<20, 0))
		} else {
			r.solve(2, 1000, 2, 0)
		}
		r.oneWorkspace = true
		list := r.run().Sharing
		if len(list) != 1 || list[0].Conflicts != test.want || list[0].Uses != 2 {
			t.Errorf("%s: %+v", test.about, list)
			continue
		}
		const conflict = "of handle 2 on stream 2 does not wait for call 3"
		if test.want == 1 && !strings.Contains(list[0].First, conflict) {
			t.Errorf("%s: %s", test.about, list[0].First)
		}
	}
}

// TestCallsInFlight ends a process in calls of two threads, on one handle or on two.
func TestCallsInFlight(t *testing.T) {
	for second := int64(1); second <= 2; second++ {
		r := newTape(t)
		r.create(1, 0x1000)
		r.create(2, 0x2000)
		for thread, h := range []int64{1, second} {
			r.thread = thread + 1
			r.solve(h, 100, 0, 0)
			r.w.Begin(&recording.Running{Function: &recording.Function{Name: "rocblas_dtrsm", Signature: "rh"},
				Thread: r.thread, Handle: int(h), Start: r.now + time.Second})
		}
		if result := r.run(); second == 2 {
			expectNoFindings(t, result)
		} else {
			expectFinding(t, result, replay.Threads, 4, "thread 2 calls it while thread 1 is in rocblas_dtrsm")
		}
	}
}

// TestRegions lets two streams use one array, and parts of a workspace that overlap or do not.
func TestRegions(t *testing.T) {
	for _, test := range []struct {
		second int64 // begin of the second handle's workspace
		b      int64 // array of the second call
		want   string
	}{
		{32 << 20, 0x40000000, ""},
		{16 << 20, 0x40000000, replay.Unordered},
		{32 << 20, 0x20000000, replay.Arrays},
	} {
		r := newTape(t)
		r.runtime("hipMalloc", value('M', 0x1000000), value('z', 64<<20))
		r.runtime("hipMalloc", value('M', 0x20000000), value('z', 64<<20))
		r.runtime("hipMalloc", value('M', 0x40000000), value('z', 64<<20))
		for h := range int64(2) {
			r.runtime("hipStreamCreateWithFlags", value('S', h+1), value('u', 1))
			r.create(h+1, 0x100*(h+1))
		}
		r.handle("rocblas_set_workspace", 1, value('m', 0x1000000), value('z', 32<<20))
		r.handle("rocblas_set_workspace", 2, value('m', 0x1000000+test.second), value('z', 32<<20))
		r.arrays = map[string]int64{"B": 0x20000000}
		r.solve(1, 1000, 1, 0)
		r.arrays = map[string]int64{"B": test.b}
		r.solve(2, 1000, 2, 0)
		if result := r.run(); test.want == "" {
			expectNoFindings(t, result)
		} else {
			expectFinding(t, result, test.want, 6, "nothing waits for call 5 (rocblas_dtrsm) on handle 1")
		}
	}
}

// TestFreedInOrder frees a workspace in the order of a stream that does not wait for its use.
func TestFreedInOrder(t *testing.T) {
	for stream := int64(1); stream <= 2; stream++ {
		r := newTape(t)
		for s := range int64(2) {
			r.runtime("hipStreamCreateWithFlags", value('S', s+1), value('u', 1))
		}
		r.create(1, 0x1000)
		r.runtime("hipMallocAsync", value('M', 0x1000000), value('z', 64<<20), value('s', 1))
		r.handle("rocblas_set_workspace", 1, value('m', 0x1000000), value('z', 64<<20))
		r.solve(1, 1000, 1, 0)
		r.runtime("hipFreeAsync", value('m', 0x1000000), value('s', stream))
		if result := r.run(); stream == 1 {
			expectNoFindings(t, result)
		} else {
			expectFinding(t, result, replay.Unordered, 3, "nothing waits for call 3 (rocblas_dtrsm)")
		}
	}
}
