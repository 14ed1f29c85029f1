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

return {
  about   = "set_stream asks whether streams are captured; switching to a third stream destroys a global capture",
  schemes = { "managed" },

  run = function(t)
    local captured, other, third = new_stream(t), new_stream(t), new_stream(t)
    t:defer(rocblas.set_stream, t.handle, nil)
    local graph, ended = capture(t, captured, function()
      rocblas.set_stream(t.handle, captured)
      rocblas.set_stream(t.handle, other)
    end)
    t:check(graph ~= nil, "one of the two streams is captured, so that no stream is queried")
    graph, ended = capture(t, captured, function() rocblas.set_stream(t.handle, third) end)
    t:equal(graph, nil, "the library queries the third stream")
    t:equal(ended, hip.error_stream_capture_invalidated)
    graph = capture(t, captured, function() rocblas.set_stream(t.handle, nil) end)
    t:check(graph ~= nil, "the null stream is not queried")
  end,
}
