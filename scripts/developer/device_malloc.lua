local hip = require "hip"

-- Returns the allocation, or raises the reason for its failure.
local function must(allocation, reason)
  if not allocation then error(reason) end
  return allocation
end

-- Returns the allocation if it has memory. In stream order, one without memory has null pointers instead of failing.
local function with_memory(allocation)
  if allocation[1] then return allocation end
  allocation:release()
  error("the allocation has no memory")
end

return {
  about   = "device_malloc allocates n floats, then two buffers, from the workspace of the handle",
  source  = "rocBLAS developer guide, ROCm 3.5: Device Memory Allocation, rocBLAS Kernel Device Memory Allocation",
  platforms = { "cpu", "nvidia" }, -- rocBLAS does not export these functions
  params  = { n = 1000, m = 100, k = 50 },
  schemes = "any",

  run = function(t)
    local handle = t.handle
    -- float* mem = (float*)handle->device_malloc(n * sizeof(float));
    local mem = with_memory(must(handle:device_malloc(t.n * 4)))
    t:equal(mem.bytes, math.ceil(t.n * 4 / 64) * 64)
    hip.memset(mem[1], 0, t.n * 4)
    local address = mem[1]
    mem:release()

    -- Released memory returns to the handle: the object cannot be used, and the next one gets the memory.
    t:check(not pcall(function() return mem[1] end), "released")
    local again = with_memory(must(handle:device_malloc(t.n * 4)))
    if t.scheme ~= "stream_ordered" and t.profile ~= "rocm-7.1" then t:equal(again[1], address, "the same memory") end
    again:release()

    -- auto mem = handle->device_malloc(size1, size2); std::tie(buf1, buf2) = mem;
    local size1, size2 = t.m * t.n, t.m * t.k
    local two = with_memory(must(handle:device_malloc(size1, size2)))
    local buf1, buf2 = two[1], two[2]
    t:equal(#two, 2)
    t:equal(buf2 - buf1, math.ceil(size1 / 64) * 64, "each buffer starts at a multiple of 64 bytes")
    -- The sizes of the example are numbers of elements, which device_malloc takes for bytes.
    t:check(buf2 - buf1 < 4 * t.m * t.n, "the first buffer is too small for m * n floats")
    two:release()

    -- A buffer of 0 bytes is a null pointer and takes no space.
    local with_empty = with_memory(must(handle:device_malloc(64, 0, 64)))
    t:equal(with_empty[2], nil)
    t:equal(with_empty[3] - with_empty[1], 64)
    with_empty:release()
  end,
}
