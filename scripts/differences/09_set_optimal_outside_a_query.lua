local rocblas = require "rocblas"

return {
  about   = "telling a size outside a query answers size_query_mismatch; the document says internal_error",
  source  = "003_744138cbdf84c0f0.txt: \"rocblas_status_internal_error if this kernel is not suposed to be collecting size information\"",
  platforms = { "cpu", "nvidia" }, -- the library keeps its developers' side to itself
  profiles = "rocm-",
  schemes = "any",

  run = function(t)
    local err = t:raises(rocblas.status_size_query_mismatch, t.handle.set_optimal_device_memory_size, t.handle, 64)
    t:check(err.status ~= rocblas.status_internal_error, "not what the document says")
  end,
}
