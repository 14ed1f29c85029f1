local rocblas, hip = require "rocblas", require "hip"

return {
  about  = "the memory of one device is exhausted while another has room: a handle cannot be created on the first, and "
    .. "can on the second",
  source = "recorded calls of rocBLAS 4.4 and 5.2",
  platforms = { "cpu" }, -- others would allocate all memory of a device of the machine
  profiles = { "rocm-6.4", "rocm-7.2" }, -- rocm-7.1 allocates no memory for a new handle

  run = function(t)
    if hip.get_device_count() < 2 then t:skip("needs two devices: --devices 2") end
    local free = hip.mem_get_info()
    t:malloc(free)
    local handle, status = rocblas.try.create_handle()
    t:check(handle == nil, "no handle on a full device")
    t:status(rocblas.status_memory_error, status)
    hip.set_device(1)
    local other, total = hip.mem_get_info()
    t:check(other > 0 and other <= total, "the other device has room")
    handle = t:open {}
    t:metric("held_bytes", rocblas.get_device_memory_size(handle), "bytes")
    hip.set_device(0)
    t:raises(hip.error_out_of_memory, hip.malloc, 1)
  end,
}
