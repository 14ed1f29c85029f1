local rocblas, hip, capture = require "rocblas", require "hip", require "_capture"

return {
  about     = "a launch uses the workspace of the capture, also when the handle has another one or none by then",
  platforms = "cpu",
  profiles  = "rocm-",
  tags      = "hazards",
  params    = { n = 512 },
  schemes   = { "managed", "manual", "stream_ordered" },

  run = function(t)
    local stream = capture.stream(t)
    t:defer(rocblas.set_stream, t.handle, nil)
    local exec = capture.product(t, t.handle, stream)
    hip.graph_launch(exec, stream)
    hip.stream_synchronize(stream)
    t:equal(#hip.hazards(), 0)
    rocblas.set_device_memory_size(t.handle, 4096) -- frees the workspace
    hip.graph_launch(exec, stream)
    local found = hip.hazards()
    t:metric("hazards", #found)
    if capture.is_stream_ordered(t) then
      t:equal(#found, 0, "the graph allocates its workspace")
      return
    end
    t:equal(#found, 1)
    t:equal(found[1].earlier.since, "freed")
    t:equal(found[1].earlier.call, "hipFree")
    t:equal(found[1].later.call, "rocblas_dtrmv")
    t:raises(hip.error_illegal_address, hip.stream_synchronize, stream)
  end,
}
