local hip = require "hip"
local solve = require "_solve"

-- Events arrive whether or not a client is ready. A managed handle grows in its first event: it waits for the device,
-- and the events behind it wait, too. With memory that is allocated before, no event waits for an allocation.
return {
  about     = "a batched solver under open load, with memory that grows and with memory that is allocated before",
  source    = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, Automatic workspace: \"automatic reallocation is "
    .. "synchronizing\"",
  tags      = { "times" },
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  profiles  = "rocm-",
  params    = { clients = 2, events = 12, rate = 200 },
  schemes   = { "managed", "preallocated", "user_owned" },
  bytes     = function(c) return c.shared.bytes end,
  workload  = { clients = "clients", count = "events", rate = "rate", arrivals = "even" },
  expect    = { events = "> 0", dropped = "== 0" },

  setup = function()
    local count = solve.beyond()
    return { count = count, bytes = solve.need(count) }
  end,

  client = function(c)
    memory, shortest, longest = solve.memory(c, c.shared.count), math.huge, 0
    c:check(c.handle ~= nil, "the handle is opened before the load")
  end,

  event = function(c)
    local begin = os.clock()
    solve.run(c.handle, c.shared.count, memory)
    hip.stream_synchronize(c.stream)
    local took = os.clock() - begin
    shortest, longest = math.min(shortest, took), math.max(longest, took)
  end,

  leave = function(c)
    if c.virtual_time and longest > 0 then -- 100 us each for a hipFree and a hipMalloc, and 5 us for each wait
      local grows = c.scheme == "managed" and c.profile ~= "rocm-7.1"
      c:near(longest - shortest, grows and 210e-6 or 0, 1e-12, "only a growth takes longer")
    end
  end,

  teardown = function(t)
    local times = solve.growths()
    t:metric("growths", times)
    if t.scheme == "managed" and t.profile ~= "rocm-7.1" then
      t:check(times >= 1 and times <= t.clients, "each managed handle grows once")
    else
      t:equal(times, 0, "no handle grows")
    end
  end,
}
