package api

import (
	"slices"

	c "roclua/hip/function"
	"roclua/hip/routine"
	"roclua/workspace/status"
)

func rocblas() *Module {
	return &Module{
		Name:  "rocblas",
		About: "handles and their device memory, the constants of the library, and the BLAS routines",
		Functions: inLibrary("rocblas_", handleFunctions(), memoryFunctions(), transferFunctions(),
			libraryFunctions()),
		Constants: rocblasConstants(),
		Library:   of(routine.RocBLAS),
	}
}

// rocblasConstants lists the enumerations, then the statuses.
func rocblasConstants() []Constant {
	list := enumerated(routine.RocBLAS)
	for _, s := range status.All() {
		list = append(list, Constant{"status_" + s.Short(), int64(s), string(RocBLASStatus), s.Meaning()})
	}
	return list
}

// enumerated lists the constants of the enumerations of a library.
func enumerated(library routine.Library) (list []Constant) {
	types := map[routine.Kind]string{}
	for _, c := range routine.Constants {
		if c.Library == library {
			if types[c.Enum] == "" {
				types[c.Enum] = enumType(c.Enum)
			}
			list = append(list, Constant{c.Name, c.Value, types[c.Enum], ""})
		}
	}
	return list
}

// inLibrary completes the declarations of functions of rocBLAS or rocSOLVER: one that takes a handle first is a method
// of it.
func inLibrary(prefix string, groups ...[]*Function) []*Function {
	list := slices.Concat(groups...)
	for _, f := range list {
		f.C = prefix + f.Name
		if row, ok := c.Lookup(f.C); ok && row.Returns == c.Status {
			f.Status = RocBLASStatus
		}
		f.Method = len(f.Params) > 0 && f.Params[0].Kind == Handle
	}
	return list
}

const (
	pointerModes = "rocblas.pointer_mode_host or rocblas.pointer_mode_device"
	atomicsModes = "rocblas.atomics_allowed or rocblas.atomics_not_allowed"
	mathModes    = "rocblas.default_math or rocblas.xf32_xdl_math_op"
)

func handleFunctions() []*Function {
	return []*Function{
		declare("create_handle", "creates a handle on the current device and allocates its first device memory; the "+
			"environment variables ROCBLAS_DEVICE_MEMORY_SIZE and ROCBLAS_STREAM_ORDER_ALLOC decide its size and "+
			"kind, ROCBLAS_DEFAULT_ATOMICS_MODE its atomics mode, ROCBLAS_CHECK_NUMERICS the checks of numbers").
			returns("handle", "roclua.handle", "the new handle").
			fails("rocblas.status_memory_error", "the device has too little free memory"),
		declare("destroy_handle", "destroys a handle and frees the device memory that the library allocated for it",
			handle()),
		declare("set_stream", "sets the stream of a handle; does not wait and does not allocate", handle(), stream()).
			fails("rocblas.status_invalid_value", "the stream was destroyed"),
		declare("get_stream", "returns the stream of a handle", handle()).
			returns("stream", "roclua.stream|integer?",
				"the stream, hip.stream_legacy or hip.stream_per_thread; nil is the null stream"),
		declare("set_pointer_mode", "sets whether scalars and results are in host memory or in device memory", handle(),
			enum("pointer_mode", routine.PointerMode, pointerModes)),
		declare("get_pointer_mode", "returns whether scalars and results are in host memory or in device memory",
			handle()).returns("pointer_mode", "integer", pointerModes),
		declare("set_atomics_mode", "sets whether kernels may use atomic operations", handle(),
			enum("atomics_mode", routine.AtomicsMode, atomicsModes)),
		declare("get_atomics_mode", "returns whether kernels may use atomic operations", handle()).
			returns("atomics_mode", "integer", atomicsModes),
		declare("set_math_mode", "sets the precision of products in single precision; a mode that the architecture "+
			"does not have leaves the mode unchanged",
			handle(), enum("math_mode", routine.MathMode, mathModes)),
		declare("get_math_mode", "returns the precision of products in single precision", handle()).
			returns("math_mode", "integer", mathModes),
		declare("set_performance_metric", "sets the criterion by which kernels of matrix products are chosen; the "+
			"model has no such kernels",
			handle(), enum("metric", routine.PerformanceMetric, "the metric")),
		declare("get_performance_metric", "returns the criterion by which kernels of matrix products are chosen",
			handle()).returns("metric", "integer", "the metric"),
	}
}

