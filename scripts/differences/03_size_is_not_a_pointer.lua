local rocblas = require "rocblas"

return {
  about   = "set_device_memory_size takes a size, so nullptr cannot be passed; the document means zero",
  source  = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model: \"a nullptr or zero size can be passed to the helper "
    .. "functions rocblas_set_device_memory_size or rocblas_set_workspace\"",
  profiles = "rocm-",
  schemes = { "manual" },

  run = function(t)
    local ok, err = pcall(rocblas.set_device_memory_size, t.handle, nil)
    t:check(not ok, "a null pointer is not a size")
    t:check(tostring(err):find("want a number of bytes", 1, true) ~= nil, tostring(err))
    t:check(rocblas.is_user_managing_device_memory(t.handle), "the scheme is unchanged")
    rocblas.set_device_memory_size(t.handle, 0)
    t:check(rocblas.is_managing_device_memory(t.handle), "a size of zero returns to managed memory")
  end,
}
