package api

// statusFields are the fields of both classes of statuses.
var statusFields = []Field{
	{"code", "integer", "its number"},
	{"ok", "boolean", "whether it is not an error"},
	{"name", "string", "its C name"},
}

var statusClass = Class{
	Name:   "status",
	About:  "a rocblas_status; == compares, tostring returns the C name",
	Fields: statusFields,
}

var rfinfoClass = Class{
	Name:  "rfinfo",
	About: "a rocsolver_rfinfo, for the refactorization of sparse matrices by the library",
}

var hipStatusClass = Class{
	Name:   "hip_status",
	About:  "a hipError_t; == compares, tostring returns the C name",
	Fields: statusFields,
}

var hipblasStatusClass = Class{
	Name:   "hipblas_status",
	About:  "a hipblasStatus_t; == compares, tostring returns the C name",
	Fields: statusFields,
}

var hipsolverStatusClass = Class{
	Name:   "hipsolver_status",
	About:  "a hipsolverStatus_t; == compares, tostring returns the C name",
	Fields: statusFields,
}

var jacobiClass = Class{
	Name:  "jacobi_info",
	About: "a hipsolverSyevjInfo_t or a hipsolverGesvdjInfo_t: the options of Jacobi's method",
}

var solverParamsClass = Class{
	Name:  "solver_params",
	About: "a hipsolverDnParams_t, which functions of hipSOLVER with 64-bit sizes take",
}

var errorClass = Class{
	Name:  "error",
	About: "the error that is raised for an error status; tostring returns its message",
	Fields: []Field{
		{"status", "roclua.status|roclua.hip_status|roclua.hipblas_status|roclua.hipsolver_status|nil", "the status"},
		{"func", "string?", "the C function"},
		{"required", "integer?", "workspace in bytes that the call needs"},
		{"available", "integer?", "workspace in bytes that the handle has"},
		{"scheme", "string?", "owner of the handle's memory: rocblas_managed, user_managed or user_owned"},
		{"source", "string", "file of the script"},
		{"line", "integer", "line of the script"},
		{"message", "string", "the message"},
	},
}

var propertiesClass = Class{
	Name:  "properties",
	About: "the properties of a device",
	Fields: []Field{
		{"name", "string", "name of the device"},
		{"gcn_arch_name", "string", "architecture"},
		{"total_global_mem", "integer", "memory in bytes"},
		{"warp_size", "integer", "threads of a wavefront"},
		{"multi_processor_count", "integer", "number of compute units"},
		{"max_threads_per_block", "integer", "largest number of threads of a block"},
		{"shared_mem_per_block", "integer", "largest shared memory of a block in bytes"},
		{"clock_rate", "integer", "clock rate in kHz"},
	},
}

var statsClass = Class{
	Name:  "stats",
	About: "counts of the calls made so far, and the device memory in use",
	Fields: []Field{
		{"calls", "table<string, integer>", "calls of HIP by name; calls.total is their sum"},
		{"syncs", "table<string, integer>", "calls in which the host waited, by cause; syncs.total is their sum"},
		{"kernels", "integer", "routines that ran"},
		{"live_bytes", "integer", "device memory in use, in bytes"},
		{"peak_bytes", "integer", "largest device memory in use so far, in bytes"},
		{"live_blocks", "integer", "allocations in use"},
		{"streams", "integer", "open streams"},
		{"events", "integer", "open events"},
		{"allocations", "integer", "allocations of at least one byte, failed ones included"},
		{"injected", "integer", "allocations that failed because the configuration made them fail"},
		{"devices", "table<integer, roclua.stats>?", "counts of each device, by its number from 0"},
	},
}

var traceClass = Class{
	Name:  "trace_call",
	About: "one call of HIP",
	Fields: []Field{
		{"call", "string", "its C name"},
		{"device", "integer", "number of the device that it is for"},
		{"bytes", "integer?", "size in bytes"},
		{"stream", "integer?", "number of the stream; 0 is the null stream"},
		{"ptr", "roclua.pointer?", "address"},
		{"result", "integer", "number of the hipError_t that it returned"},
		{"seconds", "number", "time of the call since the start of the case, in seconds"},
		{"duration", "number", "duration in seconds"},
		{"cause", "string", "why it was made: script, growth, create_handle, workspace_allocation and so on"},
		{"origin", "string", "file and line of the script"},
		{"synchronizing", "boolean", "whether the host waited"},
		{"injected", "string?", "why the configuration made the call fail"},
	},
}

var hazardClass = Class{
	Name: "hazard",
	About: "two accesses to the same memory by two streams that are not ordered, or an access to a host array by the " +
		"host that has not waited for a copy to the array",
	Fields: []Field{
		{"ptr", "roclua.pointer?", "first byte that both access; nil in a host array"},
		{"bytes", "integer", "number of bytes that both access"},
		{"earlier", "roclua.access", "the earlier access"},
		{"later", "roclua.access", "the later access"},
		{"text", "string", "the two accesses and the memory in words, as print shows them"},
	},
}

var unwrittenClass = Class{
	Name:  "unwritten_read",
	About: "a read of device memory that nothing had written since its allocation",
	Fields: []Field{
		{"call", "string", "C name of the call that read"},
		{"origin", "string", "file and line of the script"},
		{"stream", "integer", "number of the stream"},
		{"param", "string?", "the argument that names the memory; nil for a copy"},
		{"ptr", "roclua.pointer", "first byte that was not written"},
		{"bytes", "integer", "number of bytes that were not written"},
		{"allocated", "string", "file and line of the script that allocated the memory"},
		{"text", "string", "the read in words, as print shows it"},
	},
}

var graphClass = Class{Name: "graph", About: "the work that was captured in streams"}

var graphExecClass = Class{Name: "graph_exec", About: "a graph that can be launched"}

var graphNodeClass = Class{
	Name:  "graph_node",
	About: "a node of a graph",
	Fields: []Field{
		{"type", "integer", "hip.graph_node_type_kernel and so on"},
		{"call", "string?", "C name of the call that was captured; nil where the platform does not know it"},
		{"origin", "string?", "file and line of the script that made the call"},
		{"bytes", "integer?", "bytes that the node allocates, copies or sets, where the platform knows them"},
		{"ptr", "roclua.pointer?", "memory that the node allocates or frees"},
		{"dependencies", "integer[]", "indices of the nodes that it waits for"},
	},
}

var useClass = Class{
	Name:  "access",
	About: "one access to device memory or to a host array",
	Fields: []Field{
		{"call", "string", "C name of the call"},
		{"device", "integer", "number of the device of the stream"},
		{"stream", "integer", "number of the stream"},
		{"host", "boolean?", "true if the host accesses the memory, not a stream"},
		{"write", "boolean", "whether it writes"},
		{"origin", "string", "file and line of the script"},
		{"launched", "string?", "file and line that launched the graph, if the call is a node of a graph"},
		{"since", "string?", "what the call did to memory of a graph after its capture: freed or allocated"},
	},
}
