local rocblas, hip, capture = require "rocblas", require "hip", require "_capture"

return {
  about   = "a reduction to the host invalidates the capture under every scheme; a reduction to device memory does not",
  params  = { n = 1000 },
  schemes = { "managed", "preallocated", "manual", "user_owned" },

  run = function(t)
    if capture.is_stream_ordered(t) then
      t:skip("the library ends the process: its stream-ordered workspace cannot be freed after the error")
    end
    local x = t:malloc(8 * t.n)
    hip.memset(x, 0, 8 * t.n)
    local result = t:malloc(8)
    local stream = capture.stream(t)
    t:defer(rocblas.set_stream, t.handle, nil)
    rocblas.set_stream(t.handle, stream)
    local status
    local graph, ended = capture.graph(t, stream, function()
      local _
      _, status = rocblas.try.dasum(t.handle, t.n, x, 1)
    end)
    t:status(rocblas.status_internal_error, status)
    t:equal(ended, hip.error_stream_capture_invalidated)
    t:defer(rocblas.set_pointer_mode, t.handle, rocblas.pointer_mode_host)
    rocblas.set_pointer_mode(t.handle, rocblas.pointer_mode_device)
    graph = capture.graph(t, stream, function() status = rocblas.dasum(t.handle, t.n, x, 1, result) end)
    t:status(rocblas.status_success, status)
    t:check(graph ~= nil, "the sum is in device memory")
  end,
}
