local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about  = "one handle on each of two devices, as servers have: memory, streams, counts and results of the devices are "
    .. "separate",
  source = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS: \"Each handle maintains its own memory\"; "
    .. "rocBLAS, ROCm 6.0.2: Programmer's Guide, Multiple Streams and Multiple Devices",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  params = { n = 1000 },

  run = function(t)
    if hip.get_device_count() < 2 then t:skip("needs two devices: --devices 2") end
    local before, held = hip.stats().devices, {}
    local handles, streams, vectors = {}, {}, {}
    for d = 0, 1 do
      hip.set_device(d)
      handles[d], streams[d] = t:open {}, t:stream()
      rocblas.set_stream(handles[d], streams[d])
      held[d] = hip.stats().devices[d].live_bytes - before[d].live_bytes
      local x = array.zeros("d", t.n)
      x:fill(d + 1)
      vectors[d] = t:upload(x)
    end
    t:equal(held, { [0] = rocblas.get_device_memory_size(handles[0]), rocblas.get_device_memory_size(handles[1]) },
      "each device has the memory of its handle")

    for d = 0, 1 do
      hip.set_device(d)
      handles[d]:dscal { n = t.n, alpha = 10, x = vectors[d] }
    end
    for d = 0, 1 do
      hip.stream_synchronize(streams[d]) -- of any device
      local x = hip.download(array.zeros("d", t.n), vectors[d])
      t:equal(x[t.n], 10 * (d + 1), "the result on device " .. d)
      t:equal(hip.stats().devices[d].kernels - before[d].kernels, 1, "one kernel on device " .. d)
    end
    hip.set_device(0)
  end,
}
