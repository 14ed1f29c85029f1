local hip = require "hip"
local solve = require "_solve"

-- The picture of the HTML report shows the growth above the memory of the handle, and the latency that it causes.
return {
  about     = "one event of many needs a larger workspace: the growth is the latency peak of the load",
  source    = "rocBLAS, ROCm 5.0: Device Memory Allocation, rocBLAS_managed: \"a synchronizing deallocation and "
    .. "allocation occurs\"",
  tags      = { "times" },
  platforms = { "cpu", "nvidia" }, -- on amd the HIP calls of the library cannot be traced
  profiles  = { "rocm-6", "rocm-7.2" }, -- the handles of rocm-7.1 do not grow
  params    = { events = 40, larger = 20 },
  schemes   = { "managed" },
  workload  = { count = "events" },
  expect    = { events = "> 0" },

  setup = function() return { small = 16, large = solve.beyond() } end,

  client = function(c)
    number, memory = 0, solve.memory(c, c.shared.large)
    held = c.handle:get_device_memory_size()
  end,

  event = function(c)
    number = number + 1
    solve.run(c.handle, number == c.larger and c.shared.large or c.shared.small, memory)
    hip.stream_synchronize(c.stream)
  end,

  leave = function(c)
    c:check(c.handle:get_device_memory_size() > held, "the handle keeps the larger workspace")
  end,

  teardown = function(t) t:equal(solve.growths(), 1, "the handle grows once") end,
}