const (
	largestNeed = "the most that one of the calls needs, not the sum"
	unknownNeed = "; nil if the need of a call is unknown"
)

var (
	queryMismatch = Cause{"rocblas.status_size_query_mismatch", "the handle has no open size query"}
	memoryInUse   = Cause{"rocblas.status_internal_error", "an allocation of handle:device_malloc is not released"}
)

func memoryFunctions() []*Function {
	return []*Function{
		declare("start_device_memory_size_query", "starts a size query: until it is stopped, calls with the handle "+
			"compute nothing and only report the workspace they need",
			handle()).fails("rocblas.status_size_query_mismatch", "the handle already has an open size query"),
		declare("stop_device_memory_size_query", "stops a size query and returns the workspace that its calls need",
			handle()).returns("size", "integer?", "workspace in bytes: "+largestNeed+unknownNeed).raises(queryMismatch),
		declare("is_device_memory_size_query", "returns whether a size query is open; false for the null handle",
			handle()).returns("open", "boolean", "whether a size query is open"),
		declare("get_device_memory_size", "returns the size of the device memory of a handle", handle()).
			returns("size", "integer", "size in bytes"),
		declare("set_device_memory_size", "frees the device memory of a handle and allocates memory of a fixed size; "+
			"with size 0 the library manages the memory again; has no effect on rocm-7.1",
			handle(), bytes("size", "size in bytes, rounded up to a multiple of 64")).raises(memoryInUse).
			fails("rocblas.status_memory_error", "the device has too little free memory; the old memory is freed "+
				"nevertheless"),
		declare("set_workspace", "frees the device memory of a handle and makes it use memory of the caller; with a "+
			"null pointer or size 0 the library manages the memory again, beginning with 0 bytes",
			handle(), pointer("addr", "device memory"),
			bytes("size", "size in bytes; the library also accepts sizes above 2^53, which no number of Lua has")).
			raises(memoryInUse),
		declare("device_malloc_set_default_memory_size", "sets the size of the first device memory of the next "+
			"handle, which the library manages; 0 is the default size; has no effect if the environment sets a size, "+
			"or on rocm-7.1",
			bytes("size", "size in bytes")),
		declare("is_managing_device_memory", "returns whether the library manages the device memory of a handle, and "+
			"enlarges it when a call needs more",
			handle()).returns("managing", "boolean", "whether the library manages the memory"),
		declare("is_user_managing_device_memory", "returns whether the caller set the size of the device memory of a "+
			"handle; false when the caller provides the memory",
			handle()).returns("managing", "boolean", "whether the caller set the size"),
	}
}

func libraryFunctions() []*Function {
	return []*Function{
		declare("sizeof_datatype", "returns the size of one element of a datatype; in C++ it is an internal function "+
			"of rocBLAS, which is in no public header and not exported",
			enum("type", routine.Datatype, "the datatype")).returns("bytes", "integer", "size in bytes"),
		declare("status_to_string", "returns the C name of a status, or \"<undefined rocblas_status value>\"",
			Param{Name: "status", Kind: Status, About: "the status"}).returns("name", "string", "the name"),
		declare("get_version_string", "returns the version of rocBLAS whose behavior the profile reproduces").
			returns("version", "string", "the version"),
		declare("get_version_string_size",
			"returns the size of the version string in bytes, with its terminating zero").
			returns("bytes", "integer", "size in bytes"),
		declare("pointer_to_mode", "returns the pointer mode for a scalar at an address",
			memory("ptr", "a device pointer or a host array")).returns("pointer_mode", "integer", pointerModes),
		declare("initialize", "loads the kernels of matrix products, which otherwise the first product loads; the "+
			"model has none"),
	}
}
