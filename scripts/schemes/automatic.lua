local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "automatic workspace: it grows when a call needs more; two ways to enable it again",
  source  = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, Automatic workspace",
  platforms = { "cpu", "nvidia" }, -- on amd the HIP library calls cannot be traced
  params  = { m = 512, n = 2, batch = 33 },
  schemes = { "managed" },

  run = function(t)
    local handle = t.handle
    t:check(rocblas.is_managing_device_memory(handle), "a new handle manages its memory")
    if t.profile == "rocm-7.1" then
      t:skip("managed memory is stream-ordered in this release and does not grow: see streams/switch.lua")
    end
    local default = rocblas.get_device_memory_size(handle)
    t:metric("default_bytes", default, "bytes")

    -- When a call needs more than the handle holds, the handle frees its memory and allocates need + default. Of these
    -- solves, each with the same matrix (its stride is 0), nearly all of the need is for inverted diagonal blocks.
    local batch = default > 33554432 and 4 * t.batch or t.batch
    local rocm, order = t.profile:find("^rocm"), 1500
    local A = t:malloc(t.m * t.m * 16)
    local bytes = rocm and t.m * t.n * batch * 16 or order * order * 16
    local C = t:malloc(bytes)
    local routine = "ztrsm_strided_batched"
    local call = { side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit,
      m = t.m, n = t.n, A = A, stride_a = 0, B = C, stride_b = t.m * t.n, batch_count = batch }
    if not rocm then
      -- The default size is enough for the solves of cuBLAS; an inverse by cuSOLVER needs a copy of the matrix.
      local n = order
      local ipiv = t:malloc(4 * n)
      local info = t:malloc(4)
      local rows = array.zeros("i32", n)
      for i = 1, n do rows[i] = i end
      hip.memcpy(ipiv, rows, 4 * n)
      routine, call = "zgetri", { n = n, A = C, ipiv = ipiv, info = info }
    end
    local need = handle:query(function(q) q[routine](q, call) end)
    t:metric("need_bytes", need, "bytes")
    hip.memset(A, 0, t.m * t.m * 16)
    hip.memset(C, 0, bytes)
    hip.trace()
    handle[routine](handle, call)
    local calls = hip.trace()
    t:equal(rocblas.get_device_memory_size(handle), need + default, "size after growth")
    t:equal({ calls[1].call, calls[2].call, calls[2].bytes }, { "hipFree", "hipMalloc", need + default },
      "frees first, then allocates")
    t:equal(calls[1].cause, "growth")

    -- The document: "a nullptr or zero size can be passed to the helper functions".
    rocblas.set_device_memory_size(handle, 4732160)
    t:check(not rocblas.is_managing_device_memory(handle), "managed by the user")
    rocblas.set_device_memory_size(handle, 0)
    t:check(rocblas.is_managing_device_memory(handle), "a size of zero enables it again")

    local workspace = t:malloc(1048576)
    rocblas.set_workspace(handle, workspace, 1048576)
    t:check(not rocblas.is_managing_device_memory(handle), "owned by the user")
    rocblas.set_workspace(handle, nil, 0)
    t:check(rocblas.is_managing_device_memory(handle), "a null pointer enables it again")
  end,
}
