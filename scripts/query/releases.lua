local rocblas, rocsolver, hip, array = require "rocblas", require "rocsolver", require "hip", require "array"

-- What dgetrs with one right-hand side asked for in rocSOLVER 3.28: a counter of 4 bytes, whatever n. Later releases ask for
-- what would suit any smaller solve as well: 8*max(32*n, 4096) and the inverses of the diagonal blocks of 128, 8*128*n.
local noted = 64

return {
  about   = "a size that was noted down on one release, used on the next: a solve needs far more there; a query never grows old",
  source  = "002_19aec9ee77fac684.txt, Minimum required size; User-owned workspace",
  profiles = "rocm-",
  params  = { n = 64 },
  schemes = { "manual", "user_owned" },
  bytes   = noted,

  run = function(t)
    local handle, n = t.handle, t.n
    local older = t.profile == "rocm-6.4"
    local A, B = hip.upload(array.identity("d", n)), hip.malloc(8 * n)
    local rows = array.zeros("i32", n)
    for i = 1, n do rows[i] = i end
    local ipiv = hip.upload(rows)
    t:defer(function() for _, p in ipairs { A, B, ipiv } do hip.free(p) end end)
    hip.memset(B, 0, 8 * n)
    local function solve(on) return on:dgetrs { n = n, nrhs = 1, A = A, ipiv = ipiv, B = B } end

    local need = handle:query(solve)
    t:metric("workspace_bytes", need, "bytes")
    if n == 64 then t:equal(need, older and noted or 32768 + 65536) end
    if older then
      t:status(rocblas.status_success, solve(handle), "the release that the size was noted on")
      return
    end
    local err = t:raises(rocblas.status_memory_error, solve, handle)
    t:equal({ err.func, err.required, err.available }, { "rocsolver_dgetrs", need, noted })
    t:log(tostring(err))

    -- Asked anew when the program starts, the size is right on every release.
    local workspace = hip.malloc(need)
    rocblas.set_workspace(handle, workspace, need)
    t:status(rocblas.status_success, solve(handle))
    rocblas.set_workspace(handle, nil, 0)
    hip.free(workspace)
  end,
}
