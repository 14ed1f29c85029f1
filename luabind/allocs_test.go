package luabind_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"roclua/luabind"
	"roclua/luabind/record"
)

// TestCallsDoNotAllocate counts the allocations of calls that compute little. The numbers of a script, the records of
// calls, and operations of streams are allocated many at once. Few kernels are queued at once, so that the memory
// of their calls is reused.
func TestCallsDoNotAllocate(t *testing.T) {
	const calls = 10000
	most := uint64(calls / 8)
	if raced {
		most = calls / 2 // a pool drops some of its memory then
	}
	count := func(loop string, n int) uint64 {
		source := prelude + `local h, p = rocblas.create_handle(), hip.malloc(1024) ` +
			strings.Replace(loop, "%d", fmt.Sprint(n), 1) + ` rocblas.destroy_handle(h) hip.free(p)`
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		rec := runLimited(t, source, record.Limits{}, luabind.Options{})
		runtime.ReadMemStats(&after)
		if rec.End != nil {
			t.Fatalf("%s: %v", loop, rec.End)
		}
		return after.Mallocs - before.Mallocs
	}
	for name, loop := range map[string]string{
		"query": `rocblas.start_device_memory_size_query(h)
			for i = 1, %d do rocsolver.dgetrf(h, 1024, 1024, nil, 1024, nil, nil) end
			rocblas.stop_device_memory_size_query(h)`,
		"by name": `rocblas.start_device_memory_size_query(h)
			local arguments = { handle = h, m = 1024, n = 1024 }
			for i = 1, %d do rocsolver.dgetrf(arguments) end
			rocblas.stop_device_memory_size_query(h)`,
		"workspace": `for i = 1, %d do h:set_workspace(p, 1024) end h:set_workspace(nil, 0)`,
		"kernel": `hip.memset(p, 0, 1024)
			for i = 1, %d do
				rocblas.dscal(h, 1, 2, p, 1)
				if i % 100 == 0 then hip.device_synchronize() end
			end`,
		"product": `hip.memset(p, 0, 1024)
			local none = rocblas.operation_none
			for i = 1, %d do
				rocblas.dgemm(h, none, none, 1, 1, 1, 1, p, 1, p, 1, 0, p, 1)
				if i % 100 == 0 then hip.device_synchronize() end
			end`,
		"predicate": `for i = 1, %d do h:is_managing_device_memory() end`,
	} {
		few := count(loop, 1)
		if many := count(loop, calls); many > few+most {
			t.Errorf("%s: %d calls make %d allocations, 1 makes %d", name, calls, many, few)
		}
	}
}
