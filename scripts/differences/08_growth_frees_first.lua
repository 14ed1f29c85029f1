local rocblas, hip = require "rocblas", require "hip"

return {
  about  = "a managed handle frees its memory before it allocates more; if that fails, it holds none",
  source = "rocBLAS, ROCm 5.0: Device Memory Allocation: \"a synchronizing deallocation and allocation occurs\"; "
    .. "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS: \"a synchronizing deallocation and allocation "
    .. "occur\"",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  profiles = "rocm-",

  run = function(t)
    if t.profile == "rocm-7.1" then t:skip("managed handles do not grow in this release") end
    local handle = rocblas.create_handle()
    t:defer(rocblas.destroy_handle, handle)
    local default = rocblas.get_device_memory_size(handle)
    local n = default > 33554432 and 3072 or 2048 -- more than the default size
    local A = t:malloc(16 * n * n)
    local B = t:malloc(16 * n * n)
    local free = hip.mem_get_info()
    -- When the handle has freed its memory, 1.5 times the default is free: need + default does not fit.
    local ballast = hip.malloc(free - default / 2)

    hip.trace()
    t:raises(rocblas.status_memory_error, function()
      handle:ztrsm { side = rocblas.side_left, uplo = rocblas.fill_lower, m = n - 1, n = n, A = A, B = B }
    end)
    local calls = hip.trace()
    t:equal(calls[1].call, "hipFree", "the old memory is freed first")
    t:equal({ calls[2].call, calls[2].result }, { "hipMalloc", 2 }, "then the new allocation fails")
    t:equal(rocblas.get_device_memory_size(handle), 0, "the handle holds no memory")
    t:check(rocblas.is_managing_device_memory(handle), "still managed")

    hip.free(ballast)
    t:equal(rocblas.dasum(handle, 0, nil, 1), 0, "the handle is usable")
  end,
}
