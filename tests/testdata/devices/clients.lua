local rocblas, hip, array = require "rocblas", require "hip", require "array"

-- Four clients on two devices: each has its own current device, a handle, a stream and numbers that it does not share.
return {
  workload = { clients = 4, count = 400 },
  client = function(c)
    device = c.id % 2
    hip.set_device(device)
    handle, stream, x = rocblas.create_handle(), hip.stream_create(), hip.upload(array.zeros("d", 64))
    c:defer(hip.free, x)
    c:defer(hip.stream_destroy, stream)
    c:defer(rocblas.destroy_handle, handle)
    rocblas.set_stream(handle, stream)
  end,
  event = function(c)
    handle:dscal { n = 64, alpha = 2, x = x }
    hip.stream_synchronize(stream)
    c:equal(hip.get_device(), device, "the client's current device")
  end,
}
