local rocblas, rocsolver, hip, array = require "rocblas", require "rocsolver", require "hip", require "array"
local capture = require "_capture"

return {
  about   = "an LU factorization is captured, and each launch factorizes the matrix that the memory holds then",
  params  = { n = 200 },
  schemes = "any",
  tags    = "numbers",

  run = function(t)
    local n = t.n
    local original, factored = array.diagonally_dominant("d", n), array.zeros("d", n, n)
    local pivots = array.zeros("i32", n)
    local A = t:malloc(8 * n * n)
    local ipiv = t:malloc(4 * n)
    local info = t:malloc(4)
    local stream = capture.stream(t)
    t:defer(rocblas.set_stream, t.handle, nil)
    rocblas.set_stream(t.handle, stream)
    local status
    local graph = capture.graph(t, stream, function()
      hip.memcpy_async(A, original, 8 * n * n, hip.memcpy_host_to_device, stream)
      status = rocsolver.dgetrf { handle = t.handle, m = n, n = n, A = A, ipiv = ipiv, info = info }
    end)
    t:status(rocblas.status_success, status)
    local exec = capture.instantiate(t, graph)
    for i = 1, 2 do
      original[i] = original[i] + i
      hip.graph_launch(exec, stream)
      hip.stream_synchronize(stream)
      hip.memcpy(factored, A, 8 * n * n, hip.memcpy_device_to_host)
      hip.memcpy(pivots, ipiv, 4 * n, hip.memcpy_device_to_host)
      t:check(array.lu_residual(original, factored, pivots) < 1e-12, "launch " .. i)
    end
  end,
}
