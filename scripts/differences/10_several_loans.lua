local rocblas = require "rocblas"

-- A loan, or the reason why there is none as an error.
local function lent(loan, why)
  if not loan then error(why) end
  return loan
end

return {
  about   = "several loans may be out at a time, like a stack, as long as they fit",
  source  = "003_744138cbdf84c0f0.txt: \"only one successful allocation object can be alive at a time\"",
  platforms = { "cpu", "nvidia" }, -- the library keeps its developers' side to itself
  profiles = "rocm-",
  schemes = { "manual", "user_owned", "managed" },
  bytes   = 1024,

  run = function(t)
    local handle = t.handle
    local first = lent(handle:device_malloc(512))
    t:defer(function() first:release() end)
    local second = lent(handle:device_malloc(256))
    t:defer(function() second:release() end)
    t:check(first.bytes == 512 and second.bytes == 256, "two loans at a time")
    if t.scheme ~= "managed" then
      t:equal(second[1] - first[1], 512, "the second lies behind the first")
      t:equal((handle:device_malloc(512)), nil, "a third does not fit")
    end
  end,
}
