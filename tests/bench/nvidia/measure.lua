-- Measures the calls of bench.lua by t:measure, prepared and in a loop of the program; with caches = "both" also each
-- call with cold caches.
local hip, ops = require "hip", require "ops"

return {
  params = { list = "", seconds = 0.1, caches = "hot" }, -- OP,N,BATCH,REPEAT ...
  schemes = { "managed" },
  run = function(t)
    for op, n, batch in t.list:gmatch("([%w_]+),(%d+),(%d+),%d+") do
      local call, name, arguments, memory, graph = ops[op](t.handle, tonumber(n), tonumber(batch))
      if name and tonumber(batch) > 1 then
        name, arguments.batch_count = name .. "_strided_batched", tonumber(batch)
      end
      local options = { min_time = t.seconds, max_time = 20 * t.seconds }
      if t.caches == "both" then options.cold, options.hot = true, true end
      t:measure(op .. "," .. n .. "," .. batch, options, name and t.handle:prepare(name, arguments) or call)
      if graph then hip.graph_exec_destroy(graph) end
      for _, p in ipairs(memory) do hip.free(p) end
    end
  end,
}
