local rocblas, hip = require "rocblas", require "hip"

return {
  about  = "the first memory of one handle, set by the function that hipBLAS calls; the library still manages it",
  source = "rocBLAS: rocblas_device_malloc_set_default_memory_size in handle.cpp",
  profiles = "rocm-",

  run = function(t)
    local function size()
      local handle = rocblas.create_handle()
      local bytes = rocblas.get_device_memory_size(handle)
      t:check(rocblas.is_managing_device_memory(handle) ~= (os.getenv("ROCBLAS_DEVICE_MEMORY_SIZE") == "4096"),
        "the library manages the memory")
      rocblas.destroy_handle(handle)
      return bytes
    end

    local default, small = size(), 1048576
    rocblas.device_malloc_set_default_memory_size(small)
    if t.profile == "rocm-7.1" then
      t:equal(size(), default, "rocBLAS 5.1.0 does not use it")
      return
    end
    t:equal(size(), small, "the next handle")
    t:equal(size(), default, "the handle after it")

    rocblas.device_malloc_set_default_memory_size(small)
    rocblas.device_malloc_set_default_memory_size(0)
    t:equal(size(), default, "0 is the default")

    rocblas.device_malloc_set_default_memory_size(small)
    os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", "4096")
    t:equal(size(), 4096, "the environment decides")
    os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", nil)
    t:equal(size(), small, "the size is kept for the first handle that uses it")

    -- A managed handle does not grow by this size.
    rocblas.device_malloc_set_default_memory_size(small)
    local handle = rocblas.create_handle()
    t:defer(rocblas.destroy_handle, handle)
    local n = 1024
    local need = handle:query(function(q) q:dgetrf { m = n, n = n } end)
    t:check(need > small, "the call needs more than the handle has")
    local function malloc(bytes)
      local p = t:malloc(bytes)
      return p
    end
    local A, ipiv, info = malloc(8 * n * n), malloc(4 * n), malloc(4)
    hip.memset(A, 0, 8 * n * n)
    handle:dgetrf { m = n, n = n, A = A, ipiv = ipiv, info = info }
    t:equal(rocblas.get_device_memory_size(handle), need + default, "need and default of the architecture")
  end,
}
