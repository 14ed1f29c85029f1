local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "set_workspace(nil, 0) leaves a managed handle of size 0, not of the default size",
  source  = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, User-owned workspace: \"rocblas_set_workspace(handle, "
    .. "nullptr, 0)\"",
  params  = { bytes = 1048576, n = 100000 },
  schemes = "any",

  run = function(t)
    local handle = t.handle
    local fresh = t:open { scheme = t.scheme == "stream_ordered" and "stream_ordered" or "managed" }
    local default = rocblas.get_device_memory_size(fresh)
    local workspace = hip.malloc(t.bytes)
    t:defer(function() hip.free(workspace) end)
    local x = hip.upload(array.zeros("d", t.n))
    t:defer(function() hip.free(x) end)

    -- A null pointer, a size of 0, or both: the effect is the same, and all succeed.
    for _, reset in ipairs { { workspace, 0 }, { nil, t.bytes }, { nil, 0 } } do
      rocblas.set_workspace(handle, workspace, t.bytes)
      t:equal(rocblas.get_device_memory_size(handle), t.bytes, "owned by the user")
      t:check(not rocblas.is_managing_device_memory(handle), "not managed")
      t:status(rocblas.status_success, rocblas.set_workspace(handle, reset[1], reset[2]))
      t:equal(rocblas.get_device_memory_size(handle), 0, "no memory held")
      t:check(rocblas.is_managing_device_memory(handle), "managed, whatever the previous scheme")
    end
    t:metric("default_bytes", default, "bytes")
    t:metric("bytes_after_reset", rocblas.get_device_memory_size(handle), "bytes")

    -- gemm uses the memory that the handle has and works without: the handle does not grow.
    if t.profile:find("^rocm") then
      local C = hip.upload(array.zeros("d", 64, 64))
      handle:dgemm { m = 64, n = 64, k = 64, alpha = 0, A = C, B = C, C = C }
      hip.free(C)
      t:equal(rocblas.get_device_memory_size(handle), 0, "after gemm")
    end

    -- The first call that needs memory grows the handle to need + default. Stream-ordered allocations come from the
    -- pool of the device, and the size of the handle is unchanged.
    local need = handle:query(function(q) q:dasum { n = t.n } end)
    rocblas.dasum(handle, t.n, x, 1)
    local pooled = t.scheme == "stream_ordered" or t.profile == "rocm-7.1"
    local grown = (pooled or need == 0) and 0 or need + default
    t:equal(rocblas.get_device_memory_size(handle), grown, "after the first call that needs memory")

    -- No call restores the state of a new handle: setting the size makes the handle user-managed, so it stops growing.
    if not pooled then
      rocblas.set_device_memory_size(handle, default)
      t:equal(rocblas.get_device_memory_size(handle), default)
      t:check(rocblas.is_user_managing_device_memory(handle), "the default size, but fixed")
    end
  end,
}
