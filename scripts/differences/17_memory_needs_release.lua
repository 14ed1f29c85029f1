local hip = require "hip"

return {
  about   = "an allocation ends with release, not with the scope of its object, which cannot be passed as a pointer",
  source  = "rocBLAS developer guide, ROCm 3.5: Device Memory Allocation, Design: \"allocated memory is returned to "
    .. "the handle automatically when it is no longer needed\"; rocBLAS Kernel Device Memory Allocation: \"convertible "
    .. "to void * or other pointer types\"",
  platforms = { "cpu", "nvidia" }, -- rocBLAS does not export these functions
  schemes = { "manual", "user_owned" },
  bytes   = 1024,

  run = function(t)
    local handle = t.handle
    local kept
    -- In C++ the destructor would return the memory at the end of this function.
    local function borrows()
      local mem = handle:device_malloc(640)
      kept = function() mem:release() end
    end
    borrows()
    collectgarbage()
    t:equal((handle:device_malloc(640)), nil, "the memory is still borrowed")
    kept()
    local mem = handle:device_malloc(640)
    t:check(mem, "released memory can be borrowed again")

    -- In C++ an object of one size is a pointer. In Lua its first element is.
    local ok, message = pcall(hip.memset, mem, 0, 640)
    t:check(not ok and tostring(message):find("dst"), "the object is refused as a pointer: " .. tostring(message))
    hip.memset(mem[1], 0, 640)
    mem:release()
  end,
}
