local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "memory that dozens of handles hold on one device, and the cost of creating and destroying them, by scheme",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS: \"Each handle maintains its own memory\"; "
    .. "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS: \"a default size (like 32MB)\"; rocBLAS developer "
    .. "guide, ROCm 3.5: Device Memory Allocation, Design; rocBLAS, ROCm 5.0: Device Memory Allocation: \"stored in "
    .. "the handle\"",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  params  = { handles = 48, bytes = 1048576 },
  schemes = "any",

  run = function(t)
    local function create_and_destroy()
      local handle = t:open { bytes = t.bytes }
      rocblas.destroy_handle(handle)
    end
    hip.trace()
    local before = hip.stats().live_bytes
    create_and_destroy()
    local calls, default = {}, nil
    for _, c in ipairs(hip.trace()) do
      if c.call:find("Malloc") or c.call:find("Free") or c.call:find("Pool") then calls[#calls + 1] = c.call end
      default = default or c.bytes -- of the architecture; a managed handle allocates it first
    end

    -- For each scheme: the bytes that a handle holds, the bytes that remain when it is destroyed, and the HIP calls in
    -- its lifetime. A handle of the schemes manual and user_owned allocates the default size first, when it is created.
    local cost = {
      managed        = { held = default, left = 0, calls = { "hipMalloc", "hipFree" } },
      preallocated   = { held = t.bytes, left = 0, calls = { "hipMalloc", "hipFree" } },
      manual         = {
        held = math.ceil(t.bytes / 64) * 64, left = 0,
        calls = { "hipMalloc", "hipFree", "hipMalloc", "hipFree" },
      },
      user_owned     = { held = t.bytes, left = t.bytes, calls = { "hipMalloc", "hipMalloc", "hipFree" } },
      -- The first two calls fill the pool.
      stream_ordered = { held = 0, left = 0, calls = { "hipMallocAsync", "hipFreeAsync", "hipMemPoolTrimTo" } },
    }
    if t.profile == "rocm-7.1" then
      cost.managed = cost.stream_ordered -- whatever the environment
      cost.user_owned.calls = { "hipMallocAsync", "hipFreeAsync", "hipMalloc" }
    end
    cost = cost[t.scheme]

    t:equal(calls, cost.calls, "HIP calls from creation to destruction")
    t:equal(hip.stats().live_bytes - before, cost.left, "after destruction: only the memory of the user remains")

    local handles = {}
    before = hip.stats().live_bytes
    for i = 1, t.handles do handles[i] = t:open { bytes = t.bytes } end
    local held = hip.stats().live_bytes - before
    t:metric("held_bytes", held, "bytes")
    t:equal(held, t.handles * cost.held, t.handles .. " unused handles")

    for _, handle in ipairs(handles) do rocblas.destroy_handle(handle) end
    t:equal(hip.stats().live_bytes - before, t.handles * cost.left, "after all are destroyed")
  end,
}
