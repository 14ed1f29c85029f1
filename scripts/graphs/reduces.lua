local rocblas, hip = require "rocblas", require "hip"

-- Captures a function in a stream and returns the graph, or nil and the status with which the capture ended.
local function capture(t, stream, work)
  hip.stream_begin_capture(stream, hip.stream_capture_mode_global)
  local ok, err = pcall(work)
  local graph, status = hip.try.stream_end_capture(stream)
  if graph then t:defer(hip.graph_destroy, graph) end
  if not ok then error(err, 0) end
  return graph, status
end

local function new_stream(t)
  local stream = hip.stream_create_with_flags(hip.stream_non_blocking)
  t:defer(hip.stream_destroy, stream)
  return stream
end

local function is_stream_ordered(t)
  return t.scheme == "stream_ordered" or t.profile == "rocm-7.1" and t.scheme ~= "user_owned"
end

return {
  about   = "a reduction to the host destroys the capture under every scheme; a reduction to device memory does not",
  params  = { n = 1000 },
  schemes = { "managed", "preallocated", "manual", "user_owned" },

  run = function(t)
    if is_stream_ordered(t) then
      t:skip("the library ends the process: its stream-ordered workspace cannot be freed after the error")
    end
    local x = hip.malloc(8 * t.n)
    t:defer(hip.free, x)
    hip.memset(x, 0, 8 * t.n)
    local result = hip.malloc(8)
    t:defer(hip.free, result)
    local stream = new_stream(t)
    t:defer(rocblas.set_stream, t.handle, nil)
    rocblas.set_stream(t.handle, stream)
    local status
    local graph, ended = capture(t, stream, function()
      local _
      _, status = rocblas.try.dasum(t.handle, t.n, x, 1)
    end)
    t:status(rocblas.status_internal_error, status)
    t:equal(ended, hip.error_stream_capture_invalidated)
    t:defer(rocblas.set_pointer_mode, t.handle, rocblas.pointer_mode_host)
    rocblas.set_pointer_mode(t.handle, rocblas.pointer_mode_device)
    graph = capture(t, stream, function() status = rocblas.dasum(t.handle, t.n, x, 1, result) end)
    t:status(rocblas.status_success, status)
    t:check(graph ~= nil, "the sum is in device memory")
  end,
}
