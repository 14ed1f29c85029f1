local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "a batch of triangular systems that stops fitting into 32 MiB at one system more, on a device that is all but empty",
  source  = "004_3b3df78c3e93c211.txt, table, L3 gemm based functions; rocBLAS Function Return Values for Insufficient Device Memory",
  profiles = "rocm-",
  params  = { order = 425, workspace = 33554432 }, -- what a managed handle has by default
  schemes = { "managed", "manual", "user_owned" },
  bytes   = function(t) return t.workspace end,

  run = function(t)
    local handle, n = t.handle, t.order
    if n <= 128 or n % 128 == 0 then t:skip("this order needs no memory, or has a slower form that needs less: see perf_degraded") end
    local have = rocblas.get_device_memory_size(handle)
    local function solve(on, count, A, B)
      return on:dtrsm_batched { side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit,
        m = n, n = n, A = A, B = B, batch_count = count }
    end
    local function need(count) return handle:query(function(q) solve(q, count) end) end

    -- A copy of each right-hand side, 8*n*n, the inverses of each matrix's diagonal blocks of 128, 8*128*n, and two arrays
    -- of pointers, 8 each a system; every buffer is rounded up to 64 bytes. With n = 425 that is 1.8 MiB a system.
    local fits = 0
    while need(fits + 1) <= t.workspace do fits = fits + 1 end
    local small, large = need(fits), need(fits + 1)
    t:metric("fits", fits)
    t:metric("bytes", small, "bytes")
    t:metric("bytes_of_one_more", large, "bytes")
    if n == 425 and t.workspace == 33554432 then t:equal({ fits, small, large }, { 17, 31963840, 33844032 }) end

    -- All systems share the matrix 0 with a diagonal of ones; each has a right-hand side of its own.
    local matrix, sides = hip.malloc(8 * n * n), hip.malloc(8 * n * n * (fits + 1))
    hip.memset(matrix, 0, 8 * n * n)
    hip.memset(sides, 0, 8 * n * n * (fits + 1))
    local A = hip.upload(array.pointers(matrix, fits + 1, 0))
    local B = hip.upload(array.pointers(sides, fits + 1, 8 * n * n))
    t:defer(function() for _, p in ipairs { matrix, sides, A, B } do hip.free(p) end end)

    if not rocblas.is_managing_device_memory(handle) then
      t:status(rocblas.status_success, solve(handle, fits, A, B), fits .. " systems")
      -- A fixed size is the limit. This trsm has no form that needs less, so it is memory_error and not perf_degraded.
      local err = t:raises(rocblas.status_memory_error, solve, handle, fits + 1, A, B)
      t:equal({ err.func, err.required, err.available }, { "rocblas_dtrsm_batched", large, have }, "what it needs, what there is")
      t:log(tostring(err))
      return
    end
    t:status(rocblas.status_success, solve(handle, fits + 1, A, B), fits + 1 .. " systems")
    local held = rocblas.get_device_memory_size(handle)
    t:metric("held_bytes", held, "bytes")
    if t.profile == "rocm-7.1" then
      t:equal(held, have, "a loan of its own from the device's pool; the handle's size stays what it was")
    else
      -- Growth allocates need + default; an architecture with a default of 128 MiB has enough to begin with.
      t:equal(held, large > have and large + have or have, "grown to need + default")
    end
  end,
}
