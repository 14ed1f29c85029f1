local rocblas, hip, capture = require "rocblas", require "hip", require "_capture"

return {
  about   = "a managed handle that must grow invalidates the capture; memory that is too small fails only the call",
  params  = { n = 512 },
  schemes = "any",

  run = function(t)
    local call = capture.call(t)
    local stream = capture.stream(t)
    t:defer(rocblas.set_stream, t.handle, nil)
    if t.scheme == "user_owned" then
      local small = t:malloc(64)
      t:defer(rocblas.set_workspace, t.handle, nil, 0)
      rocblas.set_workspace(t.handle, small, 64)
    else
      local grows = t.scheme == "managed" or t.scheme == "stream_ordered"
      rocblas.set_device_memory_size(t.handle, grows and 0 or 64)
    end
    rocblas.set_stream(t.handle, stream)
    local status
    local graph, ended = capture.graph(t, stream, function()
      local ok, err = pcall(call)
      status = ok and err or err.status
    end)
    t:metric("status", tostring(status))
    t:metric("capture", tostring(ended))
    if capture.is_stream_ordered(t) then
      t:status(rocblas.status_success, status)
      t:equal(#capture.allocations(graph), 1, "the workspace is allocated by each launch")
    elseif t.scheme == "managed" then
      t:status(rocblas.status_memory_error, status)
      t:equal(ended, hip.error_stream_capture_invalidated)
      t:equal(graph, nil, "there is no graph")
      call() -- the same call grows the memory while nothing is captured
      graph = capture.graph(t, stream, function() status = call() end)
      t:status(rocblas.status_success, status)
      t:check(graph ~= nil, "the memory suffices now")
    else
      t:status(rocblas.status_memory_error, status)
      t:check(graph ~= nil, "the capture continues after the error")
    end
  end,
}
