local rocblas, hip, capture = require "rocblas", require "hip", require "_capture"

return {
  about     = "two graphs that were captured with one handle share its workspace, unless it is stream-ordered",
  platforms = "cpu",
  profiles  = "rocm-",
  tags      = "hazards",
  params    = { n = 512 },
  schemes   = { "managed", "manual", "user_owned", "stream_ordered" },

  run = function(t)
    local first, second = capture.stream(t), capture.stream(t)
    t:defer(rocblas.set_stream, t.handle, nil)
    local one = capture.product(t, t.handle, first)
    local two = capture.product(t, t.handle, second)
    hip.device_synchronize()
    hip.graph_launch(one, first)
    hip.graph_launch(two, second)
    local found = hip.hazards()
    t:metric("hazards", #found)
    t:equal(#found, capture.is_stream_ordered(t) and 0 or 1)
    hip.device_synchronize()
  end,
}
