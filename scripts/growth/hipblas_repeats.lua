local rocblas, hipblas, hip = require "rocblas", require "hipblas", require "hip"

return {
  about   = "hipBLAS calls again when memory lacks: on ROCm 6.4 with more memory, on 7.2 with as little as before",
  platforms = { "cpu", "amd" },
  profiles  = { "rocm-6.4", "rocm-7.2" },
  params  = { n = 512 },
  schemes = { "managed" },

  run = function(t)
    local handle, n = t.handle, t.n
    local A, B = t:malloc(8 * n * n), t:malloc(8 * n * n)
    hip.memset(A, 0, 8 * n * n)
    hip.memset(B, 0, 8 * n * n)
    local function held() return rocblas.get_device_memory_size(handle) end
    local function solve()
      return (hipblas.try.Dtrsm(handle, hipblas.side_left, hipblas.fill_mode_upper, hipblas.op_n,
        hipblas.diag_unit, n, n, 1, A, n, B, n))
    end

    t:status(hipblas.status_success, solve())
    rocblas.start_device_memory_size_query(handle)
    solve()
    local need = rocblas.stop_device_memory_size_query(handle)
    t:metric("needed_bytes", need, "bytes")

    -- rocblas.trsm would return memory_error with both a size that is too small and a workspace that is too small.
    local repaired = t.profile == "rocm-6.4"
    local want = repaired and hipblas.status_success or hipblas.status_alloc_failed
    local small = t:malloc(64)
    for _, shrink in ipairs {
      function() rocblas.set_device_memory_size(handle, 64) end,
      function() rocblas.set_workspace(handle, small, 64) end,
    } do
      shrink()
      t:status(want, solve())
      t:equal(held(), repaired and need or 64, "the memory after the call")
    end
    t:equal(rocblas.is_user_managing_device_memory(handle), repaired, "whether the size of the memory is fixed")

    -- 6.4 does not have the function of the workspace.
    local status = hipblas.try.SetWorkspace(handle, small, 64)
    t:status(repaired and hipblas.status_not_supported or hipblas.status_success, status)
    hip.device_synchronize()
    rocblas.set_workspace(handle, nil, 0)
  end,
}
