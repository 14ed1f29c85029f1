local rocblas, hip = require "rocblas", require "hip"

return {
  about  = "a user-owned workspace is used in granules of 64 bytes: 127 bytes hold no more than 64",
  source = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS: \"that size is used as the limit\"",
  tags    = "numbers", -- checks computed values
  profiles = "rocm-",

  run = function(t)
    local handle = rocblas.create_handle()
    t:defer(rocblas.destroy_handle, handle)
    local x = t:malloc(8 * 10000)
    local workspace = t:malloc(127)
    hip.memset(x, 0, 8 * 10000)
    rocblas.set_workspace(handle, workspace, 127)
    t:equal(rocblas.get_device_memory_size(handle), 127, "the size is kept as given")
    t:equal(rocblas.dasum(handle, 1000, x, 1), 0, "24 bytes, rounded up to 64, fit")
    -- 10 partial sums and the result take 88 bytes, or two granules: more than 127 bytes.
    local err = t:raises(rocblas.status_memory_error, rocblas.dasum, handle, 5120, x, 1)
    t:equal({ err.required, err.available }, { 128, 127 })
  end,
}
