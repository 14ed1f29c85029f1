local rocblas, hip = require "rocblas", require "hip"

return {
  about  = "a managed handle allocates the need plus the default size; the documents say only the need",
  source = "rocBLAS, ROCm 5.0: Device Memory Allocation: \"computational functions allocate the memory they "
    .. "require\"",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  profiles = "rocm-",

  run = function(t)
    if t.profile == "rocm-7.1" then t:skip("managed handles do not grow in this release") end
    local unset = rocblas.create_handle()
    local default = rocblas.get_device_memory_size(unset)
    rocblas.destroy_handle(unset)
    os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", "0")
    local handle = rocblas.create_handle()
    t:defer(rocblas.destroy_handle, handle)
    t:equal(rocblas.get_device_memory_size(handle), 0, "no memory held yet")
    local x = t:malloc(8 * 1000)
    hip.memset(x, 0, 8 * 1000)

    hip.trace()
    rocblas.ddot(handle, 100, x, 1, x, 1)
    local calls = hip.trace()
    t:equal({ calls[1].call, calls[1].bytes, calls[1].cause }, { "hipMalloc", 64 + default, "growth" },
      "64 bytes needed, 64 + default allocated")
    t:equal(rocblas.get_device_memory_size(handle), 64 + default)
  end,
}
