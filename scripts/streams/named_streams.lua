local array, hip, rocblas = require "array", require "hip", require "rocblas"

return {
  about  = "hip.stream_legacy is the null stream for HIP, but not for rocBLAS; hip.stream_per_thread can be captured",
  source = "HIP: hipStreamLegacy, hipStreamPerThread",
  platforms = { "cpu" }, -- which calls a capture permits was compared on this one
  profiles = "rocm-",

  run = function(t)
    local handle = rocblas.create_handle()
    t:defer(rocblas.destroy_handle, handle)
    local x = t:malloc(16)
    hip.memcpy(x, array.identity("d", 1), 8)
    for _, stream in ipairs { hip.stream_legacy, hip.stream_per_thread } do
      rocblas.set_stream(handle, stream)
      t:equal(rocblas.get_stream(handle), stream)
      t:equal(rocblas.dasum(handle, 1, x, 1), 1)
      t:raises(hip.error_invalid_handle, hip.stream_destroy, stream)
    end

    rocblas.set_stream(handle, nil)
    local captured = t:stream()
    hip.stream_begin_capture(captured, hip.stream_capture_mode_global)
    t:status(rocblas.status_success, rocblas.set_stream(handle, nil))
    t:raises(rocblas.status_invalid_value, rocblas.set_stream, handle, hip.stream_legacy)
    hip.graph_destroy(hip.stream_end_capture(captured))

    rocblas.set_stream(handle, hip.stream_per_thread)
    hip.stream_begin_capture(hip.stream_per_thread, hip.stream_capture_mode_global)
    rocblas.dscal(handle, 1, 2, x, 1)
    local graph = hip.stream_end_capture(hip.stream_per_thread)
    t:defer(hip.graph_destroy, graph)
    local exec = hip.graph_instantiate(graph)
    t:defer(hip.graph_exec_destroy, exec)
    hip.graph_launch(exec, hip.stream_per_thread)
    t:equal(rocblas.dasum(handle, 1, x, 1), 2, "the graph ran")
  end,
}
