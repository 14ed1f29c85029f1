package api

func bufferSizes() Param { return variadic(bytes("bytes", "size in bytes of each buffer")) }

var handleClass = Class{
	Name: "handle", Receiver: "handle",
	About: "a rocblas_handle; every function of rocblas and rocsolver whose first parameter is a handle is also " +
		"a method: handle:dgetrf{ m = 512, n = 512 }",
	Methods: []*Function{{
		Name: "query", Receiver: Handle,
		About: "calls a function inside a size query, which is stopped also when the function raises an error",
		Params: []Param{function("calls", "fun(handle: roclua.handle)", "function that makes the calls"),
			optional(bytes("unknown", "bytes that count for a call whose workspace is not known"), "")},
		Reason: true,
		Results: []Result{{"bytes", "integer?", "workspace in bytes: " + largestNeed + unknownNeed},
			{"reason", "string?", "the reason for a nil"}},
	}, {
		Name: "close", Receiver: Handle,
		About: "destroys the handle; a second close does nothing",
	}, {
		Name: "set_optimal_device_memory_size", Receiver: Handle, Status: RocBLASStatus,
		About:  "reports the workspace of one call to the open size query, for a routine that a script defines",
		Params: []Param{bufferSizes()},
		Errors: []Cause{queryMismatch},
	}, {
		Name: "device_malloc", Receiver: Handle,
		About: "allocates buffers in the device memory of the handle, for a routine that a script defines, as the " +
			"public rocblas_device_malloc does; the library ignores the failure of a stream-ordered allocation, " +
			"whose first buffer is then nil",
		Params: []Param{bufferSizes()},
		Reason: true,
		Results: []Result{{"allocation", "roclua.allocation?", "the buffers; nil when the memory is too small"},
			{"error", "roclua.error?", "the reason for a nil"}},
	}},
}

var allocationClass = Class{
	Name: "allocation", Receiver: "allocation",
	About: "workspace that handle:device_malloc allocated; allocation[i] is the address of buffer i, " +
		"#allocation is the number of buffers",
	Fields: []Field{{"bytes", "integer", "size in bytes, each buffer rounded up to a multiple of 64"}},
	Methods: []*Function{{
		Name: "release", Receiver: Allocation,
		About: "releases the buffers; allocations must be released in the reverse order of device_malloc",
	}},
}
