local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "setting the size while kernels still run: hipFree waits for the whole device, so nothing is lost",
  source  = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, Using helper functions: \"recommended to first synchronize "
    .. "the handle stream\"",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  profiles = { "rocm-6.4", "rocm-7.2", "cuda" }, -- in rocm-7.1 the function does nothing
  tags    = "numbers", -- checks computed values
  params  = { n = 1024 },
  schemes = "manual",
  bytes   = 8192,

  run = function(t)
    local handle, n = t.handle, t.n
    local A = t:upload(array.identity("d", n))
    local x = t:upload(array.random("d", n))
    local stream = t:stream(hip.stream_non_blocking)
    rocblas.set_stream(handle, stream)
    t:defer(rocblas.set_stream, handle, nil)

    -- dtrmv keeps its result in the workspace that set_device_memory_size frees.
    local before = hip.download(array.zeros("d", n), x)
    handle:dtrmv { uplo = rocblas.fill_lower, n = n, A = A, x = x }
    hip.trace()
    rocblas.set_device_memory_size(handle, 2 * 8 * n)
    local calls = {}
    for _, c in ipairs(hip.trace()) do calls[#calls + 1] = c.call .. (c.synchronizing and ", waits" or "") end
    t:equal(calls, { "hipFree, waits", "hipMalloc, waits" }, "the wait is inside of hipFree")
    t:equal(hip.stream_query(stream), hip.success, "the kernel has ended")
    t:equal(array.max_difference(hip.download(array.zeros("d", n), x), before), 0, "with its result")
    t:equal(#hip.hazards(), 0, "nothing used freed memory")
  end,
}
