package api

import "math"

var (
	destroyedStream = Cause{"hip.error_invalid_handle", "the stream was destroyed"}
	destroyedEvent  = Cause{"hip.error_invalid_handle", "the event was destroyed"}
)

var hipStreams = []*Function{{
	Name: "stream_create", C: "hipStreamCreate", Status: HIPStatus,
	About:   "creates a stream on the current device",
	Results: []Result{{"stream", "roclua.stream", "the new stream"}},
}, {
	Name: "stream_create_with_flags", C: "hipStreamCreateWithFlags", Status: HIPStatus,
	About: "creates a stream on the current device; a non-blocking stream is not synchronized with the null " +
		"stream",
	Params: []Param{constant("flags", "hip.stream_default or hip.stream_non_blocking",
		"stream_default", "stream_non_blocking")},
	Results: []Result{{"stream", "roclua.stream", "the new stream"}},
}, {
	Name: "stream_destroy", C: "hipStreamDestroy", Status: HIPStatus,
	About:  "destroys a stream; work that is already queued still runs",
	Params: []Param{stream()},
	Errors: []Cause{{"hip.error_invalid_handle", "the stream was destroyed, or is the null stream"}},
}, {
	Name: "stream_synchronize", C: "hipStreamSynchronize", Status: HIPStatus,
	About:  "waits until all work of a stream is done",
	Params: []Param{stream()},
	Errors: []Cause{destroyedStream,
		{"hip.error_illegal_address", "a kernel of the stream accessed memory outside its arguments"}},
}, {
	Name: "stream_query", C: "hipStreamQuery", Status: HIPStatus,
	About: "returns whether all work of a stream is done: hip.success, or hip.error_not_ready, which is not " +
		"raised",
	Params: []Param{stream()},
	Errors: []Cause{destroyedStream},
}, {
	Name: "stream_wait_event", C: "hipStreamWaitEvent", Status: HIPStatus,
	About: "makes further work of a stream wait for an event; an event that was not recorded is ignored",
	Params: []Param{stream(), event("event", "the event"),
		withDefault(integer("flags", 0, 0, "must be 0"), int64(0))},
	Errors: []Cause{{"hip.error_invalid_handle", "the stream or the event was destroyed"}},
}, {
	Name: "launch_host_func", C: "hipLaunchHostFunc", Status: HIPStatus,
	About: "queues a call of a Lua function: it runs after the earlier work of the stream, and later work waits " +
		"until it has returned. A script has one thread, so the function runs in a later call that waits for the " +
		"stream, such as hip.stream_synchronize, which raises an error of the function. The function cannot make " +
		"calls of HIP, rocBLAS and rocSOLVER. Captured, it is a node that runs in each launch",
	Params: []Param{stream(), function("fn", "fun(user_data: any)", "the function"),
		optional(anything("user_data", "argument of the function"), "nil")},
	Errors: []Cause{destroyedStream, implicit,
		{"hip.error_not_permitted", "a function of hip.launch_host_func makes the call"}},
}}

