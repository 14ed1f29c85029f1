local rocblas = require "rocblas"

return {
  about  = "preallocated workspace: an environment variable, set before the handle is created",
  source = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, Using an environment variable; rocBLAS, ROCm 5.0: Device "
    .. "Memory Allocation, Environment Variable for Preallocating; rocBLAS, ROCm 6.1.0: Device Memory Allocation in "
    .. "rocBLAS, Environment Variable for Preallocating",
  params = { bytes_wanted = 4732160 },

  run = function(t)
    if t.profile == "rocm-7.1" then
      t:skip("rocBLAS 5.1.0 only warms its memory pool with ROCBLAS_DEVICE_MEMORY_SIZE; the handle stays managed")
    end
    -- 0x means hexadecimal, a leading 0 means octal, and parsing stops at the first character that is not a digit.
    local sizes = { [tostring(t.bytes_wanted)] = t.bytes_wanted, ["0x100000"] = 1048576, ["010"] = 8, ["64KB"] = 64 }
    for text, bytes in pairs(sizes) do
      os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", text)
      local handle = rocblas.create_handle()
      t:equal(rocblas.get_device_memory_size(handle), bytes, "size for " .. text)
      t:check(rocblas.is_user_managing_device_memory(handle), "the user manages the memory")
      t:check(not rocblas.is_managing_device_memory(handle), "the library does not")
      rocblas.destroy_handle(handle)
    end

    os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", nil)
    local handle = rocblas.create_handle()
    t:check(rocblas.is_managing_device_memory(handle), "unset: the library manages it")
    t:metric("default_bytes", rocblas.get_device_memory_size(handle), "bytes")
    rocblas.destroy_handle(handle)
  end,
}
