local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "a batch too large for the workspace is solved in the largest pieces that fit",
  source  = "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, Functions for Finding How Much Memory Is "
    .. "Required; rocBLAS Function Return Values for Insufficient Device Memory",
  profiles = "rocm-",
  params  = { order = 512, batch = 130 },
  schemes = { "preallocated", "manual", "user_owned" },
  bytes   = 33554432,

  run = function(t)
    local handle, m, batch = t.handle, t.order, t.batch
    local have = rocblas.get_device_memory_size(handle)
    local A = t:malloc(8 * m * m)
    local B = t:malloc(16 * m * batch)
    hip.memset(A, 0, 8 * m * m)
    hip.memset(B, 0, 16 * m * batch)
    -- Solves count problems with two right-hand sides each, after the first done problems.
    local function solve(on, count, done)
      return on:dtrsm_strided_batched {
        side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit,
        m = m, n = 2, A = A, stride_a = 0, B = B + 16 * m * done, stride_b = 2 * m, batch_count = count,
      }
    end
    local function need(count) return handle:query(function(q) solve(q, count, 0) end) end

    t:metric("need_bytes", need(batch), "bytes")
    if need(batch) <= have then t:skip("the whole batch fits") end
    local err = t:raises(rocblas.status_memory_error, solve, handle, batch, 0)
    t:equal({ err.required, err.available }, { need(batch), have })

    -- Here the need grows with the batch, so bisection finds the largest piece. Not all routines behave so: see
    -- query/sequence.
    local fits, fails = 0, batch
    while fails - fits > 1 do
      local half = math.floor((fits + fails) / 2)
      if need(half) <= have then fits = half else fails = half end
    end
    t:metric("piece", fits)
    if m == 512 and have == 33554432 then t:equal(fits, 63, "532480 bytes per problem, 33546240 for 63") end
    if fits == 0 then t:skip("not even one problem fits") end

    local done, pieces = 0, 0
    while done < batch do
      local count = math.min(fits, batch - done)
      t:status(rocblas.status_success, solve(handle, count, done))
      done, pieces = done + count, pieces + 1
    end
    t:metric("pieces", pieces)
    t:equal(pieces, math.ceil(batch / fits))
    t:equal(rocblas.get_device_memory_size(handle), have, "the size is unchanged")
  end,
}
