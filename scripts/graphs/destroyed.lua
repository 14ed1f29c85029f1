local rocblas, hip, capture = require "rocblas", require "hip", require "_capture"

return {
  about     = "a launch uses the workspace of a handle that was destroyed since the capture",
  platforms = "cpu",
  profiles  = "rocm-",
  tags      = "hazards",
  params    = { n = 512 },
  schemes   = { "managed", "stream_ordered" },

  run = function(t)
    os.setenv("ROCBLAS_STREAM_ORDER_ALLOC", t.scheme == "stream_ordered" and "1" or "0")
    local handle = rocblas.create_handle()
    local destroy = function() if handle then rocblas.destroy_handle(handle) end handle = nil end
    t:defer(destroy)
    local stream = capture.stream(t)
    local exec = capture.product(t, handle, stream)
    hip.device_synchronize()
    hip.graph_launch(exec, stream)
    hip.stream_synchronize(stream)
    destroy()
    hip.graph_launch(exec, stream)
    local found = hip.hazards()
    if capture.is_stream_ordered(t) then
      t:equal(#found, 0, "the graph allocates its workspace")
    else
      t:equal(#found, 1)
      t:equal(found[1].earlier.since, "freed")
      t:raises(hip.error_illegal_address, hip.stream_synchronize, stream)
    end
  end,
}
