local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about  = "a handle used while another device is current: with a stream of the handle's device it computes there, and "
    .. "its memory grows there",
  source = "rocBLAS, ROCm 6.0.2: Programmer's Guide, Multiple Streams and Multiple Devices: \"Each rocBLAS handle can "
    .. "only be used with a single device\"; recorded calls of rocBLAS 4.4 and 5.2",
  platforms = { "cpu" }, -- on others the device of an allocation of the library cannot be traced
  profiles = { "rocm-6.4", "rocm-7.2" },
  params = { n = 512, batch = 64 },

  run = function(t)
    if hip.get_device_count() < 2 then t:skip("needs two devices: --devices 2") end
    local n = t.n
    local handle, stream = t:open {}, t:stream()
    local x = array.zeros("d", n)
    x:fill(3)
    x = t:upload(x)
    local A = t:malloc(8 * n * n)
    local B = t:malloc(16 * n * t.batch)
    hip.memset(A, 0, 8 * n * n)
    hip.memset(B, 0, 16 * n * t.batch)
    rocblas.set_stream(handle, stream)
    local function solve(on)
      on:dtrsm_strided_batched { side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit,
        m = n, n = 2, A = A, stride_a = 0, B = B, batch_count = t.batch }
    end

    hip.set_device(1)
    local before = hip.stats()
    handle:dscal { n = n, alpha = 2, x = x }
    hip.stream_synchronize(stream)
    t:equal(hip.download(array.zeros("d", n), x)[n], 6, "computed on the handle's device")
    local need, held = handle:query(solve), rocblas.get_device_memory_size(handle)
    solve(handle)
    hip.stream_synchronize(stream)
    local after = hip.stats()
    t:metric("need_bytes", need, "bytes")
    local grown = rocblas.get_device_memory_size(handle) - held
    t:check(grown > 0, "the handle has grown")
    t:equal(after.devices[0].live_bytes - before.devices[0].live_bytes, grown, "on the handle's device")
    t:equal(after.devices[1].live_bytes, before.devices[1].live_bytes, "and not on the current one")
    t:equal(after.devices[1].kernels, before.devices[1].kernels, "where no kernel ran")
    t:equal(hip.get_device(), 1, "which is still the current one")
    hip.set_device(0)
  end,
}
