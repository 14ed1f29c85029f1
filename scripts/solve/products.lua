local rocblas, array = require "rocblas", require "array"

local tolerance = { s = 1e-5, d = 1e-14, c = 1e-5, z = 1e-14 }

return {
  about   = "gemm with every pair of operations, in each of its forms: residuals of the products",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS: gemm takes no workspace from the handle",
  tags    = { "numbers" }, -- checks computed values
  params  = { m = 40, n = 30, k = 50, batch = 4, type = "z" },
  schemes = { "managed" },

  run = function(t)
    local m, n, k, T, batch = t.m, t.n, t.k, t.type, t.batch
    local operations = { rocblas.operation_none, rocblas.operation_transpose, rocblas.operation_conjugate_transpose }
    local worst = 0
    local function check(opA, opB)
      local A = opA == rocblas.operation_none and array.random(T, m, k * batch) or array.random(T, k, m * batch)
      local B = opB == rocblas.operation_none and array.random(T, k, n * batch) or array.random(T, n, k * batch)
      local C = array.random(T, m, n * batch)
      t:forms(T .. "gemm", {
        transA = opA, transB = opB, m = m, n = n, k = k, alpha = 2, beta = -1, A = A, B = B, C = C,
        batch_count = batch,
      }, function(_, out)
        local residual = array.product_residual(out.C, A, B, {
          transA = opA, transB = opB, alpha = 2, beta = -1, C0 = C, batch = batch,
        })
        t:near(residual, 0, tolerance[T], ("operations %d and %d"):format(opA, opB))
        worst = math.max(worst, residual)
      end)
    end

    for _, opA in ipairs(operations) do
      for _, opB in ipairs(operations) do check(opA, opB) end
    end
    t:metric("residual", worst)
  end,
}
