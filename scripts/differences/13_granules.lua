local rocblas, hip = require "rocblas", require "hip"

return {
  about  = "a user's workspace is lent in pieces of 64 bytes: 127 bytes are as good as 64",
  source = "000_87fe014290032ff0.txt: \"that size is used as the limit\"",
  tags    = "numbers", -- it looks at what kernels compute
  profiles = "rocm-",

  run = function(t)
    local handle = rocblas.create_handle()
    t:defer(rocblas.destroy_handle, handle)
    local x = hip.malloc(8 * 10000)
    t:defer(hip.free, x)
    local workspace = hip.malloc(127)
    t:defer(hip.free, workspace)
    hip.memset(x, 0, 8 * 10000)
    rocblas.set_workspace(handle, workspace, 127)
    t:equal(rocblas.get_device_memory_size(handle), 127, "kept as given")
    t:equal(rocblas.dasum(handle, 1000, x, 1), 0, "24 bytes, rounded to 64: lent")
    -- 10 partial sums and the result are 88 bytes, so two granules: more than 127 holds.
    local err = t:raises(rocblas.status_memory_error, rocblas.dasum, handle, 5120, x, 1)
    t:equal({ err.required, err.available }, { 128, 127 })
  end,
}
