local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "one handle per stream: no synchronization is needed, and each has its own workspace",
  source  = "rocBLAS, ROCm 5.0: Device Memory Allocation: \"Each handle has a single stream, and kernels execute in "
    .. "order in the stream\"; rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS: \"Each handle has a single "
    .. "stream\"; rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS: \"executes kernels sequentially in a "
    .. "single stream\"",
  params  = { streams = 4, n = 512 },
  schemes = "any",

  run = function(t)
    local n, workers = t.n, {}
    local A = t:malloc(8 * n * n)
    hip.memset(A, 0, 8 * n * n)
    for i = 1, t.streams do
      -- dtrmv copies x into the workspace, so the schemes with a user-defined size need 8*n bytes, rounded up to 64.
      local worker = {
        handle = t:open { bytes = math.ceil(8 * n / 64) * 64 },
        stream = t:stream(hip.stream_non_blocking),
      }
      worker.x = t:malloc(8 * n)
      hip.memset(worker.x, 0, 8 * n)
      rocblas.set_stream(worker.handle, worker.stream)
      t:defer(rocblas.set_stream, worker.handle, nil)
      workers[i] = worker
    end

    hip.trace()
    for _ = 1, 2 do
      for _, worker in ipairs(workers) do
        worker.handle:dtrmv { uplo = rocblas.fill_lower, n = n, A = A, x = worker.x }
      end
    end
    local waits, held = 0, 0
    for _, c in ipairs(hip.trace()) do waits = waits + (c.synchronizing and 1 or 0) end
    for _, worker in ipairs(workers) do held = held + rocblas.get_device_memory_size(worker.handle) end
    t:equal(waits, 0, "no call waited")
    hip.device_synchronize()
    t:equal(#hip.hazards(), 0, "no unordered accesses; both streams may read A")
    -- With stream-ordered allocation this is a nominal size: no memory is held between calls.
    t:equal(held, t.streams * rocblas.get_device_memory_size(workers[1].handle), "one workspace per handle")
    t:metric("nominal_bytes", held, "bytes")
  end,
}
