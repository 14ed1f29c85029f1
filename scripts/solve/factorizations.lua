local rocblas, rocsolver, hip, array = require "rocblas", require "rocsolver", require "hip", require "array"

local tolerance = { s = 1e-5, d = 1e-13, c = 1e-5, z = 1e-13 }

return {
  about   = "Cholesky, QR and inverse: residuals of the factors, and how far Q is from orthogonal",
  source  = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model: the routines take their workspace from the handle",
  tags    = { "numbers" }, -- checks computed values
  params  = { m = 120, n = 80, type = "d" },
  schemes = "any",

  run = function(t)
    local handle, m, n, T = t.handle, t.m, t.n, t.type
    local near = tolerance[T]
    local function download(kind, rows, cols, p) return hip.download(array.zeros(kind, rows, cols), p) end
    local info = t:upload(array.zeros("i32", 1))

    local S = array.positive_definite(T, n)
    local dS = t:upload(S)
    rocsolver[T .. "potrf"] { handle = handle, uplo = rocblas.fill_lower, n = n, A = dS, info = info }
    local L = download(T, n, n, dS)
    t:near(array.cholesky_residual(S, L, rocblas.fill_lower), 0, near, "||A - L L^H|| / ||A||")

    local A, tau = array.random(T, m, n), t:upload(array.zeros(T, n))
    local dA = t:upload(A)
    rocsolver[T .. "geqrf"] { handle = handle, m = m, n = n, A = dA, ipiv = tau }
    local QR, scalars = download(T, m, n, dA), download(T, n, 1, tau)
    t:near(array.qr_residual(A, QR, scalars), 0, near, "||A - Q R|| / ||A||")
    t:near(array.orthogonality(array.orthogonal_factor(QR, scalars)), 0, near * n, "||Q^H Q - I||")

    local Q, ipiv = array.orthogonal(T, n), t:upload(array.zeros("i32", n))
    local dQ = t:upload(Q)
    rocsolver[T .. "getrf"] { handle = handle, m = n, n = n, A = dQ, ipiv = ipiv, info = info }
    rocsolver[T .. "getri"] { handle = handle, n = n, A = dQ, ipiv = ipiv, info = info }
    local inverse = download(T, n, n, dQ)
    t:near(array.inverse_residual(Q, inverse), 0, near, "||A X - I|| / (||A|| ||X||)")
    t:near(array.relative_difference(inverse, Q:conjugate_transpose()), 0, near, "the inverse of Q is Q^H")
  end,
}
