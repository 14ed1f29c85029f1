local rocblas, rocsolver, hip = require "rocblas", require "rocsolver", require "hip"

return {
  about   = "only gemv and trsm in all their forms answer perf_degraded; the others answer memory_error",
  source  = "004_3b3df78c3e93c211.txt: \"indicates that a slower algorithm was used\"; 000_87fe014290032ff0.txt: \"rocblas_Xgemv (optional)\", the plain form alone",
  profiles = "rocm-",
  schemes = { "user_owned" },
  bytes   = 64,

  run = function(t)
    local handle = t.handle
    local bytes = 8 * 512 * 512
    local A = hip.malloc(2 * bytes)
    t:defer(hip.free, A)
    local B = hip.malloc(2 * bytes)
    t:defer(hip.free, B)
    hip.memset(A, 0, 2 * bytes)
    hip.memset(B, 0, 2 * bytes)

    -- The strided batched gemv is as optional as the plain one that the table marks.
    local tall = { m = 16384, n = 8, A = A, x = B, y = B + 16384 * 8, batch_count = 1 }
    tall.transA = rocblas.operation_transpose
    t:status(rocblas.status_perf_degraded, handle:dgemv_strided_batched(tall))

    local lower = rocblas.fill_lower
    t:raises(rocblas.status_memory_error, function() handle:dtrmv { uplo = lower, n = 500, A = A, x = B } end)
    t:raises(rocblas.status_memory_error, function() handle:dsymv { uplo = lower, n = 500, A = A, x = B, y = B + 8192 } end)
    t:raises(rocblas.status_memory_error, function() rocblas.dasum(handle, 100000, A, 1) end)
    t:raises(rocblas.status_memory_error, function() handle:dtrtri { uplo = lower, n = 500, A = A, invA = B } end)
    t:raises(rocblas.status_memory_error, function() handle:dgetrf { m = 500, n = 500, A = A, ipiv = B, info = B + 4096 } end)
  end,
}
