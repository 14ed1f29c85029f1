local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "a workspace that was sized for an earlier call is too small for a later one, and is replaced",
  source  = "002_19aec9ee77fac684.txt, User-owned workspace; Using helper functions: \"function calls will fail if there is not enough allocated memory\"",
  profiles = "rocm-",
  params  = { first = 300, later = 500 },
  schemes = { "manual", "user_owned" },

  run = function(t)
    local handle, most = t.handle, math.max(t.first, t.later)
    local A, B = hip.malloc(8 * most * most), hip.malloc(8 * most * most)
    t:defer(function() hip.free(A) hip.free(B) end)
    hip.memset(A, 0, 8 * most * most)
    hip.memset(B, 0, 8 * most * most)
    local function solve(on, n)
      return on:dtrsm { side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit, m = n, n = n, A = A, B = B }
    end

    local workspace
    t:defer(function() hip.free(workspace) end)
    local function give(bytes)
      if t.scheme == "manual" then return rocblas.set_device_memory_size(handle, bytes) end
      -- The handle lets go of the old memory before it is freed; what still runs may use it until the stream is empty.
      local old = workspace
      workspace = hip.malloc(bytes)
      hip.stream_synchronize(rocblas.get_stream(handle))
      rocblas.set_workspace(handle, workspace, bytes)
      hip.free(old)
    end

    -- Some part of a program gives the handle what its own calls need: a copy of B, 8*n*n, and the inverses of the
    -- diagonal blocks of 128, 8*128*n.
    local have = handle:query(function(q) solve(q, t.first) end)
    if t.first == 300 then t:equal(have, 720000 + 307200) end
    give(have)
    t:status(rocblas.status_success, solve(handle, t.first))

    -- Another part, with the same handle, knows nothing of it. The call is refused before anything is queued.
    local need = handle:query(function(q) solve(q, t.later) end)
    if have == 0 or need <= have or t.later % 128 == 0 then t:skip("not more is needed later, or there is a slower form that does without") end
    local kernels = hip.stats().kernels
    local err = t:raises(rocblas.status_memory_error, solve, handle, t.later)
    t:equal({ err.func, err.required, err.available }, { "rocblas_dtrsm", need, have }, "what it needs, what there is")
    t:equal(hip.stats().kernels - kernels, 0, "nothing was computed")
    t:equal(rocblas.get_device_memory_size(handle), have, "the handle is as it was")
    t:metric("missing_bytes", need - have, "bytes")

    -- The cure: one query over all calls that the handle will see.
    local both = handle:query(function(q) solve(q, t.first) solve(q, t.later) end)
    t:equal(both, math.max(have, need), "the largest of them, not their sum")
    give(both)
    t:status(rocblas.status_success, solve(handle, t.later))
    t:status(rocblas.status_success, solve(handle, t.first))
    if t.scheme == "user_owned" then
      rocblas.set_workspace(handle, nil, 0)
      t:equal(rocblas.get_device_memory_size(handle), 0)
    end
  end,
}
