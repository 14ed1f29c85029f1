local rocblas, hip, capture = require "rocblas", require "hip", require "_capture"

return {
  about     = "launches of one graph in two streams overlap, under every scheme, unless the second waits",
  platforms = "cpu",
  profiles  = "rocm-",
  tags      = "hazards",
  params    = { n = 512 },
  schemes   = { "managed", "manual", "user_owned", "stream_ordered" },

  run = function(t)
    local first, second = capture.stream(t), capture.stream(t)
    local event = t:event()
    t:defer(rocblas.set_stream, t.handle, nil)
    local exec = capture.product(t, t.handle, first)
    hip.device_synchronize()
    hip.graph_launch(exec, first)
    hip.event_record(event, first)
    hip.stream_wait_event(second, event)
    hip.graph_launch(exec, second)
    t:equal(#hip.hazards(), 0, "the second launch waits for the first one")
    hip.device_synchronize()
    hip.graph_launch(exec, first)
    hip.graph_launch(exec, second)
    local found = hip.hazards()
    t:check(#found > 0, "HIP does not order the launches")
    t:equal(found[1].earlier.call, capture.is_stream_ordered(t) and "hipFreeAsync" or "rocblas_dtrmv")
    hip.device_synchronize()
  end,
}
