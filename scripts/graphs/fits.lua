local rocblas, hip, capture = require "rocblas", require "hip", require "_capture"

return {
  about   = "a call whose workspace fits is captured; in stream order its workspace is part of the graph",
  params  = { n = 512 },
  schemes = "any",

  run = function(t)
    local call = capture.call(t)
    local stream = capture.stream(t)
    t:defer(rocblas.set_stream, t.handle, nil)
    rocblas.set_stream(t.handle, stream)
    local status
    local graph = capture.graph(t, stream, function() status = call() end)
    t:status(rocblas.status_success, status)
    local bytes = capture.allocations(graph)
    t:metric("allocations", #bytes)
    if capture.is_stream_ordered(t) then
      t:equal(#bytes, 1, "the workspace is allocated by each launch")
      t:equal(bytes[1], t.handle:query(call))
    else
      t:equal(#bytes, 0, "the workspace of the handle is used")
    end
    local exec = capture.instantiate(t, graph)
    for _ = 1, 3 do hip.graph_launch(exec, stream) end
    hip.stream_synchronize(stream)
  end,
}
