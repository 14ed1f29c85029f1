-- Measures routines from roclua: roclua run --platform nvidia bench.lua -- OP,N,BATCH,REPEAT ...
-- Prints WHO,OP,N,BATCH,SECONDS of one call, in C order and prepared: the median of rounds of REPEAT queued calls.
local rocblas, hip, ops = require "rocblas", require "hip", require "ops"
local rounds = 7

local function time(handle, repeats, call)
  call() hip.device_synchronize()
  local start, stop, seconds = hip.event_create(), hip.event_create(), {}
  for _ = 1, rounds do
    hip.event_record(start, nil)
    for _ = 1, repeats do call() end
    hip.event_record(stop, nil)
    hip.event_synchronize(stop)
    seconds[#seconds + 1] = hip.event_elapsed_time(start, stop) / 1000 / repeats
  end
  hip.event_destroy(start) hip.event_destroy(stop)
  table.sort(seconds)
  return seconds[(rounds + 1) / 2]
end

local handle = rocblas.create_handle()
for _, what in ipairs(arg) do
  local op, n, batch, repeats = what:match("([%w_]+),(%d+),(%d+),(%d+)")
  local call, name, arguments, memory, graph = ops[op](handle, tonumber(n), tonumber(batch))
  if name and tonumber(batch) > 1 then
    name, arguments.batch_count = name .. "_strided_batched", tonumber(batch)
  end
  for who, timed in pairs { roclua = call, prepared = name and handle:prepare(name, arguments) } do
    local seconds = time(handle, tonumber(repeats), timed)
    print(string.format("%s,%s,%s,%s,%.9f", who, op, n, batch, seconds))
  end
  if graph then hip.graph_exec_destroy(graph) end
  for _, p in ipairs(memory) do hip.free(p) end
end
rocblas.destroy_handle(handle)
