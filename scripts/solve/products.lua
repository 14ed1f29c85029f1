local rocblas, hip, array = require "rocblas", require "hip", require "array"

local tolerance = { s = 1e-5, d = 1e-14, c = 1e-5, z = 1e-14 }

return {
  about   = "gemm with every pair of operations, alone and in a batch: residuals of the products",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS: gemm takes no workspace from the handle",
  tags    = { "numbers" }, -- checks computed values
  params  = { m = 40, n = 30, k = 50, batch = 4, type = "z" },
  schemes = { "managed" },

  run = function(t)
    local handle, m, n, k, T = t.handle, t.m, t.n, t.k, t.type
    local operations = { rocblas.operation_none, rocblas.operation_transpose, rocblas.operation_conjugate_transpose }
    local function product(opA, opB, batch)
      local A, B = array.random(T, m, k), array.random(T, k, n)
      if opA ~= rocblas.operation_none then A = A:transpose() end
      if opB ~= rocblas.operation_none then B = B:transpose() end
      if batch > 1 then
        A, B = array.random(T, A.rows, A.cols * batch), array.random(T, B.rows, B.cols * batch)
      end
      local C0 = array.random(T, m, n * batch)
      local dA, dB, dC = t:upload(A), t:upload(B), t:upload(C0)
      handle[T .. "gemm_strided_batched"](handle, {
        transA = opA, transB = opB, m = m, n = n, k = k, alpha = 2, beta = -1, A = dA, B = dB, C = dC,
        batch_count = batch,
      })
      local C = hip.download(array.zeros(T, m, n * batch), dC)
      return array.product_residual(C, A, B, {
        transA = opA, transB = opB, alpha = 2, beta = -1, C0 = C0, batch = batch,
      })
    end

    local worst = 0
    for _, opA in ipairs(operations) do
      for _, opB in ipairs(operations) do
        for _, batch in ipairs { 1, t.batch } do
          local residual = product(opA, opB, batch)
          t:near(residual, 0, tolerance[T], ("operations %d and %d, %d problems"):format(opA, opB, batch))
          worst = math.max(worst, residual)
        end
      end
    end
    t:metric("residual", worst)
  end,
}
