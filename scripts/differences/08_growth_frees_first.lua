local rocblas, rocsolver, hip = require "rocblas", require "rocsolver", require "hip"

return {
  about  = "a managed handle that grows frees its memory before it asks for more: if that fails it holds nothing",
  source = "001_05db848c59de963d.txt: \"a synchronizing deallocation and allocation occurs\"",
  platforms = { "cpu", "nvidia" }, -- elsewhere nobody sees the calls that the library makes
  profiles = "rocm-",

  run = function(t)
    if t.profile == "rocm-7.1" then t:skip("managed memory never grows in this release") end
    local handle = rocblas.create_handle()
    t:defer(rocblas.destroy_handle, handle)
    local default = rocblas.get_device_memory_size(handle)
    local n = 2048
    local A = hip.malloc(16 * n * n)
    t:defer(hip.free, A)
    local B = hip.malloc(16 * n * n)
    t:defer(hip.free, B)
    local free = hip.mem_get_info()
    -- What is left takes the handle's own memory and half as much: need + default does not fit.
    local ballast = hip.malloc(free - default / 2)

    hip.trace()
    t:raises(rocblas.status_memory_error, function()
      handle:ztrsm { side = rocblas.side_left, uplo = rocblas.fill_lower, m = n - 1, n = n, A = A, B = B }
    end)
    local calls = hip.trace()
    t:equal(calls[1].call, "hipFree", "the old memory goes first")
    t:equal({ calls[2].call, calls[2].result }, { "hipMalloc", 2 }, "then the new one is not to be had")
    t:equal(rocblas.get_device_memory_size(handle), 0, "and the handle holds nothing")
    t:check(rocblas.is_managing_device_memory(handle), "still managed")

    hip.free(ballast)
    t:equal(rocblas.dasum(handle, 0, nil, 1), 0, "the handle is usable")
  end,
}
