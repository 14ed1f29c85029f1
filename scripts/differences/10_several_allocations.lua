-- Returns the allocation, or raises the reason for its failure.
local function must(allocation, reason)
  if not allocation then error(reason) end
  return allocation
end

return {
  about   = "several workspace allocations can be alive at a time, in stack order, as long as they fit",
  source  = "rocBLAS developer guide, ROCm 3.5: Device Memory Allocation: \"only one successful allocation object "
    .. "can be alive at a time\"",
  platforms = { "cpu", "nvidia" }, -- rocBLAS does not export these functions
  profiles = "rocm-",
  schemes = { "manual", "user_owned", "managed" },
  bytes   = 1024,

  run = function(t)
    local handle = t.handle
    local first = must(handle:device_malloc(512))
    t:defer(function() first:release() end)
    local second = must(handle:device_malloc(256))
    t:defer(function() second:release() end)
    t:check(first.bytes == 512 and second.bytes == 256, "two allocations at a time")
    if t.scheme ~= "managed" then
      t:equal(second[1] - first[1], 512, "the second follows the first")
      t:equal((handle:device_malloc(512)), nil, "a third one does not fit")
    end
  end,
}
