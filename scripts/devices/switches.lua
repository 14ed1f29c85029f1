local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about  = "what the guide says about devices, streams and handles, and what it denies: the library makes a handle's "
    .. "device the current one while the memory grows, and for a solve with one vector",
  source = "rocBLAS, ROCm 6.0.2: Programmer's Guide, Stream and Device Management: \"rocBLAS never sets a device, "
    .. "it only queries using `hipGetDevice()`\"; recorded calls of rocBLAS 4.4 and 5.2",
  platforms = { "cpu" }, -- on others the HIP library calls cannot be traced
  profiles = { "rocm-6.4", "rocm-7.2" },
  params = { n = 64 },

  run = function(t)
    if hip.get_device_count() < 2 then t:skip("needs two devices: --devices 2") end
    t:equal(hip.get_device(), 0, "the default device has the number 0")
    t:raises(hip.error_invalid_device, hip.set_device, hip.get_device_count())
    local n, handle, streams, vectors = t.n, t:open {}, {}, {}
    local A = t:upload(array.identity("d", n))
    for d = 0, 1 do
      hip.set_device(d)
      streams[d], vectors[d] = t:stream(), t:upload(array.zeros("d", n))
    end

    -- Calls f while device 1 is the current one. It returns how often f sets a device, and its kernels on each.
    local function during(f, ...)
      local before = hip.stats()
      f(...)
      local after = hip.stats()
      t:equal(hip.get_device(), 1, "the current device is as before")
      local kernels = {}
      for d = 0, 1 do kernels[d] = after.devices[d].kernels - before.devices[d].kernels end
      return after.calls.hipSetDevice - before.calls.hipSetDevice, kernels
    end
    for d = 0, 1 do
      t:equal(during(rocblas.set_stream, handle, streams[d]), 0, "a handle takes a stream of any device")
      local sets, kernels = during(handle.dscal, handle, { n = n, alpha = 2, x = vectors[d] })
      t:equal({ sets, kernels[d] }, { 0, 1 }, "the kernel runs on the stream's device, " .. d)
    end
    rocblas.set_stream(handle, streams[0])
    t:equal(during(handle.dtrsv, handle, { uplo = rocblas.fill_lower, n = n, A = A, x = vectors[0] }), 2,
      "a solve sets the handle's device, and then the one before")
    local function grow() handle:device_malloc(rocblas.get_device_memory_size(handle) + 1):release() end
    t:equal(during(grow), 2, "growth does, too")
    t:equal(during(rocblas.set_device_memory_size, handle, 1024), 2, "and setting the size")
    hip.set_device(0)
  end,
}
