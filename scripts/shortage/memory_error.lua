local rocblas, rocsolver, hip = require "rocblas", require "rocsolver", require "hip"

return {
  about   = "too little memory: the call returns memory_error with the bytes needed and available",
  source  = "rocBLAS, ROCm 5.0: Device Memory Allocation, Return Values for insufficient device memory; rocBLAS, ROCm "
    .. "7.1.0: Device memory allocation in rocBLAS, rocBLAS function return values for insufficient device memory",
  params  = { n = 1024 },
  schemes = { "preallocated", "manual", "user_owned" },
  bytes   = function(t) return t.profile:find("^rocm") and 1048576 or 64 end,

  run = function(t)
    local handle, n = t.handle, t.n
    local have = rocblas.get_device_memory_size(handle)
    local need = handle:query(function(q) q:dgetrf { m = n, n = n } end)
    if t.profile:find("^rocm") then t:equal({ need, have }, { 4732160, 1048576 }) end
    local A = t:malloc(8 * n * n)
    local ipiv = t:malloc(4 * n)
    local info = t:malloc(4)

    hip.trace()
    local err = t:raises(rocblas.status_memory_error, rocsolver.dgetrf, handle, n, n, A, n, ipiv, info)
    t:equal(#hip.trace(), 0, "no resizing or synchronizing ever occurs")
    t:equal(err.required, need)
    t:equal(err.available, have)
    t:equal(err.func, "rocsolver_dgetrf")
    t:log(tostring(err))

    -- The try form returns the status and the details and raises no error.
    local status, detail = rocsolver.try.dgetrf(handle, n, n, A, n, ipiv, info)
    t:status(rocblas.status_memory_error, status)
    t:equal(detail.required - detail.available, need - have, "bytes missing")

    -- The handle is unchanged and usable.
    t:equal(rocblas.get_device_memory_size(handle), have)
    t:equal(rocblas.dasum(handle, 0, nil, 1), 0)
  end,
}
