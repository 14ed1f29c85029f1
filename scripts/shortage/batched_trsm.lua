local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "a batch of triangular systems fits into 32 MiB; a batch with one more system does not",
  source  = "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, table of functions, L3 gemm based functions; "
    .. "rocBLAS Function Return Values for Insufficient Device Memory",
  profiles = "rocm-",
  params  = { order = 425, nrhs = 64, workspace = 33554432 }, -- the default size of a managed handle
  schemes = { "managed", "manual", "user_owned" },
  bytes   = function(t) return t.workspace end,

  run = function(t)
    local handle, n, nrhs = t.handle, t.order, t.nrhs
    if n <= 128 or n % 128 == 0 then
      t:skip("this order needs no memory or has a slower algorithm that needs less: see perf_degraded")
    end
    local have = rocblas.get_device_memory_size(handle)
    local function solve(on, count, A, B)
      return on:dtrsm_batched { side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit,
        m = n, n = nrhs, A = A, B = B, batch_count = count }
    end
    local function need(count) return handle:query(function(q) solve(q, count) end) end

    -- Each system needs a copy of its right-hand sides (8*n*nrhs bytes), the inverses of the diagonal blocks of 128
    -- (8*128*n) and two pointers (8 each). Each buffer is rounded up to 64 bytes. With n = 425 that is 0.6 MiB each.
    local fits = 0
    while need(fits + 1) <= t.workspace do fits = fits + 1 end
    local small, large = need(fits), need(fits + 1)
    t:metric("fits", fits)
    t:metric("bytes", small, "bytes")
    t:metric("bytes_of_one_more", large, "bytes")
    if n == 425 and nrhs == 64 and t.workspace == 33554432 then
      t:equal({ fits, small, large }, { 51, 33293696, 33946496 })
    end

    -- All systems share one matrix, zero with a unit diagonal; each has its own right-hand sides.
    local matrix = t:malloc(8 * n * n)
    local sides = t:malloc(8 * n * nrhs * (fits + 1))
    hip.memset(matrix, 0, 8 * n * n)
    hip.memset(sides, 0, 8 * n * nrhs * (fits + 1))
    local A = t:upload(array.pointers(matrix, fits + 1, 0))
    local B = t:upload(array.pointers(sides, fits + 1, 8 * n * nrhs))

    if not rocblas.is_managing_device_memory(handle) then
      t:status(rocblas.status_success, solve(handle, fits, A, B), fits .. " systems")
      -- A fixed size is the limit. No algorithm of this trsm needs less, so it returns memory_error, not perf_degraded.
      local err = t:raises(rocblas.status_memory_error, solve, handle, fits + 1, A, B)
      t:equal({ err.func, err.required, err.available }, { "rocblas_dtrsm_batched", large, have }, "need and available")
      t:log(tostring(err))
      return
    end
    t:status(rocblas.status_success, solve(handle, fits + 1, A, B), fits + 1 .. " systems")
    local held = rocblas.get_device_memory_size(handle)
    t:metric("held_bytes", held, "bytes")
    if t.profile == "rocm-7.1" then
      t:equal(held, have, "allocated from the pool of the device; the size of the handle is unchanged")
    else
      -- The handle grows to need + default. The default of 128 MiB of some architectures is enough.
      t:equal(held, large > have and large + have or have, "grown to need + default")
    end
  end,
}
