local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about  = "gemv of a tall transposed matrix uses memory for column sums, and works without it",
  source = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, table of functions, rocblas_Xgemv (optional)",
  tags    = "numbers", -- checks computed values
  profiles = "rocm-",
  params = { n = 4 },

  run = function(t)
    local n = t.n
    local m = 2048 * n
    local A, x, y = array.random("d", m, n), array.random("d", m), array.zeros("d", n)
    local dA = t:upload(A)
    local dx = t:upload(x)
    local dy = t:upload(y)
    local handle = rocblas.create_handle()
    t:defer(rocblas.destroy_handle, handle)
    local call = { trans = rocblas.operation_transpose, m = m, n = n, A = dA, x = dx, y = dy }
    t:status(rocblas.status_success, handle:dgemv(call))
    local best = hip.download(array.zeros("d", n), dy)

    local workspace = t:malloc(64)
    rocblas.set_workspace(handle, workspace, 64)
    t:status(rocblas.status_perf_degraded, handle:dgemv(call))
    local slow = hip.download(array.zeros("d", n), dy)
    t:near(array.max_difference(best, slow), 0, 1e-10)
  end,
}
