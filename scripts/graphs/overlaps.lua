local rocblas, hip = require "rocblas", require "hip"

local function new_stream(t)
  local stream = hip.stream_create_with_flags(hip.stream_non_blocking)
  t:defer(hip.stream_destroy, stream)
  return stream
end

-- Captures a triangular product in a stream and returns the executable graph. Each product has its own vector.
local function capture(t, handle, stream)
  local n = t.n
  local A = hip.malloc(8 * n * n)
  t:defer(hip.free, A)
  local x = hip.malloc(8 * n)
  t:defer(hip.free, x)
  hip.memset(A, 0, 8 * n * n)
  hip.memset(x, 0, 8 * n)
  rocblas.set_stream(handle, stream)
  hip.stream_begin_capture(stream, hip.stream_capture_mode_relaxed)
  local ok, err = pcall(handle.dtrmv, handle, { uplo = rocblas.fill_lower, n = n, A = A, x = x })
  local graph = hip.stream_end_capture(stream)
  t:defer(hip.graph_destroy, graph)
  if not ok then error(err, 0) end
  local exec = hip.graph_instantiate(graph)
  t:defer(hip.graph_exec_destroy, exec)
  return exec
end

local function is_stream_ordered(t)
  return t.scheme == "stream_ordered" or t.profile == "rocm-7.1" and t.scheme ~= "user_owned"
end

return {
  about     = "launches of one graph in two streams overlap, under every scheme, unless the second waits",
  platforms = "cpu",
  profiles  = "rocm-",
  tags      = "hazards",
  params    = { n = 512 },
  schemes   = { "managed", "manual", "user_owned", "stream_ordered" },

  run = function(t)
    local first, second = new_stream(t), new_stream(t)
    local event = hip.event_create()
    t:defer(hip.event_destroy, event)
    t:defer(rocblas.set_stream, t.handle, nil)
    local exec = capture(t, t.handle, first)
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
    t:equal(found[1].earlier.call, is_stream_ordered(t) and "hipFreeAsync" or "rocblas_dtrmv")
    hip.device_synchronize()
  end,
}
