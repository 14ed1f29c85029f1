local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "switching streams after synchronizing the first, as hipMalloc-based allocation requires",
  source  = "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, Supports Switching Streams Without Any "
    .. "Synchronization",
  schemes = "any",

  run = function(t)
    local handle, n = t.handle, 512
    local dA = t:upload(array.identity("d", n))
    local x1 = t:upload(array.random("d", n))
    local x2 = t:upload(array.random("d", n))
    local first = t:stream()
    local second = t:stream()
    t:defer(rocblas.set_stream, handle, nil)
    local call = { uplo = rocblas.fill_lower, n = n, A = dA }

    rocblas.set_stream(handle, first)
    call.x = x1
    handle:dtrmv(call)
    hip.stream_synchronize(first)
    rocblas.set_stream(handle, second)
    call.x = x2
    handle:dtrmv(call)
    hip.stream_synchronize(second)
    t:equal(#hip.hazards(), 0)
  end,
}
