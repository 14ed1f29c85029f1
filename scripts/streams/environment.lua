local rocblas, hip, array = require "rocblas", require "hip", require "array"

-- Values of the variable, and whether they enable stream-ordered allocation.
local values = {
  { nil, false }, { "0", false }, { "1", true }, -- as documented
  { "", false }, { "abc", false }, -- no number: read as 0
  { "-1", true }, -- not greater than 0, but any number except 0 enables it
  { "0x10", true }, { "1abc", true },
}

return {
  about   = "ROCBLAS_STREAM_ORDER_ALLOC: unset, 0, 1, and values that the document does not describe",
  source  = "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, Environment Variable to Enable Stream-Ordered "
    .. "Memory Allocation: \"if > 0, sets the allocation to be stream-ordered\"; \"if == 0 or unset\"; Stream-Ordered "
    .. "Memory Allocation: \"This is a non-default beta option\"",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  profiles = "rocm-",

  run = function(t)
    t:equal(hip.device_get_attribute(hip.device_attribute_memory_pools_supported, 0), 1, "the device supports it")
    local x = t:upload(array.zeros("d", 1000))
    local unset = rocblas.create_handle()
    local default = rocblas.get_device_memory_size(unset) -- 0 in rocm-7.1, where handles hold no memory
    rocblas.destroy_handle(unset)

    -- Returns the HIP calls that allocate and free.
    local function memory_calls()
      local calls = {}
      for _, c in ipairs(hip.trace()) do
        if c.call:find("Malloc") or c.call:find("Free") or c.call:find("Pool") then calls[#calls + 1] = c.call end
      end
      return calls
    end

    for _, value in ipairs(values) do
      local text = value[1] and ("%q"):format(value[1]) or "unset"
      local ordered = value[2] or t.profile == "rocm-7.1" -- which always allocates in stream order
      os.setenv("ROCBLAS_STREAM_ORDER_ALLOC", value[1])
      hip.trace()
      local handle = rocblas.create_handle()
      t:defer(function() handle:close() end) -- when a later call fails
      t:equal(memory_calls(), ordered and { "hipMallocAsync", "hipFreeAsync" } or { "hipMalloc" }, text .. ": creation")
      t:equal(rocblas.get_device_memory_size(handle), default, text .. ": size")
      rocblas.dasum(handle, 1000, x, 1)
      t:equal(memory_calls(), ordered and { "hipMallocAsync", "hipFreeAsync" } or {}, text .. ": a call")
      rocblas.destroy_handle(handle)
      t:equal(memory_calls(), ordered and { "hipMemPoolTrimTo" } or { "hipFree" }, text .. ": destruction")
    end
  end,
}
