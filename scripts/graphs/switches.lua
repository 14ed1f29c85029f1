local rocblas, hip, capture = require "rocblas", require "hip", require "_capture"

return {
  about   = "set_stream queries its streams, which invalidates the global capture of a third stream",
  schemes = { "managed" },

  run = function(t)
    local captured, other, third = capture.stream(t), capture.stream(t), capture.stream(t)
    t:defer(rocblas.set_stream, t.handle, nil)
    local graph, ended = capture.graph(t, captured, function()
      rocblas.set_stream(t.handle, captured)
      rocblas.set_stream(t.handle, other)
    end)
    t:check(graph ~= nil, "one of the two streams is captured, so that no stream is queried")
    graph, ended = capture.graph(t, captured, function() rocblas.set_stream(t.handle, third) end)
    t:equal(graph, nil, "the library queries the third stream")
    t:equal(ended, hip.error_stream_capture_invalidated)
    graph = capture.graph(t, captured, function() rocblas.set_stream(t.handle, nil) end)
    t:check(graph ~= nil, "the null stream is not queried")
  end,
}
