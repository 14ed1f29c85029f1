local rocsolver, hip, array = require "rocsolver", require "hip", require "array"

return {
  about   = "a batch of systems, with arrays of pointers and with strides: the results are equal",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, table of functions, the _batched and "
    .. "_strided_batched forms",
  tags    = { "numbers" }, -- checks computed values
  params  = { n = 50, batch = 7 },
  schemes = "any",

  run = function(t)
    local handle, n, batch = t.handle, t.n, t.batch
    local A, B = array.random("d", n, n * batch), array.random("d", n, batch)
    local ipiv, info = t:upload(array.zeros("i32", n, batch)), t:upload(array.zeros("i32", batch))

    local function solve(form)
      local dA, dB = t:upload(A), t:upload(B)
      local a, b = dA, dB
      if form == "_batched" then
        a = t:upload(array.pointers(dA, batch, 8 * n * n))
        b = t:upload(array.pointers(dB, batch, 8 * n))
      end
      rocsolver["dgetrf" .. form] {
        handle = handle, m = n, n = n, A = a, ipiv = ipiv, info = info, batch_count = batch,
      }
      rocsolver["dgetrs" .. form] { handle = handle, n = n, nrhs = 1, A = a, ipiv = ipiv, B = b, batch_count = batch }
      return hip.download(array.zeros("d", n, batch), dB), hip.download(array.zeros("d", n, n * batch), dA)
    end

    local X, LU = solve "_strided_batched"
    local Y = solve "_batched"
    t:equal(array.max_difference(X, Y), 0, "both forms compute the same")
    local residual = array.residual(A, X, B, batch)
    t:metric("residual", residual)
    t:near(residual, 0, 1e-13, "the largest ||Ax-b|| / (||A|| ||x||) of the batch")
    local pivots = hip.download(array.zeros("i32", n, batch), ipiv)
    t:near(array.lu_residual(A, LU, pivots, batch), 0, 1e-13, "the largest ||PA-LU|| / ||A||")
  end,
}
