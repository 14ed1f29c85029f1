local array = require "array"

return {
  about   = "a batch of systems in each form: one after the other, with arrays of pointers, and with strides",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, table of functions, the _batched and "
    .. "_strided_batched forms",
  tags    = { "numbers" }, -- checks computed values
  params  = { n = 50, batch = 7 },
  schemes = "any",

  run = function(t)
    local n, batch = t.n, t.batch
    local A, B = array.random("d", n, n * batch), array.random("d", n, batch)
    local ipiv, info = array.zeros("i32", n, batch), array.zeros("i32", batch)

    local factors
    t:forms("dgetrf", { m = n, n = n, A = A, ipiv = ipiv, info = info, batch_count = batch }, function(_, out)
      t:compare(out.info, info, {}, "no zero pivot")
      t:near(array.lu_residual(A, out.A, out.ipiv, batch), 0, 1e-13, "the largest ||PA-LU|| / ||A||")
      factors = out
    end)
    local worst = 0
    t:forms("dgetrs", { n = n, nrhs = 1, A = factors.A, ipiv = factors.ipiv, B = B, batch_count = batch },
      function(_, out)
        local residual = array.residual(A, out.B, B, batch)
        t:near(residual, 0, 1e-13, "the largest ||Ax-b|| / (||A|| ||x||) of the batch")
        worst = math.max(worst, residual)
      end)
    t:metric("residual", worst)
  end,
}
