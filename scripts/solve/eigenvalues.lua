local rocblas, rocsolver, hip, array = require "rocblas", require "rocsolver", require "hip", require "array"

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
  about   = "a batch of eigenvalue problems with known eigenvalues, singular values, and a generalized problem",
  source  = "rocSOLVER: rocsolver_dsyevd, rocsolver_dgesvd, rocsolver_dsygvd",
  tags    = { "numbers" }, -- checks computed values
  params  = { n = 24, batch = 3, type = "d" },
  schemes = "any",

  run = function(t)
    local handle, n, batch, T = t.handle, t.n, t.batch, t.type
    local R, near, kind = real[T], 10 * tolerance[T], (T == "c" or T == "z") and "he" or "sy"
    local function space(type, rows, cols) return t:upload(array.zeros(type, rows, cols)) end
    local function download(type, rows, cols, p) return hip.download(array.zeros(type, rows, cols), p) end
    local info = space("i32", batch)
    local function converged(name)
      for i, value in ipairs(download("i32", batch, 1, info):totable()) do
        t:equal(value, 0, name .. ": info of problem " .. i)
      end
    end

    local A, wanted = array.zeros(T, n, n * batch), {}
    for b = 1, batch do
      local problem, values = differences(T, n, b)
      A:paste(1, 1 + (b - 1) * n, problem)
      wanted[b] = values
    end
    local dA, D, E = t:upload(A), space(R, n, batch), space(R, n, batch)
    rocsolver[T .. kind .. "evd_strided_batched"] {
      handle = handle, evect = rocblas.evect_original, uplo = rocblas.fill_lower, n = n, A = dA, D = D, E = E,
      info = info, batch_count = batch,
    }
    converged "eigenvalues"
    local w, V = download(R, n, batch, D), download(T, n, n * batch, dA)
    t:check(array.is_sorted(w), "the eigenvalues of each problem are ascending")
    for b = 1, batch do
      t:near(array.relative_difference(w:column(b), wanted[b]), 0, near, "eigenvalues of problem " .. b)
    end
    t:near(array.eigen_residual(A, V, w, batch), 0, near, "the largest ||A V - V D|| / (||A|| ||V||)")
    t:near(array.orthogonality(V, batch), 0, near * n, "the largest ||V^H V - I||")

    local m = 2 * n
    local G = array.random(T, m, n * batch)
    local dG, S, U, W = t:upload(G), space(R, n, batch), space(T, m, n * batch), space(T, n, n * batch)
    rocsolver[T .. "gesvd_strided_batched"] {
      handle = handle, left_svect = rocblas.svect_singular, right_svect = rocblas.svect_singular, m = m, n = n,
      A = dG, S = S, U = U, V = W, E = E, fast_alg = rocblas.outofplace, info = info, batch_count = batch,
    }
    converged "singular values"
    local s = download(R, n, batch, S)
    t:check(array.is_sorted(s, "descending"), "the singular values of each problem are descending")
    t:near(array.svd_residual(G, download(T, m, n * batch, U), s, download(T, n, n * batch, W), batch), 0, near,
      "the largest ||A - U S V^H|| / ||A||")

    local K, M = differences(T, n, 0), array.positive_definite(T, n)
    local dK, dM = t:upload(K), t:upload(M)
    rocsolver[T .. kind .. "gvd"] {
      handle = handle, itype = rocblas.eform_ax, evect = rocblas.evect_original, uplo = rocblas.fill_upper, n = n,
      A = dK, B = dM, D = D, E = E, info = info,
    }
    converged "generalized problem"
    local X, lambda = download(T, n, n, dK), download(R, n, 1, D):totable()
    local values = array.zeros(T, n, n)
    for i = 1, n do values:set(i, i, lambda[i]) end
    local MX = array.multiply(M, X)
    t:near(array.relative_difference(array.multiply(MX, values), array.multiply(K, X)), 0, near * n,
      "K X = M X D, relative to ||K X||")
    t:near(array.relative_difference(array.multiply(X:conjugate_transpose(), MX), array.identity(T, n)), 0, near * n,
      "X^H M X = I")
  end,
}
