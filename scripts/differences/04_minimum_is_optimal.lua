local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "the \"minimum required size\" is what the fastest algorithm needs; less can be enough",
  source  = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model: \"will return the minimum required size\"",
  profiles = "rocm-",
  schemes = { "manual" },

  run = function(t)
    local handle, n = t.handle, 256
    local A = t:malloc(8 * n * n)
    local B = t:malloc(8 * n * n)
    hip.memset(A, 0, 8 * n * n)
    hip.memset(B, 0, 8 * n * n)
    local call = { side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit,
      m = n, n = n, A = A, B = B }
    local minimum = handle:query(function(q) q:dtrsm(call) end)
    t:equal(minimum, 524288)

    rocblas.set_device_memory_size(handle, minimum - 64)
    t:status(rocblas.status_perf_degraded, handle:dtrsm(call), "completes with less than the minimum")
    rocblas.set_device_memory_size(handle, minimum)
    t:status(rocblas.status_success, handle:dtrsm(call))
  end,
}
