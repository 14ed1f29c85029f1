local rocblas, hip, array = require "rocblas", require "hip", require "array"

-- In rocSOLVER 3.28 dgetrs with one right-hand side needs a counter of 4 bytes for every n. Later releases need what
-- every smaller solve needs too: 8*max(32*n, 4096) bytes, and 8*128*n for the inverses of the diagonal blocks of 128.
local recorded = 64

return {
  about   = "a size recorded on one release is too small on the next; a query is right on both",
  source  = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, Minimum required size; User-owned workspace",
  profiles = "rocm-",
  params  = { n = 64 },
  schemes = { "manual", "user_owned" },
  bytes   = recorded,

  run = function(t)
    local handle, n = t.handle, t.n
    local older = t.profile == "rocm-6.4"
    local A = t:upload(array.identity("d", n))
    local B = t:malloc(8 * n)
    local rows = array.zeros("i32", n)
    for i = 1, n do rows[i] = i end
    local ipiv = t:upload(rows)
    hip.memset(B, 0, 8 * n)
    local function solve(on) return on:dgetrs { n = n, nrhs = 1, A = A, ipiv = ipiv, B = B } end

    local need = handle:query(solve)
    t:metric("workspace_bytes", need, "bytes")
    if n == 64 then t:equal(need, older and recorded or 32768 + 65536) end
    if older then
      t:status(rocblas.status_success, solve(handle), "the release on which the size was recorded")
      return
    end
    local err = t:raises(rocblas.status_memory_error, solve, handle)
    t:equal({ err.func, err.required, err.available }, { "rocsolver_dgetrs", need, recorded })
    t:log(tostring(err))

    -- A query at program start returns the right size on every release.
    local workspace = t:malloc(need)
    rocblas.set_workspace(handle, workspace, need)
    t:status(rocblas.status_success, solve(handle))
    rocblas.set_workspace(handle, nil, 0)
  end,
}
