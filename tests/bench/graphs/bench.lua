-- Measures calls of one kind: roclua run bench.lua -- KIND
-- KIND is fill, scal, malloc, query or event for plain calls; capture for captured fills; or a number: launches of a
-- graph of so many fills. It prints the seconds of a call or a node: the least of many short rounds, because a round
-- that another program interrupts takes longer. run.py makes a table.
local rocblas, hip = require "rocblas", require "hip"
local kind = arg[1]
local calls, rounds = 1000, 60 -- a round has so many calls or nodes

local stream, handle = hip.stream_create_with_flags(hip.stream_non_blocking), rocblas.create_handle()
local memory, event = hip.malloc(4096), hip.event_create()
hip.memset(memory, 0, 4096)
rocblas.set_stream(handle, stream)

local function fill() hip.memset_async(memory, 1, 64, stream) end

local plain = {
  fill = fill,
  scal = function() rocblas.dscal(handle, 1, 2, memory, 1) end,
  malloc = function() hip.free(hip.malloc(64)) end,
  query = function() hip.stream_query(stream) end,
  event = function() hip.event_record(event, stream) end,
}

local function capture(nodes)
  hip.stream_begin_capture(stream, hip.stream_capture_mode_relaxed)
  for _ = 1, nodes do fill() end
  return hip.stream_end_capture(stream)
end

local function measure(times, call)
  local least = math.huge
  for _ = 1, rounds do
    local start = os.clock()
    for _ = 1, times do call() end
    hip.stream_synchronize(stream)
    least = math.min(least, (os.clock() - start) / calls)
  end
  print(string.format("%.12f", least))
end

local nodes = tonumber(kind)
if plain[kind] then
  measure(calls, plain[kind])
elseif kind == "capture" then
  measure(1, function() hip.graph_destroy(capture(calls)) end)
else
  local graph = capture(nodes)
  local exec = hip.graph_instantiate(graph)
  measure(calls / nodes, function() hip.graph_launch(exec, stream) end)
  hip.graph_exec_destroy(exec)
  hip.graph_destroy(graph)
end
rocblas.destroy_handle(handle)
hip.event_destroy(event)
hip.free(memory)
hip.stream_destroy(stream)
