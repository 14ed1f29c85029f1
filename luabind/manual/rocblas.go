package manual

const (
	rocblasStatus = "roclua.status"
	hipStatus     = "roclua.hip_status"
)

// rocblas describes a function of rocBLAS that takes a handle first.
func rocblas(name, about string, args, returns []Value) Entry {
	return Entry{Owner: "rocblas", Name: name, C: "rocblas_" + name, Status: rocblasStatus, About: about,
		Args: append(values("handle roclua.handle: the handle"), args...), Returns: returns}
}

var rocblasFunctions = []Entry{
	{Owner: "rocblas", Name: "create_handle", C: "rocblas_create_handle", Status: rocblasStatus, Returns: values("handle roclua.handle: the new handle"),
		About: "makes a handle on the current device; the environment at this moment decides its first memory"},
	rocblas("destroy_handle", "destroys a handle and frees the memory that the library allocated for it", nil, nil),
	rocblas("set_stream", "chooses the stream of further calls; it neither waits nor allocates", values("stream roclua.stream?: nil is the null stream"), nil),
	rocblas("get_stream", "tells the stream of a handle", nil, values("stream roclua.stream?: nil is the null stream")),
	rocblas("set_pointer_mode", "tells whether scalars and results lie on the host or on the device", values("pointer_mode rocblas.pointer_mode: pointer_mode_host or pointer_mode_device"), nil),
	rocblas("get_pointer_mode", "tells where scalars and results lie", nil, values("pointer_mode integer: the mode")),
	rocblas("set_atomics_mode", "tells whether kernels may use atomic operations", values("atomics_mode rocblas.atomics_mode: atomics_allowed or atomics_not_allowed"), nil),
	rocblas("get_atomics_mode", "tells whether kernels may use atomic operations", nil, values("atomics_mode integer: the mode")),
	rocblas("start_device_memory_size_query", "begins a size query: calls through the handle only tell what memory they need", nil, nil),
	rocblas("stop_device_memory_size_query", "ends a size query", nil, values("size integer: bytes of the call that needed most")),
	rocblas("get_device_memory_size", "tells the nominal bytes of a handle's memory", nil, values("size integer: bytes")),
	rocblas("set_device_memory_size", "frees the handle's memory and allocates bytes, rounded up to 64, that the user manages; 0 goes back to managed memory",
		values("size integer: bytes"), nil),
	rocblas("set_workspace", "makes the user's own memory the handle's; nil or 0 goes back to managed memory of size 0",
		values("addr roclua.pointer?: device memory", "size integer: its bytes"), nil),
	{Owner: "rocblas", Name: "is_managing_device_memory", C: "rocblas_is_managing_device_memory", Args: values("handle roclua.handle: the handle"),
		Returns: values("managing boolean: whether the library decides over the memory"), About: "tells whether the library manages the handle's memory"},
	{Owner: "rocblas", Name: "is_user_managing_device_memory", C: "rocblas_is_user_managing_device_memory", Args: values("handle roclua.handle: the handle"),
		Returns: values("managing boolean: whether the user set the size"), About: "tells whether the user set the size of memory that the library allocated"},
	{Owner: "rocblas", Name: "sizeof_datatype", C: "rocblas_sizeof_datatype", Args: values("type rocblas.datatype: a datatype"),
		Returns: values("bytes integer: of one element"), About: "tells the bytes of one element of a datatype"},
	{Owner: "rocblas", Name: "status_to_string", C: "rocblas_status_to_string", Args: values("status roclua.status|integer: a status or its number"),
		Returns: values("name string: as in C"), About: "names a status"},
	{Owner: "rocblas", Name: "get_version_string", C: "rocblas_get_version_string", Status: rocblasStatus,
		Returns: values("version string: of rocBLAS"), About: "tells the version of rocBLAS that the profile reproduces"},
}

var rocsolverFunctions = []Entry{
	{Owner: "rocsolver", Name: "get_version_string", C: "rocsolver_get_version_string", Status: rocblasStatus,
		Returns: values("version string: of rocSOLVER"), About: "tells the version of rocSOLVER that the profile reproduces"},
}

var handleMethods = []Entry{
	{Owner: "handle", Name: "query", Args: values("calls fun(handle:roclua.handle): makes the calls"), Returns: values("bytes integer: of the call that needed most"),
		About: "runs a function inside a size query, which is closed also when the function fails"},
	{Owner: "handle", Name: "close", About: "destroys the handle; closing twice does nothing"},
	{Owner: "handle", Name: "is_device_memory_size_query", Returns: values("open boolean: whether a size query is open"),
		About: "tells a routine of your own whether it only has to tell what it needs"},
	{Owner: "handle", Name: "set_optimal_device_memory_size", Status: rocblasStatus, Args: values("bytes integer: of the first buffer", "...? integer: of further buffers"),
		About: "answers a size query for a routine of your own"},
	{Owner: "handle", Name: "device_malloc", Args: values("bytes integer: of the first buffer", "...? integer: of further buffers"),
		Returns: values("loan roclua.loan?: nil when there is not enough memory"), About: "borrows memory of the handle for a routine of your own"},
}

var loanMethods = []Entry{
	{Owner: "loan", Name: "release", About: "gives the memory back; loans end in the reverse order of their making"},
}
