package manual

// hip describes a function of HIP.
func hip(name, c, about string, args, returns []Value) Entry {
	return Entry{Owner: "hip", Name: name, C: c, Status: hipStatus, Args: args, Returns: returns, About: about}
}

// ours describes a function that only this program has.
func ours(name, about string, args, returns []Value) Entry {
	return Entry{Owner: "hip", Name: name, Args: args, Returns: returns, About: about}
}

var hipFunctions = []Entry{
	hip("malloc", "hipMalloc", "allocates device memory; the host waits for the device", values("size integer: bytes"), values("ptr roclua.pointer?: nil for 0 bytes")),
	hip("free", "hipFree", "frees device memory; the host waits for the device", values("ptr roclua.pointer?: what malloc gave, or nil"), nil),
	hip("malloc_async", "hipMallocAsync", "allocates from the device's pool in stream order", values("size integer: bytes", "stream roclua.stream?: nil is the null stream"),
		values("ptr roclua.pointer?: nil for 0 bytes")),
	hip("free_async", "hipFreeAsync", "gives memory back to the pool in stream order", values("ptr roclua.pointer?: what malloc_async gave", "stream roclua.stream?: nil is the null stream"), nil),
	hip("memcpy", "hipMemcpy", "copies between arrays and device addresses and waits", values("dst roclua.array|roclua.pointer: where to", "src roclua.array|roclua.pointer: where from",
		"size integer: bytes", "kind? integer: memcpy_host_to_device and so on, which must fit the places"), nil),
	hip("memcpy_async", "hipMemcpyAsync", "copies in stream order", values("dst roclua.array|roclua.pointer: where to", "src roclua.array|roclua.pointer: where from",
		"size integer: bytes", "kind integer?: nil leaves it to the places", "stream roclua.stream?: nil is the null stream"), nil),
	hip("memset", "hipMemset", "sets bytes and waits", values("dst roclua.pointer: where", "value integer: of each byte", "size integer: bytes"), nil),
	hip("memset_async", "hipMemsetAsync", "sets bytes in stream order", values("dst roclua.pointer: where", "value integer: of each byte", "size integer: bytes",
		"stream roclua.stream?: nil is the null stream"), nil),
	hip("mem_get_info", "hipMemGetInfo", "tells the device's memory", nil, values("free integer: bytes", "total integer: bytes")),
	hip("mem_pool_trim_to", "hipMemPoolTrimTo", "gives pool memory that nobody holds back to the device", values("min_bytes_to_hold integer: what the pool may keep"), nil),
	hip("stream_create", "hipStreamCreate", "makes a stream", nil, values("stream roclua.stream: the new stream")),
	hip("stream_create_with_flags", "hipStreamCreateWithFlags", "makes a stream; a non-blocking one takes no part in the null stream's order",
		values("flags integer: stream_default or stream_non_blocking"), values("stream roclua.stream: the new stream")),
	hip("stream_destroy", "hipStreamDestroy", "destroys a stream", values("stream roclua.stream: the stream"), nil),
	hip("stream_synchronize", "hipStreamSynchronize", "waits for a stream", values("stream roclua.stream?: nil is the null stream"), nil),
	hip("stream_query", "hipStreamQuery", "tells by its status whether a stream has work left (error_not_ready)", values("stream roclua.stream?: nil is the null stream"), nil),
	hip("stream_wait_event", "hipStreamWaitEvent", "lets a stream wait for an event", values("stream roclua.stream?: nil is the null stream", "event roclua.event: the event", "flags? integer: 0"), nil),
	hip("device_synchronize", "hipDeviceSynchronize", "waits for every stream and reports what kernels met", nil, nil),
	hip("event_create", "hipEventCreate", "makes an event", nil, values("event roclua.event: the new event")),
	hip("event_record", "hipEventRecord", "marks a point of a stream", values("event roclua.event: the event", "stream roclua.stream?: nil is the null stream"), nil),
	hip("event_synchronize", "hipEventSynchronize", "waits until an event is reached", values("event roclua.event: the event"), nil),
	hip("event_query", "hipEventQuery", "tells by its status whether an event is reached (error_not_ready)", values("event roclua.event: the event"), nil),
	hip("event_destroy", "hipEventDestroy", "destroys an event", values("event roclua.event: the event"), nil),
	hip("event_elapsed_time", "hipEventElapsedTime", "tells the time between two events", values("start roclua.event: the first", "stop roclua.event: the second"), values("ms number: milliseconds")),
	hip("get_device_count", "hipGetDeviceCount", "tells how many devices there are", nil, values("count integer: devices")),
	hip("get_device", "hipGetDevice", "tells the current device", nil, values("device integer: from 0")),
	hip("set_device", "hipSetDevice", "makes a device the current one", values("device integer: from 0"), nil),
	hip("get_device_properties", "hipGetDeviceProperties", "describes a device", values("device? integer: from 0, else the current one"),
		values("properties roclua.properties: name, gcn_arch_name, total_global_mem and more")),
	hip("device_get_attribute", "hipDeviceGetAttribute", "tells one number about a device", values("attribute integer: a constant hip.device_attribute_...", "device? integer: from 0, else the current one"),
		values("value integer: the attribute")),
	ours("upload", "allocates device memory for an array and copies it there", values("array roclua.array: the array"), values("ptr roclua.pointer?: free it with hip.free")),
	ours("download", "fills an array from device memory", values("array roclua.array: what to fill", "ptr roclua.pointer: where from"), values("array roclua.array: the same array")),
	ours("stats", "tells what was called so far", nil, values("stats roclua.stats: calls and syncs by name, kernels, live and peak bytes, allocations and those that were made to fail")),
	ours("trace", "drains the calls of HIP made since it was last called, in order", nil, values("calls roclua.trace_call[]: name, bytes, stream, result, cause, ...")),
	ours("hazards", "drains the uses of one memory by two streams without an order between them", nil, values("hazards roclua.hazard[]: where, and the two uses")),
}
