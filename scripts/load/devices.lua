local rocblas, hip, array = require "rocblas", require "hip", require "array"

-- Four clients share the devices. Each has its own current device, a handle, a stream and matrices there. Events in a
-- second with --devices 1 and with --devices 2 compare the throughput.
return {
  about     = "clients on all devices, each with its own current device, handle and stream",
  source    = "rocBLAS, ROCm 6.0.2: Programmer's Guide, Multiple Streams and Multiple Devices: \"users can run num "
    .. "rocBLAS handles on num devices concurrently\"",
  tags      = { "times" },
  params    = { clients = 4, events = 400, n = 16 },
  workload  = { clients = "clients", count = "events" },

  client = function(c)
    device = c.id % hip.get_device_count()
    hip.set_device(device)
    handle, stream = rocblas.create_handle(), hip.stream_create()
    c:defer(hip.stream_destroy, stream)
    c:defer(rocblas.destroy_handle, handle)
    rocblas.set_stream(handle, stream)
    matrices = {}
    for _, name in ipairs { "A", "B", "C" } do
      matrices[name] = hip.upload(array.random("d", c.n, c.n, c.id))
      c:defer(hip.free, matrices[name])
    end
  end,

  event = function(c)
    handle:dgemm { m = c.n, n = c.n, k = c.n, alpha = 1, A = matrices.A, B = matrices.B, C = matrices.C }
    hip.stream_synchronize(stream)
    c:equal(hip.get_device(), device, "the client's current device")
  end,
}
