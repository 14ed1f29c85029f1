local rocblas = require "rocblas"

-- The document's example with an optimal and a degraded algorithm. The document tests mem1, which it does not declare;
-- it means mem_optimal.
local function degrading_algorithm(handle, m, n, k)
  local ret = rocblas.status_success
  local mem_optimal = handle:device_malloc(m + n + k)
  if mem_optimal then
    mem_optimal:release() -- Algorithm using larger optimal memory
  else
    local mem_degraded = handle:device_malloc(m)
    if mem_degraded then
      mem_degraded:release() -- Algorithm using smaller degraded memory
      ret = rocblas.status_perf_degraded
    else
      ret = rocblas.status_memory_error
    end
  end
  return ret
end

return {
  about   = "an optimal and a degraded algorithm: success, perf_degraded or memory_error, by the size of the workspace",
  source  = "rocBLAS developer guide, ROCm 3.5: Device Memory Allocation, rocblas_status_perf_degraded",
  platforms = { "cpu", "nvidia" }, -- rocBLAS does not export these functions
  params  = { m = 1000, n = 2000, k = 3000 },
  schemes = { "manual" },

  run = function(t)
    local handle = t.handle
    local expected = {
      { 6016, rocblas.status_success },
      { 5952, rocblas.status_perf_degraded },
      { 1024, rocblas.status_perf_degraded },
      { 960, rocblas.status_memory_error },
    }
    for _, case in ipairs(expected) do
      rocblas.set_device_memory_size(handle, case[1])
      t:status(case[2], degrading_algorithm(handle, t.m, t.n, t.k), case[1] .. " bytes")
    end
    rocblas.set_device_memory_size(handle, 0)
    t:status(rocblas.status_success, degrading_algorithm(handle, t.m, t.n, t.k), "managed: it grows")
  end,
}
