package luabind_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/luabind"
)

// values are what a careless or hostile script may pass to anything.
var values = []string{
	"nil", "0", "1", "-1", "3", "64", "1e9", "2^31", "2^53", "2^60", "-2^63", "1.5", "0/0", "1/0", `""`, `"d"`, `"x"`, "true", "{}", "{1, 2}", "print",
	"h", "p", "s", "e", "a", "q", "loan", "rocblas.status_success", "111", "112", "121", "131", "141", "{m = 4, n = 4}", "{handle = h, n = 4}",
}

// functions lists every function that a script can call by name.
func functions() []string {
	list := strings.Fields(`rocblas.create_handle rocblas.destroy_handle rocblas.set_stream rocblas.get_stream rocblas.set_pointer_mode
		rocblas.get_pointer_mode rocblas.start_device_memory_size_query rocblas.stop_device_memory_size_query rocblas.get_device_memory_size
		rocblas.set_device_memory_size rocblas.set_workspace rocblas.is_managing_device_memory rocblas.sizeof_datatype rocblas.status_to_string
		hip.malloc hip.free hip.malloc_async hip.free_async hip.memcpy hip.memcpy_async hip.memset hip.memset_async hip.mem_get_info
		hip.stream_create hip.stream_destroy hip.stream_synchronize hip.stream_query hip.stream_wait_event hip.device_synchronize
		hip.event_create hip.event_record hip.event_synchronize hip.event_elapsed_time hip.event_destroy hip.get_device_properties
		hip.device_get_attribute hip.mem_pool_trim_to hip.upload hip.download hip.stats hip.trace hip.hazards
		array.zeros array.random array.identity array.hilbert array.diagonally_dominant array.of array.pointers array.norm array.residual
		array.lu_residual array.max_difference a.get a.set a.copy a.fill h.query h.device_malloc h.set_optimal_device_memory_size
		h.is_device_memory_size_query loan.release os.setenv os.getenv math.random math.randomseed require tostring`)
	for _, r := range routine.All() {
		list = append(list, r.Library.String()+"."+r.Name)
	}
	return list
}

// FuzzBindings calls bound functions with arguments of all kinds. Whatever they are, the answer is a status or an error
// about the script: never a defect of ours, never a crash.
func FuzzBindings(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed)
	}
	names := functions()
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		var b strings.Builder
		b.WriteString(prelude)
		b.WriteString(`local h, q = rocblas.create_handle(), rocblas.create_handle()
			local p, s, e, a, loan = hip.malloc(4096), hip.stream_create(), hip.event_create(), array.zeros("d", 4), q:device_malloc(64) `)
		for range 20 {
			args := make([]string, r.IntN(15))
			for i := range args {
				args[i] = values[r.IntN(len(values))]
			}
			name := names[r.IntN(len(names))]
			fmt.Fprintf(&b, "pcall(function() return %s(%s) end)\n", name, strings.Join(args, ", "))
		}
		record := run(t, b.String(), luabind.Case{})
		var internal *luabind.InternalError
		if errors.As(record.Err, &internal) {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, internal, internal.Stack, b.String())
		}
	})
}
