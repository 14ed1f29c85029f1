local hip = require "hip"
local solve = require "_solve"

-- The picture of the HTML report shows the growth above the memory of the handle, and the latency that it causes.
return {
  about     = "later events need a larger workspace: the growth is the latency peak of the load",
  source    = "rocBLAS, ROCm 5.0: Device Memory Allocation, rocBLAS_managed: \"a synchronizing deallocation and "
    .. "allocation occurs\"",
  tags      = { "times" },
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  profiles  = { "rocm-6", "rocm-7.2" }, -- the handles of rocm-7.1 do not grow
  params    = { events = 24, larger = 20 },
  schemes   = { "managed" },
  workload  = { count = "events" },
  expect    = { events = "> 0" },

  setup = function() return { small = 16, large = solve.beyond() } end,

  client = function(c)
    number, took, memory = 0, {}, solve.memory(c, c.shared.large)
    held = c.handle:get_device_memory_size()
  end,

  event = function(c)
    local begin = os.clock()
    number = number + 1
    solve.run(c.handle, number < c.larger and c.shared.small or c.shared.large, memory)
    hip.stream_synchronize(c.stream)
    took[number] = os.clock() - begin
  end,

  leave = function(c)
    -- The model of time has 100 us for a hipFree, as much for a hipMalloc, and 5 us for the wait of each.
    if c.virtual_time then
      c:near(took[c.larger] - took[c.larger + 1], 210e-6, 1e-12, "a growth takes a hipFree and a hipMalloc")
    end
    c:check(c.handle:get_device_memory_size() > held, "the handle keeps the larger workspace")
  end,

  teardown = function(t) t:equal(solve.growths(), 1, "the handle grows once") end,
}
