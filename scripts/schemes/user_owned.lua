local rocblas, rocsolver, hip, array = require "rocblas", require "rocsolver", require "hip", require "array"

return {
  about  = "user-owned workspace, from hipMalloc to hipFree",
  source = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, User-owned workspace; rocBLAS, ROCm 5.0: Device Memory "
    .. "Allocation, Function for setting user owned workspace; rocBLAS, ROCm 6.1.0: Device Memory Allocation in "
    .. "rocBLAS, Function for Setting User Owned Workspace; rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, "
    .. "Function for setting a user-owned workspace",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  params = { n = 512 },

  run = function(t)
    local handle, n = rocblas.create_handle(), t.n
    t:defer(rocblas.destroy_handle, handle)
    local memory_size = handle:query(function(q) q:dgetrf { m = n, n = n } end)

    local device_memory = hip.malloc(memory_size)
    t:defer(function() hip.free(device_memory) end) -- if a step below fails
    rocblas.set_workspace(handle, device_memory, memory_size)
    t:equal(rocblas.get_device_memory_size(handle), memory_size, "the exact size that the user passed")
    t:check(not rocblas.is_managing_device_memory(handle), "not managed by the library")
    t:check(not rocblas.is_user_managing_device_memory(handle), "user-owned is not user-managed")

    -- perform computations here
    local A = array.diagonally_dominant("d", n)
    local dA = t:upload(A)
    local ipiv = t:malloc(4 * n)
    local info = t:malloc(4)
    hip.trace()
    rocsolver.dgetrf(handle, n, n, dA, n, ipiv, info)
    t:equal(#hip.trace(), 0, "no allocation, no synchronization")
    local LU = hip.download(array.zeros("d", n, n), dA)
    local P = hip.download(array.zeros("i32", n), ipiv)
    t:metric("residual", array.lu_residual(A, LU, P))
    t:near(array.lu_residual(A, LU, P), 0, 1e-13)

    rocblas.set_workspace(handle, nil, 0)
    hip.free(device_memory)
    device_memory = nil
  end,
}
