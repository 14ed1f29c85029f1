-- Makes many calls of one kind: roclua run bench.lua -- KIND COUNT
-- KIND is fill, scal, malloc, query or event for plain calls; capture for captured fills; or a number: launches of a
-- graph of so many fills, where COUNT is the number of fills of all launches. run.py measures it.
local rocblas, hip = require "rocblas", require "hip"
local kind, count = arg[1], tonumber(arg[2])
local batch = 1000 -- calls between two waits, and nodes of a captured graph

local stream, handle = hip.stream_create_with_flags(hip.stream_non_blocking), rocblas.create_handle()
local memory, event = hip.malloc(4096), hip.event_create()
hip.memset(memory, 0, 4096)
rocblas.set_stream(handle, stream)

local calls = {
  fill = function() hip.memset_async(memory, 1, 64, stream) end,
  scal = function() rocblas.dscal(handle, 1, 2, memory, 1) end,
  malloc = function() hip.free(hip.malloc(64)) end,
  query = function() hip.stream_query(stream) end,
  event = function() hip.event_record(event, stream) end,
}

-- Calls a function n times for each wait.
local function waiting(n, call)
  for _ = 1, count, n do
    for _ = 1, n do call() end
    hip.stream_synchronize(stream)
  end
end

local function capture(nodes)
  hip.stream_begin_capture(stream, hip.stream_capture_mode_relaxed)
  for _ = 1, nodes do calls.fill() end
  return hip.stream_end_capture(stream)
end

local nodes = tonumber(kind)
if calls[kind] then
  waiting(batch, calls[kind])
elseif kind == "capture" then
  for _ = 1, count, batch do hip.graph_destroy(capture(batch)) end
else
  local graph = capture(nodes)
  local exec = hip.graph_instantiate(graph)
  count = count / nodes
  waiting(math.max(1, batch / nodes), function() hip.graph_launch(exec, stream) end)
  hip.graph_exec_destroy(exec)
  hip.graph_destroy(graph)
end
rocblas.destroy_handle(handle)
hip.event_destroy(event)
hip.free(memory)
hip.stream_destroy(stream)
