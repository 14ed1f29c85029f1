local rocblas, hipsolver, hip = require "rocblas", require "hipsolver", require "hip"

return {
  about   = "hipSOLVER makes the buffer of a call the handle's memory; without one the handle provides memory",
  platforms = { "cpu", "amd" },
  profiles  = "rocm-",
  params  = { n = 512 },
  schemes = { "managed" },

  run = function(t)
    local handle, n = t.handle, t.n
    local A, ipiv, info = t:malloc(8 * n * n), t:malloc(4 * n), t:malloc(4)
    hip.memset(A, 0, 8 * n * n)
    local function held() return rocblas.get_device_memory_size(handle) end
    local new = held()

    -- lwork of getrf is in bytes on every release.
    local lwork = hipsolver.Dgetrf_bufferSize(handle, n, n, nil, n)
    t:metric("buffer_bytes", lwork, "bytes")
    t:equal(held(), new, "a size query leaves the memory as it is")

    local work = t:malloc(lwork)
    hipsolver.Dgetrf(handle, n, n, A, n, work, lwork, ipiv, info)
    t:equal(held(), lwork, "the buffer stays the handle's memory after the call")
    t:status(hipsolver.status_alloc_failed,
      (hipsolver.try.Dgetrf(handle, n, n, A, n, work, 64, ipiv, info)))

    -- A call without a buffer: 6.4 sets the size of the memory, 7.2 lets the handle grow by the need and its default
    -- size, and 7.1 allocates in stream order.
    local provided = ({ ["rocm-6.4"] = lwork, ["rocm-7.1"] = 0 })[t.profile] or lwork + new
    hipsolver.Dgetrf(handle, n, n, A, n, nil, 0, ipiv, info)
    t:equal(held(), provided, "the memory of a call without a buffer")
    hipsolver.Dgetrf(handle, n, n, A, n, nil, 0, ipiv, info)
    t:equal(held(), provided, "the next call uses it again")
    t:metric("provided_bytes", held(), "bytes")
    hip.device_synchronize()
    rocblas.set_workspace(handle, nil, 0) -- the buffer may not be freed while it is bound
  end,
}
