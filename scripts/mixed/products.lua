local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "products with the types of their arrays as arguments: integers, half precision, and sums of a wider type",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, table of functions",
  tags    = "numbers", -- checks computed values
  params  = { n = 100 },
  schemes = "any",

  run = function(t)
    local handle, n = t.handle, t.n
    local ones = {}
    for i = 1, n do ones[i] = 1 end

    -- int8 products are summed in int32: 100 * 100 * 100 does not fit in 16 bits. All libraries support 4 x 4 results.
    local a, b, c = array.zeros("i8", 4, n), array.zeros("i8", n, 4), array.zeros("i32", 4, 4)
    a:fill(100)
    b:fill(100)
    local da = t:upload(a)
    local db = t:upload(b)
    local dc = t:upload(c)
    handle:gemm_ex { m = 4, n = 4, k = n, a = da, a_type = rocblas.datatype_i8_r, b = db,
      c = dc, c_type = rocblas.datatype_i32_r, d = dc, compute_type = rocblas.datatype_i32_r }
    t:equal(hip.download(c, dc)[16], 100 * 100 * n, "int8 products, summed in int32")

    -- Half precision has 11 bits: above 2048 adding 1 has no effect, unless the sum has 32 bits.
    local x = array.of("f16", ones)
    local dx = t:upload(x)
    local f16, f32 = rocblas.datatype_f16_r, rocblas.datatype_f32_r
    local sum = handle:dot_ex { n = n, x = dx, x_type = f16, y = dx, execution_type = f32 }
    t:near(sum, n, 0, "sum of half-precision values")
    local norm = handle:nrm2_ex { n = n, x = dx, x_type = f16, execution_type = f32 }
    t:near(norm, n ^ 0.5, n ^ 0.5 * 2 ^ -11, "norm of half-precision values")

    -- The workspace of a reduction depends on the type it computes in.
    local bytes = handle:query(function(q)
      q:dot_ex { n = n, x = dx, x_type = f16, y = dx, execution_type = f32 }
    end)
    t:metric("dot_bytes", bytes, "bytes")
    t:check(bytes > 0 and bytes % 64 == 0, "a whole number of granules")
  end,
}
