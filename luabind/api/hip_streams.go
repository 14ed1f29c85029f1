package api

import "math"

var (
	destroyedStream = Cause{"hip.error_invalid_handle", "the stream was destroyed"}
	destroyedEvent  = Cause{"hip.error_invalid_handle", "the event was destroyed"}
)

var streamFlags = []string{"stream_default", "stream_non_blocking"}

func hipStreams() []*Function {
	return []*Function{
		declare("stream_create", "creates a stream on the current device").
			returns("stream", "roclua.stream", "the new stream"),
		declare("stream_create_with_flags", "creates a stream on the current device; a non-blocking stream is not "+
			"synchronized with the null stream",
			constant("flags", "hip.stream_default or hip.stream_non_blocking", streamFlags...)).
			returns("stream", "roclua.stream", "the new stream"),
		declare("stream_destroy", "destroys a stream; work that is already queued still runs", stream()).
			fails("hip.error_invalid_handle", "the stream was destroyed, or is the null stream"),
		declare("stream_synchronize", "waits until all work of a stream is done", stream()).raises(destroyedStream).
			fails("hip.error_illegal_address", "a kernel of the stream accessed memory outside its arguments"),
		declare("stream_query", "returns whether all work of a stream is done: hip.success, or hip.error_not_ready, "+
			"which is not raised",
			stream()).raises(destroyedStream),
		declare("stream_wait_event", "makes further work of a stream wait for an event; an event that was not "+
			"recorded is ignored",
			stream(), event("event", "the event"), withDefault(integer("flags", 0, 0, "must be 0"), int64(0))).
			fails("hip.error_invalid_handle", "the stream or the event was destroyed"),
		declare("launch_host_func", "queues a call of a Lua function: it runs after the earlier work of the stream, "+
			"and later work waits until it has returned. A script has one thread, so the function runs in a later "+
			"call that waits for the stream, such as hip.stream_synchronize, which raises an error of the function. "+
			"The function cannot call HIP, rocBLAS or rocSOLVER. Captured, it is a node that runs in each "+
			"launch",
			stream(), function("fn", "fun(user_data: any)", "the function"),
			optional(anything("user_data", "argument of the function"), "nil")).raises(destroyedStream, implicit).
			fails("hip.error_not_permitted", "a function of hip.launch_host_func makes the call"),
	}
}

func hipEvents() []*Function {
	return []*Function{
		declare("event_create", "creates an event on the current device").
			returns("event", "roclua.event", "the new event"),
		declare("event_record", "records an event in a stream; the event completes when all earlier work of the "+
			"stream is done",
			event("event", "the event"), stream()).
			fails("hip.error_invalid_handle", "the event or the stream was destroyed, or they belong to different "+
				"devices"),
		declare("event_synchronize", "waits until an event completes", event("event", "the event")).
			raises(destroyedEvent),
		declare("event_query", "returns whether an event completed: hip.success, or hip.error_not_ready, which is "+
			"not raised",
			event("event", "the event")).raises(destroyedEvent),
		declare("event_destroy", "destroys an event; streams that already wait for it still do",
			event("event", "the event")).raises(destroyedEvent),
		declare("event_elapsed_time", "returns the time between two events", event("start", "the first event"),
			event("stop", "the second event")).returns("ms", "number", "time in milliseconds").
			fails("hip.error_not_ready", "one of the events has not completed").
			fails("hip.error_invalid_handle", "an event was destroyed or not recorded, or they belong to different "+
				"devices"),
	}
}

var noDevice = Cause{"hip.error_invalid_device", "there is no device of that number"}

func deviceNumber() Param { return deviceNamed("device", "number of the device, from 0") }

func deviceNamed(name, about string) Param { return integer(name, math.MinInt32, math.MaxInt32, about) }

func peerDevice() Param { return deviceNamed("peer_device", "number of the other device") }

func hipDevices() []*Function {
	return []*Function{
		declare("device_synchronize", "waits until all work of the current device is done").
			fails("hip.error_illegal_address", "a kernel accessed memory outside its arguments"),
		declare("get_device_count", "returns the number of devices").returns("count", "integer", "number of devices"),
		declare("get_device", "returns the current device").
			returns("device", "integer", "number of the device, from 0"),
		declare("set_device", "makes a device the current one of the thread; each client of a workload is a thread, "+
			"and starts with device 0", deviceNumber()).raises(noDevice),
		declare("get_device_properties", "returns the properties of a device",
			optional(deviceNumber(), "the current device")).
			returns("properties", "roclua.properties", "name, gcn_arch_name, total_global_mem and so on").
			raises(noDevice),
		declare("device_get_attribute", "returns one attribute of a device",
			integer("attribute", math.MinInt32, math.MaxInt32, "a constant hip.device_attribute_..."),
			optional(deviceNumber(), "the current device")).returns("value", "integer", "value of the attribute").
			raises(noDevice).fails("hip.error_invalid_value", "there is no such attribute"),
		declare("device_can_access_peer", "returns whether kernels of a device could use memory of another device",
			deviceNumber(), peerDevice()).
			returns("can_access_peer", "boolean", "false also if both are the same").raises(noDevice),
		declare("device_enable_peer_access", "lets kernels of the current device use memory that hip.malloc allocated "+
			"on another device; copies need no access",
			peerDevice(), withDefault(integer("flags", 0, 0, "must be 0"), int64(0))).
			fails("hip.error_invalid_device", "there is no device of that number, or it is the current one").
			fails("hip.error_peer_access_already_enabled", "the current device has the access").
			fails("hip.error_peer_access_unsupported", "no link connects the devices"),
		declare("device_disable_peer_access", "ends the access of the current device to memory of another device",
			peerDevice()).raises(noDevice).
			fails("hip.error_peer_access_not_enabled", "the current device does not have the access"),
	}
}

func hipRecords() []*Function {
	return []*Function{
		declare("stats", "returns counts of the calls made so far and the device memory in use").
			returns("stats", "roclua.stats", "calls and waits by name, kernels, live and peak bytes, allocations"),
		declare("trace", "returns the HIP calls made since hip.trace was last called, in order").
			returns("calls", "roclua.trace_call[]", "name, bytes, stream, result, cause and so on of each call"),
		declare("hazards", "returns the pairs of unordered accesses to the same memory by two streams, or by a "+
			"stream and the host, that were found since hip.hazards was last called").
			returns("hazards", "roclua.hazard[]", "the memory and the two accesses"),
		declare("unwritten_reads", "returns the reads of device memory that nothing had written since its "+
			"allocation, found since hip.unwritten_reads was last called").
			returns("reads", "roclua.unwritten_read[]", "the call, the memory and its allocation"),
	}
}
