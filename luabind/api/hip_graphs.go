package api

var (
	notCaptured = Cause{"hip.error_illegal_state", "the stream is not captured"}
	implicit    = Cause{"hip.error_stream_capture_implicit", "the stream is the null stream, and a stream that " +
		"synchronizes with it is captured"}
	destroyedExec = Cause{"hip.error_invalid_value", "the executable graph was destroyed"}
)

var captureStatus = Result{"status", "integer", "hip.stream_capture_status_none, ..._active or ..._invalidated"}

func captureMode() Param {
	return constant("mode", "hip.stream_capture_mode_global, ..._thread_local or ..._relaxed",
		"stream_capture_mode_global", "stream_capture_mode_thread_local", "stream_capture_mode_relaxed")
}

const nullGraph = "null, with the status error_invalid_value"

func graph() Param { return Param{Name: "graph", Kind: Graph, About: "the graph", Nil: nullGraph} }

func graphExec() Param {
	return Param{Name: "graph_exec", Kind: GraphExec, About: "the executable graph", Nil: nullGraph}
}

func hipGraphs() []*Function {
	return []*Function{
		declare("stream_begin_capture", "begins to capture a stream: its work becomes the nodes of a graph and does "+
			"not run; a stream that waits for an event of a captured stream is captured too",
			stream(), captureMode()).fails("hip.error_stream_capture_unsupported", "the stream is the null stream").
			fails("hip.error_illegal_state", "the stream is already captured"),
		declare("stream_end_capture", "ends the capture of a stream and returns the graph", stream()).
			returns("graph", "roclua.graph", "the graph, to be destroyed by hip.graph_destroy").raises(notCaptured).
			fails("hip.error_stream_capture_invalidated", "a call that is not permitted has invalidated the capture").
			fails("hip.error_stream_capture_unmatched", "the capture began in another stream").
			fails("hip.error_stream_capture_unjoined", "work of another captured stream is not ordered before the end"),
		declare("stream_is_capturing", "returns whether a stream is captured", stream()).results(captureStatus).
			raises(implicit),
		declare("stream_get_capture_info", "returns whether a stream is captured, and the number of the capture",
			stream()).results(captureStatus).returns("id", "integer", "number of an active capture, otherwise 0").
			raises(implicit),
		declare("thread_exchange_stream_capture_mode", "sets the capture mode of the thread: in "+
			"hip.stream_capture_mode_relaxed, calls such as hip.malloc are permitted while a stream is captured",
			captureMode()).returns("mode", "integer", "the mode before"),
		declare("graph_get_nodes", "returns the nodes of a graph, each after those that it waits for", graph()).
			returns("nodes", "roclua.graph_node[]", "type, bytes, dependencies and so on of each node").
			fails("hip.error_invalid_value", "the graph was destroyed"),
		declare("graph_instantiate", "makes an executable graph", graph()).
			returns("graph_exec", "roclua.graph_exec", "the executable graph, to be destroyed by "+
				"hip.graph_exec_destroy").fails("hip.error_invalid_value", "the graph was destroyed").
			fails("hip.error_not_supported", "the graph allocates memory and was instantiated before"),
		declare("graph_launch", "queues a whole graph in a stream; its allocations are made now, at the addresses of "+
			"the capture; launches of one graph in different streams are not ordered",
			graphExec(), stream()).raises(destroyedExec).
			fails("hip.error_invalid_value", "memory that an earlier launch allocated is still allocated").
			fails("hip.error_out_of_memory", "the device has less free memory than the graph allocates"),
		declare("graph_exec_destroy", "destroys an executable graph; a launch that is queued still runs", graphExec()).
			raises(destroyedExec),
		declare("graph_destroy", "destroys a graph; executable graphs that were made from it can still be launched",
			graph()).fails("hip.error_illegal_state", "the graph was destroyed before"),
		declare("get_last_error", "returns the last error and resets it to hip.success: since HIP 7.0 the error of "+
			"the latest call that failed, before (rocm-6.4) the result of the latest call, which may be a success. "+
			"It is not raised. A library can read it too: since HIP 7.0 an error that nothing has read is returned "+
			"by csrrf_splitlu"),
		declare("peek_at_last_error", "returns the last error without resetting it"),
	}
}
