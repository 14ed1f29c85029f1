local rocblas = require "rocblas"

return {
  about  = "\"-1\" in the environment wraps around to 2^64-1 bytes, so no handle can be created; other text reads as 0",
  source = "rocBLAS, ROCm 5.0: Device Memory Allocation: \"if > 0, sets the default handle device memory size to "
    .. "the specified size\"",
  profiles = "rocm-",

  run = function(t)
    if t.profile == "rocm-7.1" then
      t:skip("rocBLAS 5.1.0 only warms its memory pool with ROCBLAS_DEVICE_MEMORY_SIZE; the handle stays managed")
    end
    os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", "-1")
    t:raises(rocblas.status_memory_error, rocblas.create_handle)
    local handle, status = rocblas.try.create_handle()
    t:equal(handle, nil, "no handle")
    t:status(rocblas.status_memory_error, status)

    os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", "many")
    handle = rocblas.create_handle()
    t:equal(rocblas.get_device_memory_size(handle), 0, "text is read as 0")
    t:check(rocblas.is_managing_device_memory(handle), "so the handle is managed")
    rocblas.destroy_handle(handle)
  end,
}
