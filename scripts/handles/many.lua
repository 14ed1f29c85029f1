local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "what dozens of handles hold on one device, and what making and destroying them costs, by scheme",
  source  = "000_87fe014290032ff0.txt: \"Each handle maintains its own memory\"; 004_3b3df78c3e93c211.txt: \"a default size (like 32MB)\"",
  platforms = { "cpu", "nvidia" }, -- elsewhere nobody sees the calls that the library makes
  params  = { handles = 48, bytes = 1048576 },
  schemes = "any",

  run = function(t)
    local default = t.arch:find("^gfx94") and 134217728 or 33554432
    -- Bytes that a handle holds when it is there, bytes that stay when it is destroyed, and the calls of HIP in its life. The
    -- library reads the environment first: what the user gives it later comes on top of a default that was allocated before.
    local cost = {
      managed        = { held = default, left = 0, calls = { "hipMalloc", "hipFree" } },
      preallocated   = { held = t.bytes, left = 0, calls = { "hipMalloc", "hipFree" } },
      manual         = { held = math.ceil(t.bytes / 64) * 64, left = 0, calls = { "hipMalloc", "hipFree", "hipMalloc", "hipFree" } },
      user_owned     = { held = t.bytes, left = t.bytes, calls = { "hipMalloc", "hipMalloc", "hipFree" } },
      stream_ordered = { held = 0, left = 0, calls = { "hipMallocAsync", "hipFreeAsync", "hipMemPoolTrimTo" } }, -- the pool is warmed
    }
    if t.profile == "rocm-7.1" then
      cost.managed = cost.stream_ordered -- and nothing else, whatever the environment says
      cost.user_owned.calls = { "hipMallocAsync", "hipFreeAsync", "hipMalloc" }
    end
    cost = cost[t.scheme]

    local function life()
      local handle = t:open { bytes = t.bytes }
      rocblas.destroy_handle(handle)
    end
    hip.trace()
    local before = hip.stats().live_bytes
    life()
    local calls = {}
    for _, c in ipairs(hip.trace()) do
      if c.call:find("Malloc") or c.call:find("Free") or c.call:find("Pool") then calls[#calls + 1] = c.call end
    end
    t:equal(calls, cost.calls, "the life of one handle")
    t:equal(hip.stats().live_bytes - before, cost.left, "after its end: the user's memory stays the user's")

    local handles = {}
    before = hip.stats().live_bytes
    for i = 1, t.handles do handles[i] = t:open { bytes = t.bytes } end
    local held = hip.stats().live_bytes - before
    t:metric("held_bytes", held, "bytes")
    t:equal(held, t.handles * cost.held, t.handles .. " handles that did nothing yet")

    for _, handle in ipairs(handles) do rocblas.destroy_handle(handle) end
    t:equal(hip.stats().live_bytes - before, t.handles * cost.left, "after the end of all")
  end,
}
