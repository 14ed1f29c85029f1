local rocblas, hip = require "rocblas", require "hip"
local solve = require "_solve"

-- Handles can use one workspace if their calls are ordered. All clients therefore use the stream of the workspace: they
-- hold less memory, and their calls wait for each other. Without the common stream each use would be a hazard.
return {
  about     = "eight clients with a handle each: with one shared workspace and stream, or with memory of each handle",
  source    = "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, user_owned",
  tags      = { "times" },
  params    = { clients = 8, events = 64, shared_workspace = true, problems = 16 },
  workload  = { clients = "clients", count = "events" },
  expect    = { events = "> 0" },

  setup = function(t)
    local bytes = solve.need(t.problems)
    if not t.shared_workspace then return { bytes = bytes } end
    local workspace, stream = hip.malloc(bytes), hip.stream_create()
    t:defer(hip.free, workspace)
    t:defer(hip.stream_destroy, stream)
    return { bytes = bytes, workspace = workspace, stream = stream }
  end,

  client = function(c)
    handle, stream = rocblas.create_handle(), c.shared.stream or c.stream
    c:defer(rocblas.destroy_handle, handle)
    rocblas.set_stream(handle, stream)
    if c.shared.workspace then rocblas.set_workspace(handle, c.shared.workspace, c.shared.bytes) end
    memory = solve.memory(c, c.problems)
  end,

  event = function(c)
    solve.run(handle, c.problems, memory)
    hip.stream_synchronize(stream)
  end,

  leave = function(c)
    c:equal(rocblas.is_managing_device_memory(handle), not c.shared_workspace, "the handle manages its memory")
  end,
}
