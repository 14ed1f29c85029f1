local rocblas = require "rocblas"

-- A user-defined routine that needs m*n doubles, as in the C++ example of the document.
local function my_function(handle, m, n)
  if not handle then return rocblas.status_invalid_handle end
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
  if not handle then return rocblas.status_invalid_handle end
  if handle:is_device_memory_size_query() then
    return handle:set_optimal_device_memory_size(0)
  end
  return rocblas.status_success
end

-- A routine with two buffers. Each is rounded up before they are added.
local function two_buffers(handle, first, second)
  if not handle then return rocblas.status_invalid_handle end
  return handle:set_optimal_device_memory_size(first, second)
end

return {
  about   = "user-defined routines answer a size query: with m*n*sizeof(T) bytes, with two buffers, with none",
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

    -- Several sizes: the running maximum is of the sums, with each size rounded up to 64 bytes.
    bytes = handle:query(function(q)
      t:status(rocblas.status_size_increased, two_buffers(q, 1, 65))
      t:status(rocblas.status_size_unchanged, two_buffers(q, 64, 128), "the same sum")
      t:status(rocblas.status_size_unchanged, two_buffers(q, 0, 0), "no memory")
      t:status(rocblas.status_size_increased, two_buffers(q, 100, 100))
    end)
    t:equal(bytes, 128 + 128, "two buffers of 100 bytes")

    -- if(!handle) return rocblas_status_invalid_handle; the routines of the library do the same, also in a query.
    t:status(rocblas.status_invalid_handle, my_function(nil, t.m, t.n))
    t:status(rocblas.status_invalid_handle, needs_nothing(nil))
    t:status(rocblas.status_invalid_handle, two_buffers(nil, 1, 65))
    t:raises(rocblas.status_invalid_handle, rocblas.start_device_memory_size_query, nil)
    t:raises(rocblas.status_invalid_handle, rocblas.stop_device_memory_size_query, nil)
    t:raises(rocblas.status_invalid_handle, rocblas.ddot, nil, 100, nil, 1, nil, 1)
  end,
}
