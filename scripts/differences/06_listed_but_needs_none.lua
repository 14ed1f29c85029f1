local rocblas = require "rocblas"

return {
  about   = "the table lists symm, gemm and others as users of temporary memory; they need none",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, table of functions, L3 GEMM-based functions",
  profiles = "rocm-",
  schemes = "any",

  run = function(t)
    local names = {
      "dsymm", "dsyr2k", "dsyrkx", "dtrmm", "zhemm", "zher2k", "zherkx",
      "dgemm", "sgemm_batched", "zgemm_strided_batched",
    }
    for _, name in ipairs(names) do
      local bytes = t.handle:query(function(q)
        local call = { m = 4096, n = 4096, k = 4096, side = rocblas.side_left, uplo = rocblas.fill_lower }
        if name:find("gemm") then call.side, call.uplo = nil, nil end
        if name:find("mm") and not name:find("gemm") then call.k = nil end
        if name:find("2k") or name:find("rkx") then call.m, call.side = nil, nil end
        t:status(rocblas.status_size_unchanged, q[name](q, call), name)
      end)
      t:equal(bytes, 0, name)
    end
  end,
}
