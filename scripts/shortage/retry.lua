local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "growth to need + default fails where the need alone fits: query, set the size, call again",
  source  = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, Using helper functions; rocBLAS, ROCm 5.0: Device "
    .. "Memory Allocation: \"computational functions allocate the memory they require\"",
  platforms = "cpu", -- on a real device other processes use memory too
  profiles = "rocm-",
  params  = { order = 512, batch = 80 },
  schemes = { "managed" },

  run = function(t)
    local handle, m = t.handle, t.order
    local A = t:malloc(8 * m * m)
    local B = t:malloc(32 * m * t.batch)
    local ballast
    t:defer(function() hip.free(ballast) end)
    hip.memset(A, 0, 8 * m * m)
    hip.memset(B, 0, 32 * m * t.batch)
    local function solve(on, count)
      return rocblas.dtrsm_strided_batched { handle = on, side = rocblas.side_left, uplo = rocblas.fill_lower,
        diag = rocblas.diagonal_unit, m = m, n = 2, A = A, stride_a = 0, B = B, batch_count = count }
    end
    local default = rocblas.get_device_memory_size(handle) -- 0 in rocm-7.1, where handles hold no memory
    local need = handle:query(function(q) solve(q, t.batch) end)
    t:metric("need_bytes", need, "bytes")
    if need <= default then t:skip("this architecture's default is enough; choose a larger batch") end

    -- The device has room for the need plus half the default size, after the handle has freed its memory.
    ballast = hip.malloc(hip.mem_get_info() + default - need - default / 2)
    if t.profile == "rocm-7.1" then
      t:status(rocblas.status_success, solve(handle, t.batch), "this release allocates only the need")
      return
    end
    local err = t:raises(rocblas.status_memory_error, solve, handle, t.batch)
    t:equal(err.required, need)
    t:check(err.available >= need, "the need would fit; need + " .. default .. " does not")
    t:equal(rocblas.get_device_memory_size(handle), 0, "the old memory was freed")

    -- Set the exact size from the query and repeat the call.
    hip.stream_synchronize(rocblas.get_stream(handle))
    rocblas.set_device_memory_size(handle, need)
    t:status(rocblas.status_success, solve(handle, t.batch))
    t:check(rocblas.is_user_managing_device_memory(handle), "the handle is user-managed now")

    -- It no longer grows, not even for one more problem.
    err = t:raises(rocblas.status_memory_error, solve, handle, t.batch + 1)
    t:equal({ err.required > need, err.available }, { true, need }, "a larger call now needs a larger size first")
    rocblas.set_device_memory_size(handle, err.required)
    t:status(rocblas.status_success, solve(handle, t.batch + 1))
  end,
}
