local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "create handles until a small device is full: the last one fails, the others work",
  source  = "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, Environment Variable for Preallocating; "
    .. "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS: \"Each handle maintains its own memory\"",
  platforms = "cpu", -- on a real device other processes use memory too
  params  = { room = 12, each = 1048576 },

  run = function(t)
    -- The default size depends on the architecture. A new handle allocates it first.
    hip.trace()
    rocblas.destroy_handle(rocblas.create_handle())
    local default
    for _, c in ipairs(hip.trace()) do default = default or c.bytes end
    -- Leave room for t.room + 0.5 times the default size.
    local ballast = t:malloc(hip.mem_get_info() - (t.room + 0.5) * default)
    local x = t:malloc(8 * 1000)
    hip.memset(x, 0, 8 * 1000)
    local handles = {}
    t:defer(function()
      for _, handle in ipairs(handles) do rocblas.destroy_handle(handle) end
    end)
    local function fill(limit)
      while #handles < limit do
        local handle, status, detail = rocblas.try.create_handle()
        if not handle then return status, detail end
        handles[#handles + 1] = handle
      end
      return rocblas.status_success
    end
    local function clear()
      while #handles > 0 do rocblas.destroy_handle(table.remove(handles)) end
    end

    local status, detail = fill(10 * t.room)
    t:metric("handles", #handles)
    if t.profile == "rocm-7.1" then
      t:status(rocblas.status_success, status, "handles hold no memory in this release, so their number is not limited")
      t:equal(#handles, 10 * t.room)
      return
    end
    if not t:equal(#handles, t.room, "as many as default sizes fit") then return end
    t:status(rocblas.status_memory_error, status, "the next one fails")
    t:equal(detail.required, default)
    t:check(detail.available < default, "less than the default size is free")
    t:equal(rocblas.dasum(handles[1], 1000, x, 1), 0, "the others still work")
    rocblas.destroy_handle(table.remove(handles))
    t:status(rocblas.status_success, fill(t.room), "one destroyed, one created")
    clear()

    -- With a smaller size more handles fit. With size 0 a handle allocates need + default when a call needs memory.
    os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", tostring(t.each))
    fill(math.huge)
    t:metric("handles_of_given_size", #handles)
    t:equal(#handles, math.floor(((t.room + 0.5) * default - 8 * 1000) / t.each), "as many as fit into the free memory")
    clear()
    os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", "0")
    t:status(rocblas.status_success, fill(10 * t.room), "size 0: not limited")
    local served = 0
    for _, handle in ipairs(handles) do
      if select(2, rocblas.try.dasum(handle, 1000, x, 1)) == rocblas.status_success then served = served + 1 end
    end
    t:equal(served, t.room, "but only this many calls succeed: each handle grows by 64 bytes + default")
  end,
}
