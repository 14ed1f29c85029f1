local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "too little memory for the optimal algorithm: perf_degraded, with the right result",
  source  = "rocBLAS, ROCm 5.0: Device Memory Allocation, Return Values for insufficient device memory; rocBLAS, ROCm "
    .. "6.1.0: Device Memory Allocation in rocBLAS, rocBLAS Function Return Values for Insufficient Device Memory",
  tags    = "numbers", -- checks computed values
  params  = { n = 256 },
  schemes = { "preallocated", "manual", "user_owned" },
  bytes   = 300000,

  run = function(t)
    local handle, n = t.handle, t.n
    local A = array.diagonally_dominant("d", n):triangle(rocblas.fill_lower)
    local X = array.random("d", n, n)
    local dA = t:upload(A)
    local dB = t:upload(X)

    local call = { side = rocblas.side_left, uplo = rocblas.fill_lower, m = n, n = n, A = dA, B = dB }
    local need = handle:query(function(q)
      q:dtrsm { side = rocblas.side_left, uplo = rocblas.fill_lower, m = n, n = n }
    end)
    if t.profile:find("^rocm") then t:equal(need, 524288, "bytes of the optimal algorithm") end

    local status = handle:dtrsm(call)
    t:status(rocblas.status_perf_degraded, status)
    t:check(status.ok, "perf_degraded is not an error")
    local solution = hip.download(array.zeros("d", n, n), dB)
    t:near(array.residual(A, solution, X), 0, 1e-14)
    t:metric("residual", array.residual(A, solution, X))
  end,
}
