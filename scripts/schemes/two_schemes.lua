local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "the two schemes of rocBLAS 5.1: managed with stream-ordered allocation, and user-owned",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, There are two memory allocation schemes",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  params  = { n = 100000 },
  schemes = { "stream_ordered", "user_owned" },

  run = function(t)
    local handle = t.handle
    local ones = array.zeros("d", t.n)
    ones:fill(1)
    local x = hip.upload(ones)
    t:defer(function() hip.free(x) end)

    hip.trace()
    local sum = rocblas.dasum(handle, t.n, x, 1)
    local names = {}
    for _, call in ipairs(hip.trace()) do
      if call.call ~= "hipMemcpyAsync" then names[#names + 1] = call.call end
    end
    t:equal(sum, t.n)
    if t.scheme == "stream_ordered" then
      t:equal(names, { "hipMallocAsync", "hipStreamSynchronize", "hipFreeAsync" }, "stream-ordered")
      t:check(rocblas.is_managing_device_memory(handle), "managed by rocBLAS")
    else
      t:equal(names, { "hipStreamSynchronize" }, "no resizing; only the result is synchronized")
      t:check(not rocblas.is_managing_device_memory(handle), "owned by the user")
    end
  end,
}
