local rocblas = require "rocblas"

-- A user-defined routine that needs m*n doubles, as in the C++ example of the document.
local function my_function(handle, m, n)
  if handle:is_device_memory_size_query() then
    return handle:set_optimal_device_memory_size(m * n * 8)
  end
  local mem = handle:device_malloc(m * n * 8)
  if not mem then return rocblas.status_memory_error end
  mem:release()
  return rocblas.status_success
end

-- A routine that needs no memory: RETURN_ZERO_DEVICE_MEMORY_SIZE_IF_QUERIED.
local function needs_nothing(handle)
  if handle:is_device_memory_size_query() then
    return handle:set_optimal_device_memory_size(0)
  end
  return rocblas.status_success
end

return {
  about   = "user-defined routines answer a size query: one needs m*n*sizeof(T) bytes, one needs none",
  source  = "rocBLAS developer guide, ROCm 3.5: Device Memory Allocation, Answering Device Memory Size Queries In "
    .. "Function That Needs Memory",
  platforms = { "cpu", "nvidia" }, -- rocBLAS does not export these functions
  params  = { m = 10, n = 10 },
  schemes = "any",

  run = function(t)
    local handle = t.handle
    t:check(not handle:is_device_memory_size_query(), "no query is open")
    rocblas.start_device_memory_size_query(handle)
    t:check(handle:is_device_memory_size_query(), "a query is open")
    t:status(rocblas.status_size_increased, my_function(handle, t.m, t.n))
    t:status(rocblas.status_size_unchanged, my_function(handle, t.m, t.n), "the same call a second time")
    t:status(rocblas.status_size_unchanged, needs_nothing(handle))
    local bytes = rocblas.stop_device_memory_size_query(handle)
    t:equal(bytes, math.ceil(t.m * t.n * 8 / 64) * 64, "rounded up to 64 bytes")
    t:metric("workspace_bytes", bytes, "bytes")

    t:status(rocblas.status_success, my_function(handle, t.m, t.n), "executed")
    t:status(rocblas.status_success, needs_nothing(handle), "executed")
  end,
}
