local rocblas, hip = require "rocblas", require "hip"

-- Allocates from the workspace. Returns whether it got memory, and the HIP calls.
local function allocate(handle, bytes)
  hip.trace()
  local mem = handle:device_malloc(bytes)
  local got = mem ~= nil
  if got then mem:release() end
  local calls = {}
  for _, c in ipairs(hip.trace()) do calls[#calls + 1] = c.call end
  return got, calls
end

return {
  about   = "device_malloc expands memory that the library manages, and never resizes memory of the user",
  source  = "rocBLAS developer guide, ROCm 3.5: Device Memory Allocation, rocBLAS Kernel Device Memory Allocation: "
    .. "\"expanded in size as necessary\"; \"no resizing or synchronization ever occurs\"",
  platforms = { "cpu", "nvidia" }, -- rocBLAS does not export these functions
  profiles = { "rocm-6.4", "rocm-7.2", "cuda" }, -- in rocm-7.1 no handle holds memory
  schemes = { "managed", "preallocated", "manual", "user_owned" },

  run = function(t)
    local handle = t.handle
    local held = rocblas.get_device_memory_size(handle)
    local got, calls = allocate(handle, held)
    t:equal({ got, calls }, { true, {} }, "it fits: no HIP call")

    got, calls = allocate(handle, held + 64)
    local now = rocblas.get_device_memory_size(handle)
    if t.scheme == "managed" then
      t:equal({ got, calls }, { true, { "hipFree", "hipMalloc" } }, "it is expanded")
      t:check(now >= held + 64, "the handle holds more")
    else
      t:equal({ got, calls }, { false, {} }, "the size is the limit, and no HIP call waits")
      t:equal(now, held, "the handle holds as much")
    end
  end,
}
