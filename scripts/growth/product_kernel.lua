local rocblas, hip = require "rocblas", require "hip"

-- A product with a long k: its best kernel on gfx90a divides k by 15, and needs 983040 bytes for the partial sums.
local product = {
  transA = rocblas.operation_transpose, transB = rocblas.operation_none, m = 128, n = 128, k = 65536,
  a_type = rocblas.datatype_bf16_r, b_type = rocblas.datatype_bf16_r, c_type = rocblas.datatype_bf16_r,
  d_type = rocblas.datatype_bf16_r, compute_type = rocblas.datatype_f32_r,
}

return {
  about   = "a GEMM uses another kernel when less memory is free",
  source  = "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, Functions that need memory; and the library",
  schemes = { "managed" },

  run = function(t)
    local handle = t.handle
    local best, split, bytes, reason = handle:gemm_kernel(product)
    if not best then t:skip(reason) end
    t:metric("kernel_bytes", bytes, "bytes")

    -- 64 bytes are not enough for a kernel that divides k. The call runs all the same.
    local small = hip.malloc(64)
    handle:set_workspace(small, 64)
    local other, one, none = handle:gemm_kernel(product)
    t:check(split == 1 or other ~= best, "the best kernel does not fit into 64 bytes")
    t:check(none <= 64, "the kernel fits")
    t:metric("split_lost", split - one)

    -- The memory is managed again and has no bytes: a product does not make it grow.
    handle:set_workspace(nil, 0)
    t:equal(handle:gemm_kernel(product), other, "no memory")

    -- A call that needs memory does, and the product has its best kernel back.
    local n = 512
    local A = hip.malloc(n * n * 8)
    hip.memset(A, 0, n * n * 8)
    local x = hip.malloc(n * n * 8)
    hip.memset(x, 0, n * n * 8)
    handle:dtrsm{ side = rocblas.side_left, uplo = rocblas.fill_upper, transA = rocblas.operation_none,
      diag = rocblas.diagonal_unit, m = n, n = n, alpha = 1, A = A, lda = n, B = x, ldb = n }
    t:equal(handle:gemm_kernel(product), best, "the handle has grown")
    for _, p in ipairs{ small, A, x } do hip.free(p) end
  end,
}
