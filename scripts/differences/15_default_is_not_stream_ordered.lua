local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "only the release 7.1 allocates managed memory by hipMallocAsync by default; 6.4 and 7.2 use hipMalloc",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS: \"This scheme uses hipMallocAsync and "
    .. "hipFreeAsync\"; \"avoiding global synchronization\"",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  profiles = "rocm-",

  run = function(t)
    -- A handle that has to grow for its first call, so that the call shows how the memory is allocated.
    local n = 512
    local A = t:upload(array.zeros("d", n, n))
    local x = t:upload(array.zeros("d", n))
    os.setenv("ROCBLAS_STREAM_ORDER_ALLOC", nil)
    local unset = rocblas.create_handle()
    local default = rocblas.get_device_memory_size(unset)
    rocblas.destroy_handle(unset)
    os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", "0")
    local handle = rocblas.create_handle()
    t:defer(rocblas.destroy_handle, handle)
    t:check(rocblas.is_managing_device_memory(handle), "managed, the default scheme")

    local waits = hip.stats().syncs.total or 0
    hip.trace()
    handle:dtrmv { uplo = rocblas.fill_lower, n = n, A = A, x = x }
    local calls = {}
    for _, c in ipairs(hip.trace()) do calls[#calls + 1] = { c.call, c.bytes } end
    waits = (hip.stats().syncs.total or 0) - waits
    if t.profile == "rocm-7.1" then
      t:equal(calls, { { "hipMallocAsync", 4096 }, { "hipFreeAsync" } }, "as documented")
      t:equal(waits, 0, "no global synchronization")
    else
      t:equal(calls, { { "hipMalloc", 4096 + default } }, "not in stream order")
      t:equal(waits, 1, "hipMalloc waits for the device")
    end
    t:metric("waits", waits)
  end,
}
