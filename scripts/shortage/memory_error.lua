local rocblas, rocsolver, hip = require "rocblas", require "rocsolver", require "hip"

return {
  about   = "too little memory: the call says memory_error, what it needs and what there is",
  source  = "001_05db848c59de963d.txt, Return Values for insufficient device memory",
  params  = { n = 1024 },
  schemes = { "preallocated", "manual", "user_owned" },
  bytes   = 1048576,

  run = function(t)
    local handle, n = t.handle, t.n
    local A, ipiv, info = hip.malloc(8 * n * n), hip.malloc(4 * n), hip.malloc(4)
    t:defer(function() hip.free(A) hip.free(ipiv) hip.free(info) end)

    hip.trace()
    local err = t:raises(rocblas.status_memory_error, rocsolver.dgetrf, handle, n, n, A, n, ipiv, info)
    t:equal(#hip.trace(), 0, "no resizing or synchronizing ever occurs")
    t:equal(err.required, 4732160)
    t:equal(err.available, 1048576)
    t:equal(err.func, "rocsolver_dgetrf")
    t:log(tostring(err))

    -- The same without an error: try returns the status and the details.
    local status, detail = rocsolver.try.dgetrf(handle, n, n, A, n, ipiv, info)
    t:status(rocblas.status_memory_error, status)
    t:equal(detail.required - detail.available, 4732160 - 1048576, "bytes missing")

    -- The handle is as good as before.
    t:equal(rocblas.get_device_memory_size(handle), 1048576)
    t:equal(rocblas.dasum(handle, 0, nil, 1), 0)
  end,
}
