local rocblas, hip, array = require "rocblas", require "hip", require "array"

-- Two kernels that need workspace, one after the other in two streams, on one handle.
local function switch(t, handle)
  local n = 512
  local dA = t:upload(array.identity("d", n))
  local x1 = t:upload(array.random("d", n))
  local x2 = t:upload(array.random("d", n))
  local first = t:stream(hip.stream_non_blocking)
  local second = t:stream(hip.stream_non_blocking)
  t:defer(rocblas.set_stream, handle, nil)
  local call = { uplo = rocblas.fill_lower, n = n, A = dA }

  rocblas.set_stream(handle, first)
  call.x = x1
  handle:dtrmv(call)
  rocblas.set_stream(handle, second)
  call.x = x2
  handle:dtrmv(call)

  hip.stream_synchronize(first)
  hip.stream_synchronize(second)
  return hip.hazards()
end

return {
  about   = "switching streams without synchronization is safe only with stream-ordered allocation",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, Switching streams without synchronization; "
    .. "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, Stream-Ordered Memory Allocation",
  tags    = "hazards", -- only the simulated device detects them
  schemes = { "stream_ordered", "managed", "manual" },

  run = function(t)
    -- A user may check if the device supports stream-order allocation.
    t:equal(hip.device_get_attribute(hip.device_attribute_memory_pools_supported, 0), 1)

    local hazards = switch(t, t.handle)
    t:metric("hazards", #hazards)
    if t.platform ~= "cpu" then
      t:log("only the simulated device detects unordered uses")
    elseif t.scheme == "stream_ordered" or t.profile == "rocm-7.1" then
      t:equal(#hazards, 0, "each call has its own memory, freed in stream order")
    else
      t:check(#hazards > 0, "two streams use one workspace at the same time")
      t:equal(hazards[1].later.call, "rocblas_dtrmv")
    end
  end,
}
