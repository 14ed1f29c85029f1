local rocblas = require "rocblas"

-- A routine of one's own that needs m*n doubles, as the document writes it in C++.
local function my_function(handle, m, n)
  if handle:is_device_memory_size_query() then
    return handle:set_optimal_device_memory_size(m * n * 8)
  end
  local mem = handle:device_malloc(m * n * 8)
  if not mem then return rocblas.status_memory_error end
  mem:release()
  return rocblas.status_success
end

-- One that needs none: RETURN_ZERO_DEVICE_MEMORY_SIZE_IF_QUERIED.
local function needs_nothing(handle)
  if handle:is_device_memory_size_query() then
    return handle:set_optimal_device_memory_size(0)
  end
  return rocblas.status_success
end

return {
  about   = "a routine of one's own answers a size query: m*n*sizeof(T), and one that needs nothing",
  source  = "003_744138cbdf84c0f0.txt, Answering Device Memory Size Queries",
  platforms = { "cpu", "nvidia" }, -- the library keeps its developers' side to itself
  params  = { m = 10, n = 10 },
  schemes = "any",

  run = function(t)
    local handle = t.handle
    t:check(not handle:is_device_memory_size_query(), "no query is open")
    rocblas.start_device_memory_size_query(handle)
    t:check(handle:is_device_memory_size_query(), "a query is open")
    t:status(rocblas.status_size_increased, my_function(handle, t.m, t.n))
    t:status(rocblas.status_size_unchanged, my_function(handle, t.m, t.n), "the same again")
    t:status(rocblas.status_size_unchanged, needs_nothing(handle))
    local bytes = rocblas.stop_device_memory_size_query(handle)
    t:equal(bytes, math.ceil(t.m * t.n * 8 / 64) * 64, "rounded up to 64 bytes")
    t:metric("workspace_bytes", bytes, "bytes")

    t:status(rocblas.status_success, my_function(handle, t.m, t.n), "executed")
    t:status(rocblas.status_success, needs_nothing(handle), "executed")
  end,
}
