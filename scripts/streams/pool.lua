local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "stream-ordered allocation: memory that the pool keeps after creation, a call, a trim and destruction",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS: \"uses hipMallocAsync and hipFreeAsync "
    .. "(stream-order allocation) to allocate and free memory in stream order\"",
  platforms = "cpu", -- on a real device other processes use memory too
  profiles = "rocm-",
  params  = { order = 512, batch = 64 },
  schemes = { "stream_ordered" },

  run = function(t)
    hip.device_synchronize() -- a synchronization empties the pool
    local m, batch = t.order, t.batch
    local A = t:malloc(8 * m * m)
    local B = t:malloc(16 * m * batch)
    hip.memset(A, 0, 8 * m * m)
    hip.memset(B, 0, 16 * m * batch)
    local free = hip.mem_get_info()
    local function kept() return free - hip.mem_get_info() end

    -- A new handle allocates the default size and frees it, so that the pool holds it for later calls.
    hip.trace()
    local handle = t:open {}
    local default -- depends on the architecture
    for _, c in ipairs(hip.trace()) do default = default or c.bytes end
    t:equal(kept(), default, "kept for later allocations")
    t:equal(hip.stats().live_bytes, 8 * m * m + 16 * m * batch, "no allocation holds it")

    -- When a call needs more, the pool allocates the rest and keeps it too.
    local function solve(on)
      on:dtrsm_strided_batched { side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit,
        m = m, n = 2, A = A, stride_a = 0, B = B, batch_count = batch }
    end
    local need = handle:query(solve)
    t:metric("need_bytes", need, "bytes")
    solve(handle)
    t:equal(kept(), math.max(need, default), "the largest amount allocated at once")

    -- With the default release threshold of 0, the next synchronization frees it. A trim frees it without one.
    hip.device_synchronize()
    t:equal(kept(), 0, "after a synchronization: the next hipMallocAsync allocates from the device again")
    solve(handle)
    t:equal(kept(), need)
    hip.mem_pool_trim_to(need / 2)
    t:equal(kept(), need / 2, "trimmed to half")

    -- Destroying a handle trims the pool to the allocations of other handles.
    hip.trace()
    rocblas.destroy_handle(handle)
    local calls = hip.trace()
    t:equal({ calls[#calls].call, calls[#calls].bytes }, { "hipMemPoolTrimTo", 0 })
    t:equal(kept(), 0, "after destruction")
  end,
}
