local rocblas = require "rocblas"

return {
  about   = "nested, unmatched and twice stopped queries return an error and leave the outer query unchanged",
  source  = "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, Functions for Finding How Much Memory Is "
    .. "Required; rocBLAS, ROCm 5.0: Device Memory Allocation, Functions for finding how much memory is required; "
    .. "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, Functions for determining memory requirements",
  schemes = "any",

  run = function(t)
    local handle = t.handle
    t:raises(rocblas.status_size_query_mismatch, rocblas.stop_device_memory_size_query, handle)
    local alone = handle:query(function(q) q:ddot { n = 1000000 } end)
    if t.profile:find("^rocm") then t:equal(alone, 7872) end

    rocblas.start_device_memory_size_query(handle)
    handle:ddot { n = 1000000 }
    t:raises(rocblas.status_size_query_mismatch, rocblas.start_device_memory_size_query, handle)
    t:status(rocblas.status_size_unchanged, select(2, handle:ddot { n = 100 }), "the outer query continues")
    t:raises(rocblas.status_invalid_size, function()
      handle:dtrsm { side = rocblas.side_left, uplo = rocblas.fill_lower, m = -1, n = 4 }
    end)
    t:equal(rocblas.stop_device_memory_size_query(handle), alone, "the largest call; failed calls do not count")

    t:equal(handle:query(function() end), 0, "no calls, no memory")
  end,
}
