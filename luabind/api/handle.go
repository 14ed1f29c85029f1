package api

func bufferSizes() Param { return variadic(bytes("bytes", "size in bytes of each buffer")) }

func handleClass() *Class {
	return &Class{
		Name: "handle", Receiver: "handle", kind: Handle,
		About: "a rocblas_handle; every function of rocblas and rocsolver whose first parameter is a handle is also " +
			"a method: handle:dgetrf{ m = 512, n = 512 }",
		Methods: []*Function{
			declare("query", "calls a function inside a size query, which is stopped also when the function raises "+
				"an error",
				function("calls", "fun(handle: roclua.handle)", "function that makes the calls"),
				optional(bytes("unknown", "bytes that count for a call whose workspace is not known"), "")).
				returns("bytes", "integer?", "workspace in bytes: "+largestNeed+unknownNeed).
				returns("reason", "string?", "the reason for a nil").orReason(),
			declare("close", "destroys the handle; a second close does nothing"),
			declare("set_optimal_device_memory_size", "reports the workspace of one call to the open size query, for "+
				"a routine that a script defines",
				bufferSizes()).withStatus(RocBLASStatus).raises(queryMismatch),
			declare("prepare", "reads and checks the arguments of a routine once, for a call that is made many times",
				text("routine", "name of the routine, such as dgemm or rocsolver_dtrtri"),
				Param{Name: "arguments", Kind: List, About: "the named arguments of the routine, without the handle"}).
				returns("call", "roclua.prepared", "the prepared call"),
			declare("gemm_kernel", "returns the kernel of the tuning files that a GEMM would use "+
				"now: it depends on the memory of the handle that is free; without arrays the result "+
				"replaces C; in device pointer mode "+
				"it copies the scalars, as the call does",
				Param{Name: "arguments", Kind: List, About: "the named arguments of the product, without the handle"},
				optional(text("routine", "name of the routine, such as sgemm_batched"), "gemm_ex")).
				returns("name", "string?", "the kernel").
				returns("split", "integer?", "parts of the sum over k that it computes in parallel").
				returns("bytes", "integer?", "workspace that it wants").
				returns("reason", "string?", "why it runs none, or why it is not known").orReason(),
			declare("device_malloc", "allocates buffers in the device memory of the handle, for a routine that a "+
				"script defines, as the public rocblas_device_malloc does; the library ignores the failure of a "+
				"stream-ordered allocation, whose first buffer is then nil",
				bufferSizes()).
				returns("allocation", "roclua.allocation?", "the buffers; nil when the memory is too small").
				returns("error", "roclua.error?", "the reason for a nil").orReason(),
		},
	}
}

func allocationClass() *Class {
	return &Class{
		Name: "allocation", Receiver: "allocation", kind: Allocation,
		About: "workspace that handle:device_malloc allocated; allocation[i] is the address of buffer i, " +
			"#allocation is the number of buffers",
		Fields: []Field{{"bytes", "integer", "size in bytes, each buffer rounded up to a multiple of 64"}},
		Methods: []*Function{
			declare("release", "releases the buffers; allocations must be released in the reverse order of "+
				"device_malloc"),
		},
	}
}

func preparedClass() *Class {
	return &Class{
		Name: "prepared", Receiver: "prepared", kind: Prepared,
		About: "a routine call with checked arguments; prepared() makes the call and returns its results",
		Methods: []*Function{
			declare("set", "changes arguments; defaults that depend on them, such as leading dimensions, change too",
				Param{Name: "arguments", Kind: List, About: "the named arguments that change"}),
		},
	}
}
