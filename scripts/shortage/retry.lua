local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "growth to need + default fails where the need alone would fit: query, set the size, call again; and what that makes of the handle",
  source  = "002_19aec9ee77fac684.txt, Using helper functions; 001_05db848c59de963d.txt: \"computational functions allocate the memory they require\"",
  platforms = "cpu", -- on a real device others take memory too
  profiles = "rocm-",
  params  = { order = 512, batch = 80 },
  schemes = { "managed" },

  run = function(t)
    local handle, m = t.handle, t.order
    local A, B = hip.malloc(8 * m * m), hip.malloc(32 * m * t.batch)
    local ballast
    t:defer(function() for _, p in pairs { A, B, ballast } do hip.free(p) end end)
    hip.memset(A, 0, 8 * m * m)
    hip.memset(B, 0, 32 * m * t.batch)
    local function solve(on, count)
      return rocblas.dtrsm_strided_batched { handle = on, side = rocblas.side_left, uplo = rocblas.fill_lower,
        diag = rocblas.diagonal_unit, m = m, n = 2, A = A, stride_a = 0, B = B, batch_count = count }
    end
    local default = t.arch:find("^gfx94") and 134217728 or 33554432
    local need = handle:query(function(q) solve(q, t.batch) end)
    t:metric("need_bytes", need, "bytes")
    if need <= default then t:skip("this architecture's default is enough; choose a larger batch") end

    -- The device has room for the need and half a default, once the handle has given its own memory back.
    local held = rocblas.get_device_memory_size(handle)
    ballast = hip.malloc(hip.mem_get_info() + held - need - default / 2)
    if t.profile == "rocm-7.1" then
      t:status(rocblas.status_success, solve(handle, t.batch), "this release takes the need from the device's pool, and no more")
      return
    end
    local err = t:raises(rocblas.status_memory_error, solve, handle, t.batch)
    t:equal(err.required, need)
    t:check(err.available >= need, "the need would fit; need + " .. default .. " does not")
    t:equal(rocblas.get_device_memory_size(handle), 0, "the old memory is gone all the same")

    -- The size that the query told, to the byte, and the call again.
    hip.stream_synchronize(rocblas.get_stream(handle))
    rocblas.set_device_memory_size(handle, need)
    t:status(rocblas.status_success, solve(handle, t.batch))
    t:check(rocblas.is_user_managing_device_memory(handle), "but the handle is the user's now")

    -- It will not grow again by itself, not by a single problem.
    err = t:raises(rocblas.status_memory_error, solve, handle, t.batch + 1)
    t:equal({ err.required > need, err.available }, { true, need }, "from here on each larger call takes a larger size first")
    rocblas.set_device_memory_size(handle, err.required)
    t:status(rocblas.status_success, solve(handle, t.batch + 1))
  end,
}
