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

-- HIP permits an allocation in the order of a stream that is not captured, CUDA does not.
local function is_permitted(t)
  return (t.scheme == "stream_ordered" or t.profile == "rocm-7.1") and t.platform ~= "nvidia"
end

return {
  about   = "creating a handle during a capture destroys the capture, unless its memory is stream-ordered",
  schemes = { "managed", "stream_ordered" },

  run = function(t)
    os.setenv("ROCBLAS_STREAM_ORDER_ALLOC", t.scheme == "stream_ordered" and "1" or "0")
    local stream = new_stream(t)
    local handle, status
    local graph, ended = capture(t, stream, function()
      handle, status = rocblas.try.create_handle()
      if handle then t:defer(rocblas.destroy_handle, handle) end
    end)
    t:metric("status", tostring(status))
    if is_permitted(t) then
      t:status(rocblas.status_success, status)
      t:check(graph ~= nil, "the capture continues")
    else
      t:status(rocblas.status_internal_error, status)
      t:equal(ended, hip.error_stream_capture_invalidated)
    end
  end,
}
