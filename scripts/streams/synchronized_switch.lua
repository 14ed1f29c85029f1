local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "the same switch with the first stream synchronized, as the classic allocator needs it",
  source  = "004_3b3df78c3e93c211.txt, Supports Switching Streams Without Any Synchronization",
  schemes = "any",

  run = function(t)
    local handle, n = t.handle, 2048
    local dA = hip.upload(array.identity("d", n))
    local x1, x2 = hip.upload(array.random("d", n)), hip.upload(array.random("d", n))
    local first, second = hip.stream_create(), hip.stream_create()
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

    rocblas.set_stream(handle, nil)
    hip.stream_destroy(first)
    hip.stream_destroy(second)
    for _, p in ipairs { dA, x1, x2 } do hip.free(p) end
  end,
}
