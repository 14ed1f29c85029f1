local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "a batch too large for the workspace, worked off in the largest pieces that fit",
  source  = "004_3b3df78c3e93c211.txt, Functions for Finding How Much Memory Is Required; rocBLAS Function Return Values for Insufficient Device Memory",
  profiles = "rocm-",
  params  = { order = 512, batch = 130 },
  schemes = { "preallocated", "manual", "user_owned" },
  bytes   = 33554432,

  run = function(t)
    local handle, m, batch = t.handle, t.order, t.batch
    local have = rocblas.get_device_memory_size(handle)
    local A, B = hip.malloc(8 * m * m), hip.malloc(16 * m * batch)
    t:defer(function() hip.free(A) hip.free(B) end)
    hip.memset(A, 0, 8 * m * m)
    hip.memset(B, 0, 16 * m * batch)
    -- Two right-hand sides a problem; count of them, after the first done.
    local function solve(on, count, done)
      return on:dtrsm_strided_batched { side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit,
        m = m, n = 2, A = A, stride_a = 0, B = B + 16 * m * done, stride_b = 2 * m, batch_count = count }
    end
    local function need(count) return handle:query(function(q) solve(q, count, 0) end) end

    t:metric("need_bytes", need(batch), "bytes")
    if need(batch) <= have then t:skip("the whole batch fits") end
    local err = t:raises(rocblas.status_memory_error, solve, handle, batch, 0)
    t:equal({ err.required, err.available }, { need(batch), have })

    -- The need grows with the batch here (not of every routine: see query/sequence), so halving finds the largest piece.
    local fits, fails = 0, batch
    while fails - fits > 1 do
      local half = math.floor((fits + fails) / 2)
      if need(half) <= have then fits = half else fails = half end
    end
    t:metric("piece", fits)
    if m == 512 and have == 33554432 then t:equal(fits, 63, "532480 bytes a problem: 63 take 33546240") end
    if fits == 0 then t:skip("not even one problem fits") end

    local done, pieces = 0, 0
    while done < batch do
      local count = math.min(fits, batch - done)
      t:status(rocblas.status_success, solve(handle, count, done))
      done, pieces = done + count, pieces + 1
    end
    t:metric("pieces", pieces)
    t:equal(pieces, math.ceil(batch / fits))
    t:equal(rocblas.get_device_memory_size(handle), have, "in the memory that there was")
  end,
}
