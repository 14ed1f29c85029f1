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
  about     = "a launch uses the workspace of the capture, also when the handle has another one or none by then",
  platforms = "cpu",
  profiles  = "rocm-",
  tags      = "hazards",
  params    = { n = 512 },
  schemes   = { "managed", "manual", "stream_ordered" },

  run = function(t)
    local stream = new_stream(t)
    t:defer(rocblas.set_stream, t.handle, nil)
    local exec = capture(t, t.handle, stream)
    hip.graph_launch(exec, stream)
    hip.stream_synchronize(stream)
    t:equal(#hip.hazards(), 0)
    rocblas.set_device_memory_size(t.handle, 4096) -- frees the workspace
    hip.graph_launch(exec, stream)
    local found = hip.hazards()
    t:metric("hazards", #found)
    if is_stream_ordered(t) then
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
