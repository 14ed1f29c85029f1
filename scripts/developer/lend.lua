local rocblas, hip = require "rocblas", require "hip"

-- A loan, or the reason why there is none as an error.
local function lent(loan, why)
  if not loan then error(why) end
  return loan
end

return {
  about   = "lending n floats, lending two buffers",
  source  = "003_744138cbdf84c0f0.txt, rocBLAS Kernel Device Memory Allocation",
  platforms = { "cpu", "nvidia" }, -- the library keeps its developers' side to itself
  params  = { n = 1000, m = 100, k = 50 },
  schemes = "any",

  run = function(t)
    local handle = t.handle
    -- float* mem = (float*)handle->device_malloc(n * sizeof(float));
    local mem = lent(handle:device_malloc(t.n * 4))
    t:equal(mem.bytes, math.ceil(t.n * 4 / 64) * 64)
    hip.memset(mem[1], 0, t.n * 4)
    mem:release()

    -- auto mem = handle->device_malloc(size1, size2); std::tie(buf1, buf2) = mem;
    local size1, size2 = t.m * t.n, t.m * t.k
    local two = lent(handle:device_malloc(size1, size2))
    local buf1, buf2 = two[1], two[2]
    t:equal(#two, 2)
    t:equal(buf2 - buf1, math.ceil(size1 / 64) * 64, "each buffer begins on a multiple of 64 bytes")
    two:release()

    -- A buffer of no bytes is a null pointer; it takes nothing from the others.
    local with_empty = lent(handle:device_malloc(64, 0, 64))
    t:equal(with_empty[2], nil)
    t:equal(with_empty[3] - with_empty[1], 64)
    with_empty:release()
  end,
}
