local rocblas, hip, capture = require "rocblas", require "hip", require "_capture"

-- HIP permits an allocation in the order of a stream that is not captured, CUDA does not.
local function is_permitted(t)
  return (t.scheme == "stream_ordered" or t.profile == "rocm-7.1") and t.platform ~= "nvidia"
end

return {
  about   = "creating a handle during a capture invalidates the capture, unless its memory is stream-ordered",
  schemes = { "managed", "stream_ordered" },

  run = function(t)
    os.setenv("ROCBLAS_STREAM_ORDER_ALLOC", t.scheme == "stream_ordered" and "1" or "0")
    local stream = capture.stream(t)
    local handle, status
    local graph, ended = capture.graph(t, stream, function()
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
