local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "a loop of the same calls: only the first iteration allocates or waits",
  source  = "rocBLAS developer guide, ROCm 3.5: Device Memory Allocation, Requirements: \"Temporary device memory "
    .. "should be recycled across multiple rocBLAS function calls\"; rocBLAS, ROCm 5.0: Device Memory Allocation: "
    .. "\"recycling temporary device memory across multiple computational kernels\"; rocBLAS, ROCm 6.1.0: Device "
    .. "Memory Allocation in rocBLAS: \"recycling temporary device memory\"; rocBLAS, ROCm 7.1.0: Device memory "
    .. "allocation in rocBLAS: \"allowing memory reuse across kernels\"",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  profiles = "rocm-",
  params  = { order = 512, batch = 64, turns = 3 },
  schemes = { "managed", "manual", "user_owned", "stream_ordered" },
  bytes   = 64 * 1048576, -- for user-sized schemes: enough for all calls

  run = function(t)
    local handle, m, batch = t.handle, t.order, t.batch
    local A = t:malloc(8 * m * m)
    local B = t:malloc(16 * m * batch)
    local x = t:malloc(8 * m)
    hip.memset(A, 0, 8 * m * m)
    hip.memset(B, 0, 16 * m * batch)
    hip.memset(x, 0, 8 * m)
    local lower, unit = rocblas.fill_lower, rocblas.diagonal_unit
    local steps = {
      function(on) on:dtrmv { uplo = lower, n = m, A = A, x = x } end,
      function(on) on:dsymv { uplo = lower, n = m, A = A, x = x, y = B } end,
      function(on)
        on:dtrsm_strided_batched { side = rocblas.side_left, uplo = lower, diag = unit,
          m = m, n = 2, A = A, stride_a = 0, B = B, batch_count = batch }
      end,
    }
    local borrow = 0
    for _, step in ipairs(steps) do borrow = borrow + (handle:query(step) > 0 and 1 or 0) end
    local function turn(on)
      for _, step in ipairs(steps) do step(on) end
    end
    local need, had = handle:query(turn), rocblas.get_device_memory_size(handle)
    t:metric("need_bytes", need, "bytes")

    -- Returns the HIP calls and the number of waits that one iteration causes in the library.
    local function cost()
      local before = hip.stats()
      turn(handle)
      local after, calls = hip.stats(), {}
      for name, count in pairs(after.calls) do
        local made = count - (before.calls[name] or 0)
        if name ~= "total" and made ~= 0 then calls[name] = made end
      end
      return calls, (after.syncs.total or 0) - (before.syncs.total or 0)
    end
    local first, waits = cost()
    t:metric("waits_of_first_turn", waits)
    local pooled = t.scheme == "stream_ordered" or t.profile == "rocm-7.1" and t.scheme == "managed"
    if pooled then
      t:equal(first, { hipMallocAsync = borrow, hipFreeAsync = borrow }, "one allocation per call that needs memory")
      t:equal(waits, 0)
    elseif t.scheme == "managed" and need > had then
      -- With the default parameters the third call needs 34078720 bytes, and a new handle has 33554432.
      t:equal(first, { hipFree = 1, hipMalloc = 1 }, "grows once")
      t:equal(waits, 2, "hipFree and hipMalloc wait")
    else
      t:equal(first, {}, "enough memory from the start")
    end

    local held = rocblas.get_device_memory_size(handle)
    for i = 2, t.turns do
      local calls, waited = cost()
      t:equal(calls, pooled and first or {}, "iteration " .. i)
      t:equal(waited, 0, "iteration " .. i .. " does not wait")
    end
    t:equal(rocblas.get_device_memory_size(handle), held, "the size is unchanged")
  end,
}
