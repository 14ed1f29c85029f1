local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "who waits at a switch of streams: the host, or by an event the second stream alone, which is as safe",
  source  = "004_3b3df78c3e93c211.txt, Supports Switching Streams Without Any Synchronization",
  params  = { n = 512 },
  schemes = "any",

  run = function(t)
    local handle, n = t.handle, t.n
    local A, x, y = hip.malloc(8 * n * n), hip.malloc(8 * n), hip.malloc(8 * n)
    hip.memset(A, 0, 8 * n * n)
    hip.memset(x, 0, 8 * n)
    hip.memset(y, 0, 8 * n)
    local first, second = hip.stream_create_with_flags(hip.stream_non_blocking), hip.stream_create_with_flags(hip.stream_non_blocking)
    local event = hip.event_create()
    t:defer(function()
      rocblas.set_stream(handle, nil)
      hip.event_destroy(event)
      for _, stream in ipairs { first, second } do hip.stream_destroy(stream) end
      for _, p in ipairs { A, x, y } do hip.free(p) end
    end)
    local function multiply(vector) handle:dtrmv { uplo = rocblas.fill_lower, n = n, A = A, x = vector } end

    -- set_stream neither waits nor allocates, whatever the scheme: what is to be ordered, the user orders.
    local size = rocblas.get_device_memory_size(handle)
    hip.trace()
    rocblas.set_stream(handle, first)
    multiply(x)
    hip.event_record(event, first)
    rocblas.set_stream(handle, second)
    hip.stream_wait_event(second, event)
    multiply(y)
    hip.event_record(event, second)
    rocblas.set_stream(handle, first)
    hip.stream_wait_event(first, event)
    multiply(x)

    local waits = 0
    for _, c in ipairs(hip.trace()) do waits = waits + (c.synchronizing and 1 or 0) end
    t:equal(waits, 0, "the host never waited")
    t:equal(rocblas.get_device_memory_size(handle), size, "the workspace is where it was")
    hip.device_synchronize()
    t:equal(#hip.hazards(), 0, "and no two uses of the workspace were without an order")
  end,
}
