local array = require "array"

local tolerance = { s = 1e-5, d = 1e-13, c = 1e-5, z = 1e-13 }
local real = { s = "s", d = "d", c = "s", z = "d" }

-- Second differences, plus a shift: the eigenvalues are 2 - 2 cos(k pi / (n + 1)) + shift, k from 1.
local function differences(T, n, shift)
  local A, values = array.zeros(T, n, n), {}
  for i = 1, n do
    A:set(i, i, 2 + shift)
    if i < n then
      A:set(i, i + 1, -1)
      A:set(i + 1, i, -1)
    end
    values[i] = 2 - 2 * math.cos(i * math.pi / (n + 1)) + shift
  end
  return A, array.of(real[T], values)
end

return {
  about   = "eigenvalue problems with known eigenvalues, singular values, and a generalized problem, in each form",
  source  = "rocSOLVER: rocsolver_dsyevd, rocsolver_dgesvd, rocsolver_dsygvd",
  tags    = { "numbers" }, -- checks computed values
  params  = { n = 24, batch = 3, type = "d" },
  schemes = "any",

  run = function(t)
    local n, batch, T = t.n, t.batch, t.type
    local R, near, kind = real[T], 10 * tolerance[T], (T == "c" or T == "z") and "he" or "sy"
    local A, wanted = array.zeros(T, n, n * batch), {}
    for b = 1, batch do
      local problem, values = differences(T, n, b)
      A:paste(1, 1 + (b - 1) * n, problem)
      wanted[b] = values
    end
    local zeros = array.zeros("i32", batch)
    t:forms(T .. kind .. "evd", {
      evect = "original", uplo = "lower", n = n, A = A, D = array.zeros(R, n, batch), E = array.zeros(R, n, batch),
      info = zeros, batch_count = batch,
    }, function(_, out)
      t:compare(out.info, zeros, {}, "converged")
      t:check(array.is_sorted(out.D), "the eigenvalues of each problem are ascending")
      for b = 1, batch do
        t:near(array.relative_difference(out.D:column(b), wanted[b]), 0, near, "eigenvalues of problem " .. b)
      end
      t:near(array.eigen_residual(A, out.A, out.D, batch), 0, near, "the largest ||A V - V D|| / (||A|| ||V||)")
      t:near(array.orthogonality(out.A, batch), 0, near * n, "the largest ||V^H V - I||")
    end)

    local m = 2 * n
    local G = array.random(T, m, n * batch)
    t:forms(T .. "gesvd", {
      left_svect = "singular", right_svect = "singular", m = m, n = n, A = G, S = array.zeros(R, n, batch),
      U = array.zeros(T, m, n * batch), V = array.zeros(T, n, n * batch), E = array.zeros(R, n, batch),
      fast_alg = "outofplace", info = zeros, batch_count = batch,
    }, function(_, out)
      t:compare(out.info, zeros, {}, "converged")
      t:check(array.is_sorted(out.S, "descending"), "the singular values of each problem are descending")
      t:near(array.svd_residual(G, out.U, out.S, out.V, batch), 0, near, "the largest ||A - U S V^H|| / ||A||")
    end)

    local K, M = differences(T, n, 0), array.positive_definite(T, n)
    t:forms(T .. kind .. "gvd", {
      itype = "ax", evect = "original", uplo = "upper", n = n, A = K, B = M, D = array.zeros(R, n),
      E = array.zeros(R, n), info = array.zeros("i32", 1),
    }, function(_, out)
      t:equal(out.info[1], 0, "converged")
      local X, values = out.A, array.zeros(T, n, n)
      for i = 1, n do values:set(i, i, out.D[i]) end
      local MX = array.multiply(M, X)
      t:near(array.relative_difference(array.multiply(MX, values), array.multiply(K, X)), 0, near * n,
        "K X = M X D, relative to ||K X||")
      t:near(array.relative_difference(array.multiply(X:conjugate_transpose(), MX), array.identity(T, n)), 0,
        near * n, "X^H M X = I")
    end)
  end,
}
