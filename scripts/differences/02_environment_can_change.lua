local rocblas = require "rocblas"

return {
  about   = "a size from the environment can be changed later; the document says it cannot",
  source  = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model: \"a workspace size set in this way cannot be changed "
    .. "once the handle has been created\"",
  profiles = "rocm-",
  schemes = { "preallocated" },
  bytes   = 2000000,

  run = function(t)
    local handle = t.handle
    t:equal(rocblas.get_device_memory_size(handle), 2000000, "the size from the environment, not rounded")
    t:status(rocblas.status_success, rocblas.set_device_memory_size(handle, 4000000), "the size can be changed")
    t:equal(rocblas.get_device_memory_size(handle), 4000000)
    rocblas.set_device_memory_size(handle, 0)
    t:check(rocblas.is_managing_device_memory(handle), "managed again")
  end,
}
