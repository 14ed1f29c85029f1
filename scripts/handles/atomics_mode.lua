local rocblas = require "rocblas"

return {
  about  = "the atomics mode of a new handle: allowed in rocm-6.4, not allowed later, or as the environment says",
  source = "rocBLAS: rocblas_set_atomics_mode, ROCBLAS_DEFAULT_ATOMICS_MODE",
  profiles = "rocm-",

  run = function(t)
    local function mode()
      local handle = rocblas.create_handle()
      local value = rocblas.get_atomics_mode(handle)
      rocblas.destroy_handle(handle)
      return value
    end

    local default = rocblas.atomics_not_allowed
    if t.profile == "rocm-6.4" then default = rocblas.atomics_allowed end
    t:equal(mode(), default, "default of the release")

    for text, want in pairs {
      ["0"] = rocblas.atomics_not_allowed, ["1"] = rocblas.atomics_allowed, ["2"] = rocblas.atomics_allowed,
      [""] = rocblas.atomics_not_allowed, x = rocblas.atomics_not_allowed,
    } do
      os.setenv("ROCBLAS_DEFAULT_ATOMICS_MODE", text)
      t:equal(mode(), want, ("%q in the environment"):format(text))
    end

    local handle = rocblas.create_handle()
    rocblas.set_atomics_mode(handle, rocblas.atomics_allowed)
    t:equal(rocblas.get_atomics_mode(handle), rocblas.atomics_allowed, "set by the program")
    rocblas.destroy_handle(handle)
  end,
}
