package api

import (
	"roclua/hip/routine"
	"roclua/workspace/status"
)

var (
	blasLibrary   = routine.RocBLAS
	solverLibrary = routine.RocSOLVER
)

var rocblas = Module{
	Name:    "rocblas",
	About:   "handles and their device memory, the constants of the library, and the BLAS routines",
	Library: &blasLibrary,
}

var rocsolver = Module{
	Name:    "rocsolver",
	About:   "the LAPACK routines of the library",
	Library: &solverLibrary,
}

// rocblasConstants lists the enumerations, then the statuses.
func rocblasConstants() []Constant {
	var list []Constant
	list = append(list, enumerated(routine.RocBLAS)...)
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

// enumType returns the type of the values of an enumeration: "rocblas.operation".
func enumType(kind routine.Kind) string {
	return routine.EnumLibrary(kind).String() + "." + routine.EnumName(kind)
}

// rocblasFunctions completes the declarations: those that take a handle first are methods of it.
func rocblasFunctions() []*Function {
	var list []*Function
	for _, group := range [][]*Function{handleFunctions, memoryFunctions, transferFunctions(), libraryFunctions} {
		for _, f := range group {
			f.C = "rocblas_" + f.Name
			f.Method = len(f.Params) > 0 && f.Params[0].Kind == Handle
			list = append(list, f)
		}
	}
	return list
}

const (
	pointerModes = "rocblas.pointer_mode_host or rocblas.pointer_mode_device"
	atomicsModes = "rocblas.atomics_allowed or rocblas.atomics_not_allowed"
	mathModes    = "rocblas.default_math or rocblas.xf32_xdl_math_op"
)

var handleFunctions = []*Function{{
	Name: "create_handle", Status: RocBLASStatus,
	About: "creates a handle on the current device and allocates its first device memory; " +
		"the environment variables ROCBLAS_DEVICE_MEMORY_SIZE and ROCBLAS_STREAM_ORDER_ALLOC decide its size " +
		"and kind, ROCBLAS_DEFAULT_ATOMICS_MODE its atomics mode",
	Results: []Result{{"handle", "roclua.handle", "the new handle"}},
	Errors:  []Cause{{"rocblas.status_memory_error", "the device has too little free memory"}},
}, {
	Name: "destroy_handle", Status: RocBLASStatus,
	About:  "destroys a handle and frees the device memory that the library allocated for it",
	Params: []Param{handle()},
}, {
	Name: "set_stream", Status: RocBLASStatus,
	About:  "sets the stream of a handle; does not wait and does not allocate",
	Params: []Param{handle(), stream()},
	Errors: []Cause{{"rocblas.status_invalid_value", "the stream was destroyed"}},
}, {
	Name: "get_stream", Status: RocBLASStatus,
	About:   "returns the stream of a handle",
	Params:  []Param{handle()},
	Results: []Result{{"stream", "roclua.stream?", "the stream; nil is the null stream"}},
}, {
	Name: "set_pointer_mode", Status: RocBLASStatus,
	About:  "sets whether scalars and results are in host memory or in device memory",
	Params: []Param{handle(), enum("pointer_mode", routine.PointerMode, pointerModes)},
}, {
	Name: "get_pointer_mode", Status: RocBLASStatus,
	About:   "returns whether scalars and results are in host memory or in device memory",
	Params:  []Param{handle()},
	Results: []Result{integerResult("pointer_mode", pointerModes)},
}, {
	Name: "set_atomics_mode", Status: RocBLASStatus,
	About:  "sets whether kernels may use atomic operations",
	Params: []Param{handle(), enum("atomics_mode", routine.AtomicsMode, atomicsModes)},
}, {
	Name: "get_atomics_mode", Status: RocBLASStatus,
	About:   "returns whether kernels may use atomic operations",
	Params:  []Param{handle()},
	Results: []Result{integerResult("atomics_mode", atomicsModes)},
}, {
	Name: "set_math_mode", Status: RocBLASStatus,
	About: "sets the precision of products in single precision; a mode that the architecture does not have leaves " +
		"the mode unchanged",
	Params: []Param{handle(), enum("math_mode", routine.MathMode, mathModes)},
}, {
	Name: "get_math_mode", Status: RocBLASStatus,
	About:   "returns the precision of products in single precision",
	Params:  []Param{handle()},
	Results: []Result{integerResult("math_mode", mathModes)},
}, {
	Name: "set_performance_metric", Status: RocBLASStatus,
	About:  "sets the criterion by which kernels of matrix products are chosen; the model has no such kernels",
	Params: []Param{handle(), enum("metric", routine.PerformanceMetric, "the metric")},
}, {
	Name: "get_performance_metric", Status: RocBLASStatus,
	About:   "returns the criterion by which kernels of matrix products are chosen",
	Params:  []Param{handle()},
	Results: []Result{integerResult("metric", "the metric")},
}}

const (
	largestNeed = "the most that one of the calls needs, not the sum"
	unknownNeed = "; nil when that of a call is not known"
)

var (
	queryMismatch = Cause{"rocblas.status_size_query_mismatch", "the handle has no open size query"}
	memoryInUse   = Cause{"rocblas.status_internal_error", "an allocation of handle:device_malloc is not released"}
)

var memoryFunctions = []*Function{{
	Name: "start_device_memory_size_query", Status: RocBLASStatus,
	About: "starts a size query: until it is stopped, calls with the handle compute nothing and only report " +
		"the workspace they need",
	Params: []Param{handle()},
	Errors: []Cause{{"rocblas.status_size_query_mismatch", "the handle already has an open size query"}},
}, {
	Name: "stop_device_memory_size_query", Status: RocBLASStatus,
	About:   "stops a size query and returns the workspace that its calls need",
	Params:  []Param{handle()},
	Results: []Result{{"size", "integer?", "workspace in bytes: " + largestNeed + unknownNeed}},
	Errors:  []Cause{queryMismatch},
}, {
	Name:    "is_device_memory_size_query",
	About:   "returns whether a size query is open; false for the null handle",
	Params:  []Param{handle()},
	Results: []Result{booleanResult("open", "whether a size query is open")},
}, {
	Name: "get_device_memory_size", Status: RocBLASStatus,
	About:   "returns the size of the device memory of a handle",
	Params:  []Param{handle()},
	Results: []Result{integerResult("size", "size in bytes")},
}, {
	Name: "set_device_memory_size", Status: RocBLASStatus,
	About: "frees the device memory of a handle and allocates memory of a fixed size; with size 0 the library " +
		"manages the memory again; has no effect on rocm-7.1",
	Params: []Param{handle(), bytes("size", "size in bytes, rounded up to a multiple of 64")},
	Errors: []Cause{memoryInUse,
		{"rocblas.status_memory_error", "the device has too little free memory; the old memory is freed nevertheless"}},
}, {
	Name: "set_workspace", Status: RocBLASStatus,
	About: "frees the device memory of a handle and makes it use memory of the caller; " +
		"with a null pointer or size 0 the library manages the memory again, beginning with 0 bytes",
	Params: []Param{handle(), pointer("addr", "device memory"), bytes("size", "size in bytes")},
	Errors: []Cause{memoryInUse},
}, {
	Name: "device_malloc_set_default_memory_size",
	About: "sets the size of the first device memory of the next handle, which the library manages; 0 is the " +
		"default size; has no effect if the environment sets a size, or on rocm-7.1",
	Params: []Param{bytes("size", "size in bytes")},
}, {
	Name: "is_managing_device_memory",
	About: "returns whether the library manages the device memory of a handle, and enlarges it when a call " +
		"needs more",
	Params:  []Param{handle()},
	Results: []Result{booleanResult("managing", "whether the library manages the memory")},
}, {
	Name: "is_user_managing_device_memory",
	About: "returns whether the caller set the size of the device memory of a handle; false when the caller " +
		"provides the memory",
	Params:  []Param{handle()},
	Results: []Result{booleanResult("managing", "whether the caller set the size")},
}}

var libraryFunctions = []*Function{{
	Name:    "sizeof_datatype",
	About:   "returns the size of one element of a datatype",
	Params:  []Param{enum("type", routine.Datatype, "the datatype")},
	Results: []Result{integerResult("bytes", "size in bytes")},
}, {
	Name:    "status_to_string",
	About:   "returns the C name of a status",
	Params:  []Param{{Name: "status", Kind: Status, About: "the status"}},
	Results: []Result{{"name", "string", "the name"}},
}, {
	Name: "get_version_string", Status: RocBLASStatus,
	About:   "returns the version of rocBLAS whose behavior the profile reproduces",
	Results: []Result{{"version", "string", "the version"}},
}, {
	Name: "get_version_string_size", Status: RocBLASStatus,
	About:   "returns the size of the version string in bytes, with its terminating zero",
	Results: []Result{integerResult("bytes", "size in bytes")},
}, {
	Name:    "pointer_to_mode",
	About:   "returns the pointer mode for a scalar at an address",
	Params:  []Param{memory("ptr", "a device pointer or a host array")},
	Results: []Result{integerResult("pointer_mode", pointerModes)},
}, {
	Name:  "initialize",
	About: "loads the kernels of matrix products, which otherwise the first product loads; the model has none",
}}
