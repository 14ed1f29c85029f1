local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "an unsynchronized switch of streams is safe while growth of the workspace synchronizes, and a race later",
  source  = "rocBLAS, ROCm 5.0: Device Memory Allocation: \"a synchronizing deallocation and allocation occurs\"; "
    .. "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, Supports Switching Streams Without Any "
    .. "Synchronization",
  platforms = "cpu", -- only the simulated device detects unordered uses
  profiles = "rocm-",
  tags    = "hazards",
  params  = { order = 512, batch = 64 },
  schemes = { "managed", "stream_ordered" },

  run = function(t)
    local handle, m, batch = t.handle, t.order, t.batch
    local A = t:malloc(8 * m * m)
    local B = t:malloc(16 * m * batch)
    local x = t:malloc(8 * m)
    hip.memset(A, 0, 8 * m * m)
    hip.memset(B, 0, 16 * m * batch)
    hip.memset(x, 0, 8 * m)
    local streams = {}
    for i = 1, 2 do streams[i] = hip.stream_create_with_flags(hip.stream_non_blocking) end
    t:defer(function()
      rocblas.set_stream(handle, nil)
      for _, stream in ipairs(streams) do hip.stream_destroy(stream) end
    end)

    local function solve(on)
      on:dtrsm_strided_batched { side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit,
        m = m, n = 2, A = A, stride_a = 0, B = B, batch_count = batch }
    end
    -- A triangular product in one stream, then many small solves in the other. Both write only the workspace.
    local function both()
      rocblas.set_stream(handle, streams[1])
      handle:dtrmv { uplo = rocblas.fill_lower, n = m, A = A, x = x }
      local queued = hip.event_create()
      hip.event_record(queued, streams[1])
      rocblas.set_stream(handle, streams[2])
      hip.trace()
      solve(handle)
      local waits = 0
      for _, c in ipairs(hip.trace()) do waits = waits + (c.synchronizing and 1 or 0) end
      local done = waits > 0 and hip.try.event_query(queued)
      hip.device_synchronize()
      hip.event_destroy(queued)
      return waits, done, hip.hazards()
    end

    local grows = t.scheme == "managed" and t.profile ~= "rocm-7.1"
    if grows and handle:query(solve) <= rocblas.get_device_memory_size(handle) then
      t:skip("this architecture's default is enough from the start; choose a larger batch")
    end
    local waits, done, hazards = both()
    t:metric("waits", waits)
    t:equal(#hazards, 0, "the first time")
    if not grows then
      t:equal({ waits, #select(3, both()) }, { 0, 0 }, "stream-ordered: each call has its own memory; no call waits")
      return
    end
    t:equal(waits, 2, "hipFree and hipMalloc wait for the whole device")
    t:status(hip.success, done, "so the work of the other stream was complete")

    -- The second time the workspace does not grow, no call waits, and two streams use one workspace.
    waits, done, hazards = both()
    t:equal(waits, 0, "the second time")
    t:check(#hazards > 0, "the missing synchronization is detected")
    t:equal({ hazards[1].earlier.call, hazards[1].later.call }, { "rocblas_dtrmv", "rocblas_dtrsm_strided_batched" })
  end,
}
