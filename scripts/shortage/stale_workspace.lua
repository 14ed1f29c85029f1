local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "a workspace sized for an earlier call is too small for a later one and is replaced",
  source  = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, User-owned workspace; Using helper functions: "
    .. "\"function calls will fail if there is not enough allocated memory\"",
  profiles = "rocm-",
  params  = { first = 300, later = 500 },
  schemes = { "manual", "user_owned" },

  run = function(t)
    local handle, most = t.handle, math.max(t.first, t.later)
    local A = t:malloc(8 * most * most)
    local B = t:malloc(8 * most * most)
    hip.memset(A, 0, 8 * most * most)
    hip.memset(B, 0, 8 * most * most)
    local function solve(on, n)
      return on:dtrsm { side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit,
        m = n, n = n, A = A, B = B }
    end

    local workspace
    t:defer(function() hip.free(workspace) end)
    local function set_size(bytes)
      if t.scheme == "manual" then return rocblas.set_device_memory_size(handle, bytes) end
      -- Synchronize before freeing: queued kernels may use the old memory until the stream is idle.
      local old = workspace
      workspace = hip.malloc(bytes)
      hip.stream_synchronize(rocblas.get_stream(handle))
      rocblas.set_workspace(handle, workspace, bytes)
      hip.free(old)
    end

    -- One part of a program sets the size for its own calls: a copy of B (8*n*n bytes) and the inverses of the diagonal
    -- blocks of 128 (8*128*n).
    local have = handle:query(function(q) solve(q, t.first) end)
    if t.first == 300 then t:equal(have, 720000 + 307200) end
    set_size(have)
    t:status(rocblas.status_success, solve(handle, t.first))

    -- Another part uses the same handle for a larger call. The call fails before any work is queued.
    local need = handle:query(function(q) solve(q, t.later) end)
    if have == 0 or need <= have or t.later % 128 == 0 then
      t:skip("the later call needs no more, or has a slower algorithm that needs no memory")
    end
    local kernels = hip.stats().kernels
    local err = t:raises(rocblas.status_memory_error, solve, handle, t.later)
    t:equal({ err.func, err.required, err.available }, { "rocblas_dtrsm", need, have }, "need and available")
    t:equal(hip.stats().kernels - kernels, 0, "no kernel ran")
    t:equal(rocblas.get_device_memory_size(handle), have, "the handle is unchanged")
    t:metric("missing_bytes", need - have, "bytes")

    -- The solution: one query over all calls that use the handle.
    local both = handle:query(function(q) solve(q, t.first) solve(q, t.later) end)
    t:equal(both, math.max(have, need), "the largest need, not the sum")
    set_size(both)
    t:status(rocblas.status_success, solve(handle, t.later))
    t:status(rocblas.status_success, solve(handle, t.first))
    if t.scheme == "user_owned" then
      rocblas.set_workspace(handle, nil, 0)
      t:equal(rocblas.get_device_memory_size(handle), 0)
    end
  end,
}
