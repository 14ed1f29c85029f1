local rocblas, rocsolver, hip, array = require "rocblas", require "rocsolver", require "hip", require "array"

local tolerance = { s = 1e-5, d = 1e-13, c = 1e-5, z = 1e-13 }

return {
  about   = "least squares with gels, and with geqrf, ormqr and trsm: the solutions are equal",
  source  = "rocSOLVER: rocsolver_dgels, rocsolver_dgeqrf, rocsolver_dormqr, rocsolver_zunmqr",
  tags    = { "numbers" }, -- checks computed values
  params  = { m = 150, n = 60, nrhs = 4, type = "d" },
  schemes = "any",

  run = function(t)
    local handle, m, n, nrhs, T = t.handle, t.m, t.n, t.nrhs, t.type
    local complex = T == "c" or T == "z"
    local adjoint = complex and rocblas.operation_conjugate_transpose or rocblas.operation_transpose
    local near = tolerance[T]
    local A, B = array.random(T, m, n), array.random(T, m, nrhs)

    local dA, dB, info = t:upload(A), t:upload(B), t:upload(array.zeros("i32", 1))
    rocsolver[T .. "gels"] { handle = handle, m = m, n = n, nrhs = nrhs, A = dA, B = dB, info = info }
    t:equal(hip.download(array.zeros("i32", 1), info)[1], 0, "A has full rank")
    local X = hip.download(array.zeros(T, m, nrhs), dB):block(1, 1, n, nrhs)
    local residual = array.subtract(array.multiply(A, X), B)
    local normal = array.multiply(A:conjugate_transpose(), residual)
    t:near(array.norm(normal) / (array.norm(A) * array.norm(B)), 0, near, "||A^H (A X - B)|| / (||A|| ||B||)")

    local dQR, dY, tau = t:upload(A), t:upload(B), t:upload(array.zeros(T, n))
    rocsolver[T .. "geqrf"] { handle = handle, m = m, n = n, A = dQR, ipiv = tau }
    rocsolver[T .. (complex and "unmqr" or "ormqr")] {
      handle = handle, side = rocblas.side_left, trans = adjoint, m = m, n = nrhs, k = n, A = dQR, lda = m, ipiv = tau,
      C = dY, ldc = m,
    }
    rocblas[T .. "trsm"] {
      handle = handle, side = rocblas.side_left, uplo = rocblas.fill_upper, m = n, n = nrhs, alpha = 1, A = dQR,
      lda = m, B = dY, ldb = m,
    }
    local Y = hip.download(array.zeros(T, m, nrhs), dY):block(1, 1, n, nrhs)
    t:near(array.relative_difference(X, Y), 0, near, "gels and the three steps compute the same")
  end,
}
