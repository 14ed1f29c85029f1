local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "switching streams with an event: the second stream waits, the host does not",
  source  = "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, Supports Switching Streams Without Any "
    .. "Synchronization",
  params  = { n = 512 },
  schemes = "any",

  run = function(t)
    local handle, n = t.handle, t.n
    local A = t:malloc(8 * n * n)
    local x = t:malloc(8 * n)
    local y = t:malloc(8 * n)
    hip.memset(A, 0, 8 * n * n)
    hip.memset(x, 0, 8 * n)
    hip.memset(y, 0, 8 * n)
    local first = t:stream(hip.stream_non_blocking)
    local second = t:stream(hip.stream_non_blocking)
    local event = t:event()
    t:defer(rocblas.set_stream, handle, nil)
    local function multiply(vector) handle:dtrmv { uplo = rocblas.fill_lower, n = n, A = A, x = vector } end

    -- set_stream neither waits nor allocates, in any scheme. The user must order the work of the two streams.
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
    t:equal(waits, 0, "the host did not wait")
    t:equal(rocblas.get_device_memory_size(handle), size, "the size is unchanged")
    hip.device_synchronize()
    t:equal(#hip.hazards(), 0, "all uses of the workspace are ordered")
  end,
}
