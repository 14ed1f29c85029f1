local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "kernels of a handle run in order, without waits: each uses the result and workspace of the last one",
  source  = "rocBLAS, ROCm 5.0: Device Memory Allocation: \"each kernel completing before the next kernel in the "
    .. "stream starts\"; rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS: \"kernels execute in order in the "
    .. "stream\"; rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS: \"executes kernels sequentially in a "
    .. "single stream\"",
  tags    = "numbers", -- checks computed values
  params  = { n = 256, calls = 20 },
  schemes = "any",
  bytes   = 4096,

  run = function(t)
    local n, ones = t.n, array.zeros("d", t.n)
    ones:fill(1)
    local A = t:upload(array.identity("d", n))
    local x = t:upload(ones)
    local stream = t:stream(hip.stream_non_blocking)
    rocblas.set_stream(t.handle, stream)
    t:defer(rocblas.set_stream, t.handle, nil)

    -- x = A x with its copy in the workspace, and x = 3 x + x, in turns: any other order gives other numbers.
    hip.trace()
    local want = 1
    for i = 1, t.calls do
      t.handle:dtrmv { uplo = rocblas.fill_lower, n = n, A = A, x = x }
      if i % 2 == 0 then
        t.handle:dscal { n = n, alpha = 3, x = x }
        want = 3 * want
      else
        t.handle:daxpy { n = n, alpha = 1, x = x, y = x }
        want = 2 * want
      end
    end
    local waits = 0
    for _, c in ipairs(hip.trace()) do waits = waits + (c.synchronizing and 1 or 0) end
    t:equal(waits, 0, "no call waited")
    hip.stream_synchronize(stream)
    local have = hip.download(array.zeros("d", n), x)
    t:equal({ have[1], have[n] }, { want, want }, "the result of " .. 2 * t.calls .. " kernels in order")
    t:equal(#hip.hazards(), 0, "each kernel begins after the one before")
  end,
}
