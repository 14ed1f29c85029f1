local rocblas, hip = require "rocblas", require "hip"

return {
  about   = "a managed handle grows to need + default, frees before it allocates, and never shrinks",
  source  = "rocBLAS, ROCm 5.0: Device Memory Allocation, rocBLAS_managed: \"any memory allocated persists in the "
    .. "handle\"; \"a synchronizing deallocation and allocation occurs\"; rocBLAS developer guide, ROCm 3.5: Device "
    .. "Memory Allocation, Requirements: \"Default\"; rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, "
    .. "rocBLAS_managed; rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS: \"allocating more if needed\"; "
    .. "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, Automatic workspace: \"automatic reallocation is "
    .. "synchronizing\"",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  profiles = "rocm-",
  params  = { order = 512, nrhs = 2 },
  schemes = { "managed", "stream_ordered" },

  run = function(t)
    local handle, m, n = t.handle, t.order, t.nrhs
    -- The default size depends on the architecture. A new handle allocates it first.
    hip.trace()
    rocblas.destroy_handle(rocblas.create_handle())
    local default
    for _, c in ipairs(hip.trace()) do default = default or c.bytes end
    -- Many small right-hand sides with one matrix (its stride is 0). Nearly all of the need is for inverted diagonal
    -- blocks: 8*128*order bytes each.
    local function solve(on, count, A, B)
      return on:dtrsm_strided_batched {
        side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit,
        m = m, n = n, A = A, stride_a = 0, B = B, stride_b = m * n, batch_count = count,
      }
    end
    local function need(count) return handle:query(function(q) solve(q, count) end) end
    local function first_above(bytes)
      local count = 16
      while need(count) <= bytes do count = count + 1 end
      return count
    end
    if need(16) < 16 * 8 * 128 * m then t:skip("this order or number of right-hand sides needs no inverses") end
    local grows = first_above(default)
    local regrows = first_above(need(grows) + default)
    if m == 512 and n == 2 and default == 33554432 then
      t:equal({ grows, need(grows), regrows, need(regrows) }, { 64, 34078720, 128, 68157440 }, "532480 bytes each")
    end

    local A = t:malloc(8 * m * m)
    local B = t:malloc(8 * m * n * regrows)
    hip.memset(A, 0, 8 * m * m)
    hip.memset(B, 0, 8 * m * n * regrows)
    local held = rocblas.get_device_memory_size(handle)
    for _, count in ipairs { grows, regrows - 1, regrows, grows } do
      hip.trace()
      t:status(rocblas.status_success, solve(handle, count, A, B))
      local calls, bytes = {}, need(count)
      for _, c in ipairs(hip.trace()) do
        calls[#calls + 1] = ("%s %s %s%s"):format(c.call, c.bytes or "-", c.cause, c.synchronizing and ", waits" or "")
      end
      local want = {}
      if t.scheme == "stream_ordered" or t.profile == "rocm-7.1" then
        -- Exactly the need, in each call, without waiting.
        local cause = "workspace_allocation"
        want = { ("hipMallocAsync %d %s"):format(bytes, cause), "hipFreeAsync - " .. cause }
      elseif bytes > held then
        held = bytes + default
        want = { "hipFree - growth, waits", ("hipMalloc %d growth, waits"):format(held) } -- the device never holds both
      end
      t:equal(calls, want, count .. " problems")
      t:equal(rocblas.get_device_memory_size(handle), held, count .. " problems: bytes held afterwards")
    end
    t:metric("need_bytes", need(regrows), "bytes")
    t:metric("held_bytes", held, "bytes")
  end,
}
