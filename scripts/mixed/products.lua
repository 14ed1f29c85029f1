local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "products whose arguments say what their arrays hold: integers, halves, a sum wider than its terms",
  source  = "000_87fe014290032ff0.txt, the table of functions that need memory",
  tags    = "numbers", -- it looks at what kernels compute
  params  = { n = 100 },
  schemes = "any",

  run = function(t)
    local handle, n = t.handle, t.n
    local ones = {}
    for i = 1, n do ones[i] = 1 end

    -- int8 x int8 is added in int32: 100 * 100 * 100 does not fit 16 bits. Four rows and columns suit every library.
    local a, b, c = array.zeros("i8", 4, n), array.zeros("i8", n, 4), array.zeros("i32", 4, 4)
    a:fill(100)
    b:fill(100)
    local da = hip.upload(a)
    t:defer(hip.free, da)
    local db = hip.upload(b)
    t:defer(hip.free, db)
    local dc = hip.upload(c)
    t:defer(hip.free, dc)
    handle:gemm_ex { m = 4, n = 4, k = n, a = da, a_type = rocblas.datatype_i8_r, b = db,
      c = dc, c_type = rocblas.datatype_i32_r, d = dc, compute_type = rocblas.datatype_i32_r }
    t:equal(hip.download(c, dc)[16], 100 * 100 * n, "int8 products, added in int32")

    -- A half holds 11 bits: beyond 2048 adding 1 changes nothing, unless the sum is kept in 32 bits.
    local x = array.of("f16", ones)
    local dx = hip.upload(x)
    t:defer(hip.free, dx)
    local f16, f32 = rocblas.datatype_f16_r, rocblas.datatype_f32_r
    t:near(handle:dot_ex { n = n, x = dx, x_type = f16, y = dx, execution_type = f32 }, n, 0, "a sum of halves")
    t:near(handle:nrm2_ex { n = n, x = dx, x_type = f16, execution_type = f32 }, n ^ 0.5, n ^ 0.5 * 2 ^ -11, "a norm of halves")

    -- What the reduction asks for follows from what it computes in.
    local bytes = handle:query(function(q)
      q:dot_ex { n = n, x = dx, x_type = f16, y = dx, execution_type = f32 }
    end)
    t:metric("dot_bytes", bytes, "bytes")
    t:check(bytes > 0 and bytes % 64 == 0, "a whole number of granules")

    if not t.profile:find("^rocm") then return end
    -- Which kernel multiplies halves that are added in 32 bits, and what it asks for, is in the library's tuning files.
    local known, problem = pcall(function()
      handle:query(function(q) q:gemm_ex { m = n, n = n, k = n, a_type = f16, compute_type = f32 } end)
    end)
    t:check(not known and tostring(problem):find("cannot know", 1, true), "nobody knows what 16-bit factors need")
  end,
}
