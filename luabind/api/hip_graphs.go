package api

var (
	notCaptured = Cause{"hip.error_illegal_state", "the stream is not captured"}
	implicit    = Cause{"hip.error_stream_capture_implicit", "the stream is the null stream, and a stream that " +
		"synchronizes with it is captured"}
	destroyedExec = Cause{"hip.error_invalid_value", "the executable graph was destroyed"}
)

var captureStatus = integerResult("status", "hip.stream_capture_status_none, ..._active or ..._invalidated")

func captureMode() Param {
	return constant("mode", "hip.stream_capture_mode_global, ..._thread_local or ..._relaxed",
		"stream_capture_mode_global", "stream_capture_mode_thread_local", "stream_capture_mode_relaxed")
}

func graph() Param { return Param{Name: "graph", Kind: Graph, About: "the graph"} }

func graphExec() Param {
	return Param{Name: "graph_exec", Kind: GraphExec, About: "the executable graph"}
}

var hipGraphs = []*Function{{
	Name: "stream_begin_capture", C: "hipStreamBeginCapture", Status: HIPStatus,
	About: "begins to capture a stream: its work becomes the nodes of a graph and does not run; a stream that waits " +
		"for an event of a captured stream is captured too",
	Params: []Param{stream(), captureMode()},
	Errors: []Cause{{"hip.error_stream_capture_unsupported", "the stream is the null stream"},
		{"hip.error_illegal_state", "the stream is already captured"}},
}, {
	Name: "stream_end_capture", C: "hipStreamEndCapture", Status: HIPStatus,
	About:   "ends the capture of a stream and returns the graph",
	Params:  []Param{stream()},
	Results: []Result{{"graph", "roclua.graph", "the graph, to be destroyed by hip.graph_destroy"}},
	Errors: []Cause{notCaptured,
		{"hip.error_stream_capture_invalidated", "a call that is not permitted has invalidated the capture"},
		{"hip.error_stream_capture_unmatched", "the capture began in another stream"},
		{"hip.error_stream_capture_unjoined", "work of another captured stream is not ordered before the end"}},
}, {
	Name: "stream_is_capturing", C: "hipStreamIsCapturing", Status: HIPStatus,
	About:   "returns whether a stream is captured",
	Params:  []Param{stream()},
	Results: []Result{captureStatus},
	Errors:  []Cause{implicit},
}, {
	Name: "stream_get_capture_info", C: "hipStreamGetCaptureInfo", Status: HIPStatus,
	About:   "returns whether a stream is captured, and the number of the capture",
	Params:  []Param{stream()},
	Results: []Result{captureStatus, integerResult("id", "number of an active capture, otherwise 0")},
	Errors:  []Cause{implicit},
}, {
	Name: "thread_exchange_stream_capture_mode", C: "hipThreadExchangeStreamCaptureMode", Status: HIPStatus,
	About: "sets the capture mode of the thread: in hip.stream_capture_mode_relaxed, calls such as hip.malloc are " +
		"permitted while a stream is captured",
	Params:  []Param{captureMode()},
	Results: []Result{integerResult("mode", "the mode before")},
}, {
	Name: "graph_get_nodes", C: "hipGraphGetNodes", Status: HIPStatus,
	About:   "returns the nodes of a graph, each after those that it waits for",
	Params:  []Param{graph()},
	Results: []Result{{"nodes", "roclua.graph_node[]", "type, bytes, dependencies and so on of each node"}},
	Errors:  []Cause{{"hip.error_invalid_value", "the graph was destroyed"}},
}, {
	Name: "graph_instantiate", C: "hipGraphInstantiate", Status: HIPStatus,
	About:  "makes an executable graph",
	Params: []Param{graph()},
	Results: []Result{{"graph_exec", "roclua.graph_exec",
		"the executable graph, to be destroyed by hip.graph_exec_destroy"}},
	Errors: []Cause{{"hip.error_invalid_value", "the graph was destroyed"},
		{"hip.error_not_supported", "the graph allocates memory and was instantiated before"}},
}, {
	Name: "graph_launch", C: "hipGraphLaunch", Status: HIPStatus,
	About: "queues a whole graph in a stream; its allocations are made now, at the addresses of the capture; " +
		"launches of one graph in different streams are not ordered",
	Params: []Param{graphExec(), stream()},
	Errors: []Cause{destroyedExec,
		{"hip.error_invalid_value", "memory that an earlier launch allocated is still allocated"},
		{"hip.error_out_of_memory", "the device has less free memory than the graph allocates"}},
}, {
	Name: "graph_exec_destroy", C: "hipGraphExecDestroy", Status: HIPStatus,
	About:  "destroys an executable graph; a launch that is queued still runs",
	Params: []Param{graphExec()},
	Errors: []Cause{destroyedExec},
}, {
	Name: "graph_destroy", C: "hipGraphDestroy", Status: HIPStatus,
	About:  "destroys a graph; executable graphs that were made from it can still be launched",
	Params: []Param{graph()},
	Errors: []Cause{{"hip.error_illegal_state", "the graph was destroyed before"}},
}, {
	Name: "get_last_error", C: "hipGetLastError", Status: HIPStatus,
	About: "returns the last error and resets it to hip.success: since HIP 7.0 the error of the latest call that " +
		"failed, before (rocm-6.4) the result of the latest call, which may be a success. It is not raised. " +
		"A library can read it too: since HIP 7.0 an error that nothing has read is returned by csrrf_splitlu",
}, {
	Name: "peek_at_last_error", C: "hipPeekAtLastError", Status: HIPStatus,
	About: "returns what hip.get_last_error would return, without resetting it",
}}
