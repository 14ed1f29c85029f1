local rocblas, rocsolver, hip, array = require "rocblas", require "rocsolver", require "hip", require "array"

return {
  about   = "manual workspace: sets the size after the stream is synchronized, and frees the memory afterwards",
  source  = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, Using helper functions; rocBLAS developer guide, ROCm "
    .. "3.5: Device Memory Allocation, Requirements: \"Allocate and deallocate the device memory before and after "
    .. "function calls\"; rocBLAS, ROCm 5.0: Device Memory Allocation, Functions for manually setting memory size; "
    .. "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, Functions for Manually Setting Memory Size",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  params  = { n = 512 },
  schemes = { "manual" },

  run = function(t)
    local handle, n = t.handle, t.n
    local memory_size = handle:query(function(q) q:dgetrf { m = n, n = n } end)
    local A = t:upload(array.diagonally_dominant("d", n))
    local ipiv = t:malloc(4 * n)
    local info = t:malloc(4)
    rocsolver.dgetrf(handle, n, n, A, n, ipiv, info)

    -- The document's snippet.
    local stream = rocblas.get_stream(handle)
    hip.stream_synchronize(stream)
    hip.trace()
    rocblas.set_device_memory_size(handle, memory_size)

    local calls = hip.trace()
    t:equal({ calls[1].call, calls[2].call, calls[2].bytes }, { "hipFree", "hipMalloc", memory_size },
      "frees the old memory, allocates the new")
    t:equal(rocblas.get_device_memory_size(handle), memory_size)
    t:check(rocblas.is_user_managing_device_memory(handle), "the user manages the memory")

    rocblas.set_device_memory_size(handle, 1000)
    t:equal(rocblas.get_device_memory_size(handle), 1024, "sizes are rounded up to 64 bytes")

    hip.trace()
    rocblas.set_device_memory_size(handle, memory_size)
    hip.trace()
    rocsolver.dgetrf(handle, n, n, A, n, ipiv, info)
    t:equal(#hip.trace(), 0, "enough memory: the library makes no HIP call")
    hip.device_synchronize()

    -- Size 0 frees the memory after the calls that need it, at a time that the user chooses.
    hip.trace()
    rocblas.set_device_memory_size(handle, 0)
    calls = hip.trace()
    t:equal({ #calls, calls[1].call, calls[1].synchronizing }, { 1, "hipFree", true }, "frees, and waits")
    t:equal(rocblas.get_device_memory_size(handle), 0)
    t:check(rocblas.is_managing_device_memory(handle), "the library manages the memory again")
    t:check(not rocblas.is_user_managing_device_memory(handle), "the user does not")
  end,
}
