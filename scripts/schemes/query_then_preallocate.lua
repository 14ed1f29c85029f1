local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "query all calls, create a handle with that much memory, run: the library allocates and frees nothing more",
  source  = "rocBLAS developer guide, ROCm 3.5: Device Memory Allocation, Requirements: \"Preallocate: Query all the "
    .. "functions called using a rocblas_handle\"; rocBLAS, ROCm 5.0: Device Memory Allocation: \"user_managed, "
    .. "preallocate\", \"thereafter there are no more allocations or deallocations\"; rocBLAS, ROCm 6.1.0: Device "
    .. "Memory Allocation in rocBLAS: \"user_managed, preallocate\"",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  profiles = "rocm-",
  params  = { n = 300 },

  run = function(t)
    if t.profile == "rocm-7.1" then
      t:skip("rocBLAS 5.1.0 only warms its memory pool with ROCBLAS_DEVICE_MEMORY_SIZE; the handle stays managed")
    end
    local n = t.n
    local A = t:upload(array.diagonally_dominant("d", n))
    local B = t:upload(array.random("d", n, n))
    local x = t:upload(array.random("d", n))
    local ipiv = t:malloc(4 * n)
    local info = t:malloc(4)

    -- All calls of the program, on a handle that computes or only answers queries.
    local function program(on)
      on:dtrmv { uplo = rocblas.fill_lower, n = n, A = A, x = x }
      on:dtrsm { side = rocblas.side_left, uplo = rocblas.fill_lower, m = n, n = n, A = A, B = B }
      on:dgetrf { m = n, n = n, A = A, ipiv = ipiv, info = info }
      on:dgetrs { n = n, nrhs = n, A = A, ipiv = ipiv, B = B }
    end
    local asking = rocblas.create_handle()
    local need = asking:query(program)
    rocblas.destroy_handle(asking)
    t:metric("need_bytes", need, "bytes")

    os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", tostring(need))
    hip.trace()
    local handle = rocblas.create_handle()
    t:defer(rocblas.destroy_handle, handle)
    local calls = hip.trace()
    t:equal({ calls[#calls].call, calls[#calls].bytes }, { "hipMalloc", need }, "allocated with the handle")

    local allocations = { "hipMalloc", "hipFree", "hipMallocAsync", "hipFreeAsync" }
    local before = hip.stats().calls
    for _ = 1, 3 do program(handle) end
    local after = hip.stats().calls
    for _, name in ipairs(allocations) do t:equal(after[name], before[name], "further calls of " .. name) end
    t:equal(#hip.trace(), 0, "no other HIP call either, so nothing waits")
    t:equal(rocblas.get_device_memory_size(handle), need, "the size is unchanged")
    hip.device_synchronize()
  end,
}
