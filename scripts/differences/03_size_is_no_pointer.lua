local rocblas = require "rocblas"

return {
  about   = "set_device_memory_size takes a size, so no nullptr can be passed to it; zero is what is meant",
  source  = "002_19aec9ee77fac684.txt: \"a nullptr or zero size can be passed to the helper functions rocblas_set_device_memory_size or rocblas_set_workspace\"",
  profiles = "rocm-",
  schemes = { "manual" },

  run = function(t)
    local ok, err = pcall(rocblas.set_device_memory_size, t.handle, nil)
    t:check(not ok, "a null pointer is no size")
    t:check(tostring(err):find("want a number of bytes", 1, true) ~= nil, tostring(err))
    t:check(rocblas.is_user_managing_device_memory(t.handle), "nothing changed")
    rocblas.set_device_memory_size(t.handle, 0)
    t:check(rocblas.is_managing_device_memory(t.handle), "zero is the way back")
  end,
}
