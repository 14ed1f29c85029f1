local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "handles until a small device is full: the last one is refused, the others go on; and how more of them fit",
  source  = "004_3b3df78c3e93c211.txt, Environment Variable for Preallocating; 000_87fe014290032ff0.txt: \"Each handle maintains its own memory\"",
  platforms = "cpu", -- on a real device others take memory too
  params  = { room = 12, each = 1048576 },

  run = function(t)
    local default = t.arch:find("^gfx94") and 134217728 or 33554432
    -- All but room times the default and a half is taken.
    local ballast = hip.malloc(hip.mem_get_info() - (t.room + 0.5) * default)
    local x = hip.malloc(8 * 1000)
    hip.memset(x, 0, 8 * 1000)
    local handles = {}
    t:defer(function()
      for _, handle in ipairs(handles) do rocblas.destroy_handle(handle) end
      hip.free(x)
      hip.free(ballast)
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
      t:status(rocblas.status_success, status, "handles hold nothing in this release, so there is no end of them")
      t:equal(#handles, 10 * t.room)
      return
    end
    t:equal(#handles, t.room, "one for each default that there is room for")
    t:status(rocblas.status_memory_error, status, "the next one is not made")
    t:equal(detail.required, default)
    t:check(detail.available < default, "less is left")
    t:equal(rocblas.dasum(handles[1], 1000, x, 1), 0, "the others are none the worse")
    rocblas.destroy_handle(table.remove(handles))
    t:status(rocblas.status_success, fill(t.room), "one goes, one comes")
    clear()

    -- A size that fits the calls: many more. Or none until a call needs some; then it is need + default again.
    os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", tostring(t.each))
    fill(math.huge)
    t:metric("handles_of_given_size", #handles)
    t:equal(#handles, math.floor(((t.room + 0.5) * default - 8 * 1000) / t.each), "as many as go into what is left")
    clear()
    os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", "0")
    t:status(rocblas.status_success, fill(10 * t.room), "of size 0: no end of them")
    local served = 0
    for _, handle in ipairs(handles) do
      if select(2, rocblas.try.dasum(handle, 1000, x, 1)) == rocblas.status_success then served = served + 1 end
    end
    t:equal(served, t.room, "but only so many calls find memory: each handle grows by 64 bytes + default")
  end,
}
