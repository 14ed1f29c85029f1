local rocblas = require "rocblas"

return {
  about   = "is_managing_device_memory, listed with the size queries, reports who owns the memory",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, Functions for determining memory requirements; "
    .. "rocBLAS, ROCm 5.0: Device Memory Allocation, Functions for finding how much memory is required; rocBLAS, ROCm "
    .. "6.1.0: Device Memory Allocation in rocBLAS, Functions for Finding How Much Memory Is Required",
  profiles = "rocm-",
  schemes = "any",

  run = function(t)
    local handle = t.handle
    local before = rocblas.is_managing_device_memory(handle)
    rocblas.start_device_memory_size_query(handle)
    handle:ddot { n = 1000000 }
    t:equal(rocblas.is_managing_device_memory(handle), before, "the same inside a query")
    t:equal(rocblas.stop_device_memory_size_query(handle), 7872)
    t:equal(before, t.scheme == "managed" or t.scheme == "stream_ordered")
    t:equal(rocblas.is_managing_device_memory(nil), false, "a null handle is not managed")
  end,
}
