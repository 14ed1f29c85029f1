local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "only gemv and trsm, in all their forms, return perf_degraded; other routines return memory_error",
  source  = "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS: \"indicates that a slower algorithm was "
    .. "used\"; rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS: \"rocblas_Xgemv (optional)\", only the "
    .. "plain form",
  profiles = "rocm-",
  schemes = { "user_owned" },
  bytes   = 64,

  run = function(t)
    local handle = t.handle
    local bytes = 8 * 512 * 512
    local A = t:malloc(2 * bytes)
    local B = t:malloc(2 * bytes)
    hip.memset(A, 0, 2 * bytes)
    hip.memset(B, 0, 2 * bytes)

    -- The memory of gemv_strided_batched is optional too; the table marks only the plain form.
    local tall = { m = 16384, n = 8, A = A, x = B, y = B + 16384 * 8, batch_count = 1 }
    tall.transA = rocblas.operation_transpose
    t:status(rocblas.status_perf_degraded, handle:dgemv_strided_batched(tall))

    local lower = rocblas.fill_lower
    local function fails(call) t:raises(rocblas.status_memory_error, call) end
    fails(function() handle:dtrmv { uplo = lower, n = 500, A = A, x = B } end)
    fails(function() handle:dsymv { uplo = lower, n = 500, A = A, x = B, y = B + 8192 } end)
    fails(function() rocblas.dasum(handle, 100000, A, 1) end)
    fails(function() handle:dtrtri { uplo = lower, n = 500, A = A, invA = B } end)
    fails(function() handle:dgetrf { m = 500, n = 500, A = A, ipiv = B, info = B + 4096 } end)
  end,
}
