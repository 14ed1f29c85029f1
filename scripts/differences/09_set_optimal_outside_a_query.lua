local rocblas = require "rocblas"

return {
  about   = "outside a query set_optimal returns size_query_mismatch; the document says internal_error",
  source  = "rocBLAS developer guide, ROCm 3.5: Device Memory Allocation: \"rocblas_status_internal_error if this "
    .. "kernel is not suposed to be collecting size information\"",
  platforms = { "cpu", "nvidia" }, -- rocBLAS does not export these functions
  profiles = "rocm-",
  schemes = "any",

  run = function(t)
    local err = t:raises(rocblas.status_size_query_mismatch, t.handle.set_optimal_device_memory_size, t.handle, 64)
    t:check(err.status ~= rocblas.status_internal_error, "not what the document says")
  end,
}
