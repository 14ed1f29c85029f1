package luabind_test

import (
	"runtime"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/workspace"
)

// TestStreamsAreReclaimed creates and destroys streams, each with a queue of 8 KiB.
func TestStreamsAreReclaimed(t *testing.T) {
	const streams = 20_000
	script, err := luabind.Compile("test.lua", []byte(`local hip = require "hip"
		local function cycle() hip.stream_destroy(hip.stream_create()) end
		cycle() print("measure") for i = 1, 20000 do cycle() end print("measure")`))
	if err != nil {
		t.Fatal(err)
	}
	rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	var heap heapAtEachWrite
	rec := luabind.Run(t.Context(), script, record.Case{}, luabind.Options{Runtime: rt,
		Profile: workspace.Profiles()[0], Output: &heap})
	if !rec.Passed() || len(heap) < 2 {
		t.Fatalf("%v, %d measurements", rec.End, len(heap))
	}
	if grown := int64(heap[len(heap)-1]) - int64(heap[0]); grown > streams*8<<10/3 {
		t.Errorf("%d streams left %d bytes", streams, grown)
	}
}

// heapAtEachWrite has the bytes that were reachable at each write.
type heapAtEachWrite []uint64

func (h *heapAtEachWrite) Write(p []byte) (int, error) {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	*h = append(*h, stats.HeapAlloc)
	return len(p), nil
}

// TestDestroyedStreams compares streams. A stream is the same after it was destroyed.
func TestDestroyedStreams(t *testing.T) {
	rec := run(t, prelude+`local a, b = hip.stream_create(), hip.stream_create()
		assert(a ~= b and a == a)
		local h = rocblas.create_handle() rocblas.set_stream(h, a)
		assert(rocblas.get_stream(h) == a)
		rocblas.destroy_handle(h)
		hip.stream_destroy(a) hip.stream_destroy(b)
		assert(a ~= b and a == a)`, record.Case{})
	if !rec.Passed() {
		t.Error(rec.End)
	}
}

// TestFailedStreamOrderedAllocation runs a routine whose stream-ordered allocation failed, which rocSOLVER ignores. The
// fault says so.
func TestFailedStreamOrderedAllocation(t *testing.T) {
	rec := run(t, scenario("", `
		os.setenv("ROCBLAS_STREAM_ORDER_ALLOC", "1")
		local h, n = rocblas.create_handle(), 1024
		local A, ipiv, info = hip.malloc(8 * n * n), hip.malloc(4 * n), hip.malloc(4)
		hip.memset(A, 0, 8 * n * n)
		hip.malloc(hip.mem_get_info() - 1000000)
		t:status(rocblas.status_success, rocsolver.dgetrf(h, n, n, A, n, ipiv, info))
		hip.device_synchronize()`), record.Case{})
	const want = "has no workspace: its stream-ordered allocation of 4732160 bytes failed"
	if rec.End == nil || !strings.Contains(rec.End.Message, want) {
		t.Errorf("%+v, want %q", rec.End, want)
	}
}
