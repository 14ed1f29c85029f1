local rocblas = require "rocblas"

return {
  about   = "several loans may be out at a time, like a stack, as long as they fit",
  source  = "003_744138cbdf84c0f0.txt: \"only one successful allocation object can be alive at a time\"",
  platforms = { "cpu", "nvidia" }, -- the library keeps its developers' side to itself
  profiles = "rocm-",
  schemes = { "manual", "user_owned", "managed" },
  bytes   = 1024,

  run = function(t)
    local handle = t.handle
    local first = handle:device_malloc(512)
    local second = handle:device_malloc(256)
    t:check(first ~= nil and second ~= nil, "two loans at a time")
    if t.scheme ~= "managed" then
      t:equal(second[1] - first[1], 512, "the second lies behind the first")
      t:equal((handle:device_malloc(512)), nil, "a third does not fit")
    end
    second:release()
    first:release()
  end,
}
