local hip, array, capture = require "hip", require "array", require "_capture"

return {
  about = "a captured function of hip.launch_host_func is a node of the graph, and runs in each launch",

  run = function(t)
    local stream, forked = capture.stream(t), capture.stream(t)
    local fork, join = t:event(), t:event()
    local p = t:malloc(8)
    local values, calls = array.zeros("i32", 2), {}
    local graph = capture.graph(t, stream, function()
      hip.memset_async(p, 1, 8, stream)
      hip.launch_host_func(stream, function(name) calls[#calls + 1] = name end, "first")
      hip.event_record(fork, stream)
      hip.stream_wait_event(forked, fork)
      hip.launch_host_func(forked, function(name) calls[#calls + 1] = name end, "forked")
      hip.memset_async(p, 2, 8, forked)
      hip.event_record(join, forked)
      hip.stream_wait_event(stream, join)
      hip.memcpy_async(values, p, 8, hip.memcpy_device_to_host, stream)
      hip.launch_host_func(stream, function() calls[#calls + 1] = values[1] end)
    end)
    t:equal(#calls, 0, "nothing runs while the stream is captured")
    local functions = 0
    for _, node in ipairs(hip.graph_get_nodes(graph)) do
      if node.type == hip.graph_node_type_host then functions = functions + 1 end
    end
    t:equal(functions, 3)
    local exec = capture.instantiate(t, graph)
    for _ = 1, 2 do hip.graph_launch(exec, stream) end
    hip.stream_synchronize(stream)
    t:equal(table.concat(calls, " "), "first forked 33686018 first forked 33686018")
  end,
}
