local rocblas, rocsolver, hip, array = require "rocblas", require "rocsolver", require "hip", require "array"

local tolerance = { s = 1e-5, d = 1e-14, c = 1e-5, z = 1e-14 }

return {
  about   = "solve a system with getrf and getrs, and check the residual",
  source  = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, Minimum required size: the calls in the example",
  params  = { n = 200, nrhs = 3, type = "d" },
  schemes = "any",
  tags    = { "numbers" },

  run = function(t)
    local handle, n, nrhs, T = t.handle, t.n, t.nrhs, t.type
    local A, B = array.random(T, n, n), array.random(T, n, nrhs)
    local dA = t:upload(A)
    local dB = t:upload(B)
    local ipiv = t:malloc(4 * n)
    local info = t:malloc(4)

    rocsolver[T .. "getrf"](handle, n, n, dA, n, ipiv, info)
    rocsolver[T .. "getrs"](handle, rocblas.operation_none, n, nrhs, dA, n, ipiv, dB, n)
    hip.stream_synchronize(rocblas.get_stream(handle))

    t:equal(hip.download(array.zeros("i32", 1), info)[1], 0, "no zero pivot")
    local X = hip.download(array.zeros(T, n, nrhs), dB)
    local LU = hip.download(array.zeros(T, n, n), dA)
    local P = hip.download(array.zeros("i32", n), ipiv)
    local residual = array.residual(A, X, B)
    t:metric("residual", residual)
    t:near(residual, 0, tolerance[T], "||Ax-b|| / (||A|| ||x||)")
    t:near(array.lu_residual(A, LU, P), 0, tolerance[T], "||PA-LU|| / ||A||")
  end,
}
