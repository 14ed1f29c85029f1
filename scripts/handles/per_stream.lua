local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "a handle for each stream: nothing to synchronize, and a workspace for each",
  source  = "001_05db848c59de963d.txt: \"Each handle has a single stream, and kernels execute in order in the stream\"",
  params  = { streams = 4, n = 512 },
  schemes = "any",

  run = function(t)
    local n, lanes = t.n, {}
    local A = hip.malloc(8 * n * n)
    t:defer(function() hip.free(A) end)
    hip.memset(A, 0, 8 * n * n)
    for i = 1, t.streams do
      -- dtrmv copies x into the workspace: 8*n bytes, rounded up to 64, are enough where the user decides.
      local lane = { handle = t:open { bytes = math.ceil(8 * n / 64) * 64 }, stream = hip.stream_create_with_flags(hip.stream_non_blocking), x = hip.malloc(8 * n) }
      hip.memset(lane.x, 0, 8 * n)
      rocblas.set_stream(lane.handle, lane.stream)
      lanes[i] = lane
    end
    t:defer(function()
      for _, lane in ipairs(lanes) do
        rocblas.set_stream(lane.handle, nil)
        hip.stream_destroy(lane.stream)
        hip.free(lane.x)
      end
    end)

    hip.trace()
    for turn = 1, 2 do
      for _, lane in ipairs(lanes) do lane.handle:dtrmv { uplo = rocblas.fill_lower, n = n, A = A, x = lane.x } end
    end
    local waits, held = 0, 0
    for _, c in ipairs(hip.trace()) do waits = waits + (c.synchronizing and 1 or 0) end
    for _, lane in ipairs(lanes) do held = held + rocblas.get_device_memory_size(lane.handle) end
    t:equal(waits, 0, "nobody waited")
    hip.device_synchronize()
    t:equal(#hip.hazards(), 0, "no memory is used by two streams without an order; reading A together is no harm")
    -- Where loans come from the device's pool this is a nominal size: nothing is held between calls.
    t:equal(held, t.streams * rocblas.get_device_memory_size(lanes[1].handle), "a workspace for each")
    t:metric("nominal_bytes", held, "bytes")
  end,
}
