local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "the two schemes of the newest page: managed in stream order, and user-owned",
  source  = "000_87fe014290032ff0.txt, There are two memory allocation schemes",
  platforms = { "cpu", "nvidia" }, -- elsewhere nobody sees the calls that the library makes
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
      t:equal(names, { "hipMallocAsync", "hipStreamSynchronize", "hipFreeAsync" }, "allocated and freed in stream order")
      t:check(rocblas.is_managing_device_memory(handle), "managed by rocBLAS")
    else
      t:equal(names, { "hipStreamSynchronize" }, "no resizing ever occurs; the result is waited for")
      t:check(not rocblas.is_managing_device_memory(handle), "owned by the user")
    end
  end,
}