var hipEvents = []*Function{{
	Name: "event_create", C: "hipEventCreate", Status: HIPStatus,
	About:   "creates an event on the current device",
	Results: []Result{{"event", "roclua.event", "the new event"}},
}, {
	Name: "event_record", C: "hipEventRecord", Status: HIPStatus,
	About:  "records an event in a stream; the event completes when all earlier work of the stream is done",
	Params: []Param{event("event", "the event"), stream()},
	Errors: []Cause{
		{"hip.error_invalid_handle", "the event or the stream was destroyed, or they belong to different devices"}},
}, {
	Name: "event_synchronize", C: "hipEventSynchronize", Status: HIPStatus,
	About:  "waits until an event completes",
	Params: []Param{event("event", "the event")},
	Errors: []Cause{destroyedEvent},
}, {
	Name: "event_query", C: "hipEventQuery", Status: HIPStatus,
	About:  "returns whether an event completed: hip.success, or hip.error_not_ready, which is not raised",
	Params: []Param{event("event", "the event")},
	Errors: []Cause{destroyedEvent},
}, {
	Name: "event_destroy", C: "hipEventDestroy", Status: HIPStatus,
	About:  "destroys an event; streams that already wait for it still do",
	Params: []Param{event("event", "the event")},
	Errors: []Cause{destroyedEvent},
}, {
	Name: "event_elapsed_time", C: "hipEventElapsedTime", Status: HIPStatus,
	About:   "returns the time between two events",
	Params:  []Param{event("start", "the first event"), event("stop", "the second event")},
	Results: []Result{{"ms", "number", "time in milliseconds"}},
	Errors: []Cause{{"hip.error_not_ready", "one of the events has not completed"},
		{"hip.error_invalid_handle", "an event was destroyed or not recorded, or they belong to different devices"}},
}}

var noDevice = Cause{"hip.error_invalid_device", "there is no device of that number"}

func deviceNumber() Param {
	return integer("device", math.MinInt32, math.MaxInt32, "number of the device, from 0")
}

var hipDevices = []*Function{{
	Name: "device_synchronize", C: "hipDeviceSynchronize", Status: HIPStatus,
	About:  "waits until all work of the current device is done",
	Errors: []Cause{{"hip.error_illegal_address", "a kernel accessed memory outside its arguments"}},
}, {
	Name: "get_device_count", C: "hipGetDeviceCount", Status: HIPStatus,
	About:   "returns the number of devices",
	Results: []Result{integerResult("count", "number of devices")},
}, {
	Name: "get_device", C: "hipGetDevice", Status: HIPStatus,
	About:   "returns the current device",
	Results: []Result{integerResult("device", "number of the device, from 0")},
}, {
	Name: "set_device", C: "hipSetDevice", Status: HIPStatus,
	About:  "makes a device the current one",
	Params: []Param{deviceNumber()},
	Errors: []Cause{noDevice},
}, {
	Name: "get_device_properties", C: "hipGetDeviceProperties", Status: HIPStatus,
	About:   "returns the properties of a device",
	Params:  []Param{optional(deviceNumber(), "the current device")},
	Results: []Result{{"properties", "roclua.properties", "name, gcn_arch_name, total_global_mem and so on"}},
	Errors:  []Cause{noDevice},
}, {
	Name: "device_get_attribute", C: "hipDeviceGetAttribute", Status: HIPStatus,
	About: "returns one attribute of a device",
	Params: []Param{integer("attribute", math.MinInt32, math.MaxInt32, "a constant hip.device_attribute_..."),
		optional(deviceNumber(), "the current device")},
	Results: []Result{integerResult("value", "value of the attribute")},
	Errors:  []Cause{noDevice, {"hip.error_invalid_value", "there is no such attribute"}},
}}

var hipRecords = []*Function{{
	Name:    "stats",
	About:   "returns counts of the calls made so far and the device memory in use",
	Results: []Result{{"stats", "roclua.stats", "calls and waits by name, kernels, live and peak bytes, allocations"}},
}, {
	Name:    "trace",
	About:   "returns the calls of HIP made since hip.trace was last called, in order",
	Results: []Result{{"calls", "roclua.trace_call[]", "name, bytes, stream, result, cause and so on of each call"}},
}, {
	Name: "hazards",
	About: "returns the pairs of unordered accesses to the same memory by two streams, or by a stream and the host, " +
		"that were found since hip.hazards was last called",
	Results: []Result{{"hazards", "roclua.hazard[]", "the memory and the two accesses"}},
}, {
	Name: "unwritten_reads",
	About: "returns the reads of device memory that nothing had written since its allocation, found since " +
		"hip.unwritten_reads was last called",
	Results: []Result{{"reads", "roclua.unwritten_read[]", "the call, the memory and its allocation"}},
}}
