local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "what the device's pool keeps from others in stream order: after a handle was made, after a call, after a trim, after the handle's end",
  source  = "000_87fe014290032ff0.txt: \"uses hipMallocAsync and hipFreeAsync (stream-order allocation) to allocate and free memory in stream order\"",
  platforms = "cpu", -- on a real device others take memory too
  profiles = "rocm-",
  params  = { order = 512, batch = 64 },
  schemes = { "stream_ordered" },

  run = function(t)
    hip.device_synchronize() -- the pool keeps nothing over a synchronization
    local m, batch = t.order, t.batch
    local A, B = hip.malloc(8 * m * m), hip.malloc(16 * m * batch)
    t:defer(function() hip.free(A) hip.free(B) end)
    hip.memset(A, 0, 8 * m * m)
    hip.memset(B, 0, 16 * m * batch)
    local free = hip.mem_get_info()
    local function kept() return free - hip.mem_get_info() end

    -- A new handle allocates the default size and frees it, so that the pool has it when calls ask for it.
    local handle = t:open {}
    local default = t.arch:find("^gfx94") and 134217728 or 33554432
    t:equal(kept(), default, "kept for loans")
    t:equal(hip.stats().live_bytes, 8 * m * m + 16 * m * batch, "though nobody holds it")

    -- A call that needs more than that: the pool takes what is missing, and keeps it too.
    local function solve(on)
      on:dtrsm_strided_batched { side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit,
        m = m, n = 2, A = A, stride_a = 0, B = B, batch_count = batch }
    end
    local need = handle:query(solve)
    t:metric("need_bytes", need, "bytes")
    solve(handle)
    t:equal(kept(), math.max(need, default), "the most that was out at a time")

    -- With HIP's release threshold of 0 the next synchronization gives it back; a trim does it without one.
    hip.device_synchronize()
    t:equal(kept(), 0, "after a synchronization: the next call's hipMallocAsync has to ask the device again")
    solve(handle)
    t:equal(kept(), need)
    hip.mem_pool_trim_to(need / 2)
    t:equal(kept(), need / 2, "trimmed to a half")

    -- The end of a handle trims the pool to nothing, other handles' loans excepted.
    hip.trace()
    rocblas.destroy_handle(handle)
    local calls = hip.trace()
    t:equal({ calls[#calls].call, calls[#calls].bytes }, { "hipMemPoolTrimTo", 0 })
    t:equal(kept(), 0, "after the handle's end")
  end,
}
