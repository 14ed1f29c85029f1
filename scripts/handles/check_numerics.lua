local array, hip, rocblas = require "array", require "hip", require "rocblas"

return {
  about  = "ROCBLAS_CHECK_NUMERICS=4: a call fails for a NaN, and each check takes 64 bytes that queries do not report",
  source = "rocBLAS: ROCBLAS_CHECK_NUMERICS",
  profiles = "rocm-",
  tags   = "numbers", -- checks computed values
  params = { n = 4 },

  run = function(t)
    local n, bytes = t.n, t.n * t.n * 8
    os.setenv("ROCBLAS_CHECK_NUMERICS", "4")
    local handle = rocblas.create_handle()
    t:defer(rocblas.destroy_handle, handle)
    local a, c, workspace = t:malloc(bytes), t:malloc(bytes), t:malloc(64)
    local matrix = array.identity("d", n)
    hip.memcpy(a, matrix, bytes)
    hip.memcpy(c, matrix, bytes)

    local none = rocblas.operation_none
    local function gemm() return rocblas.dgemm(handle, none, none, n, n, n, 1, a, n, a, n, 0, c, n) end
    local query = handle:query(function(q) q:dgemm(none, none, n, n, n, 1, nil, n, nil, n, 0, nil, n) end)
    t:equal(query, 0, "bytes of the query")
    rocblas.set_workspace(handle, workspace, 63)
    t:raises(rocblas.status_memory_error, gemm)
    rocblas.set_workspace(handle, workspace, 64)
    t:status(rocblas.status_success, gemm())

    matrix[1] = 0 / 0
    hip.memcpy(a, matrix, bytes)
    t:raises(rocblas.status_check_numerics_fail, gemm)
  end,
}
