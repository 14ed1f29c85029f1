local rocblas, hip, capture = require "rocblas", require "hip", require "_capture"

return {
  about     = "a launch uses a user-owned workspace that the user has freed since the capture",
  platforms = "cpu",
  profiles  = "rocm-",
  tags      = "hazards",
  params    = { n = 512 },
  schemes   = { "managed" },

  run = function(t)
    local workspace = hip.malloc(8192)
    local release = function() if workspace then hip.free(workspace) end workspace = nil end
    t:defer(release)
    rocblas.set_workspace(t.handle, workspace, 8192)
    local stream = capture.stream(t)
    t:defer(rocblas.set_stream, t.handle, nil)
    local exec = capture.product(t, t.handle, stream)
    rocblas.set_workspace(t.handle, nil, 0)
    hip.graph_launch(exec, stream)
    hip.stream_synchronize(stream)
    t:equal(#hip.hazards(), 0, "the graph still uses the old workspace, which is allocated")
    release()
    hip.graph_launch(exec, stream)
    local found = hip.hazards()
    t:equal(#found, 1)
    t:equal(found[1].earlier.since, "freed")
    t:raises(hip.error_illegal_address, hip.stream_synchronize, stream)
  end,
}
