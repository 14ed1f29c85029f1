local rocblas = require "rocblas"

return {
  about   = "in stream order a failed allocation is ignored: device_malloc succeeds, and its first buffer is null",
  source  = "rocBLAS: rocblas_device_malloc_alloc",
  platforms = { "cpu", "nvidia" }, -- rocBLAS does not export this function
  schemes = { "managed", "stream_ordered" },

  run = function(t)
    local huge, reason = t.handle:device_malloc(2 ^ 50)
    if t.scheme == "managed" and t.profile ~= "rocm-7.1" then
      t:equal(huge, nil)
      t:status(rocblas.status_memory_error, reason.status)
      return
    end
    t:equal(reason, nil, "no reason: the status is success")
    t:equal(huge[1], nil, "but the buffer is a null pointer, which the caller has to check")
    huge:release()
  end,
}
