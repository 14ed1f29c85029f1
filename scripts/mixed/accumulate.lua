local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "a product of half-precision matrices summed in 32 bits, then a rank-one update of the result",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, table of functions",
  tags    = "numbers", -- checks computed values
  params  = { n = 4, k = 2049 },
  schemes = "any",

  run = function(t)
    local handle, n, k = t.handle, t.n, t.k
    local ones = array.zeros("f16", n, k)
    ones:fill(1)
    local A, B = t:upload(ones), t:upload(ones)
    local C = t:upload(array.zeros("s", n, n))
    local product = {
      transB = rocblas.operation_transpose, m = n, n = n, k = k, a = A, a_type = rocblas.datatype_f16_r, b = B,
      c = C, c_type = rocblas.datatype_f32_r, d = C, compute_type = rocblas.datatype_f32_r,
    }
    handle:gemm_ex(product)

    -- A half-precision number cannot be 2049: the next ones are 2048 and 2050.
    local result = array.zeros("s", n, n)
    t:equal(hip.download(result, C)[n * n], k, "a sum of half-precision products")

    -- C = C + 2 x y^T
    local x, y = array.zeros("s", n), array.zeros("s", n)
    for i = 1, n do x[i], y[i] = i, 10 * i end
    handle:sger { m = n, n = n, alpha = 2, x = t:upload(x), y = t:upload(y), A = C }
    hip.download(result, C)
    for i = 1, n do
      for j = 1, n do t:equal(result:get(i, j), k + 20 * i * j, ("element (%d, %d)"):format(i, j)) end
    end

    -- The library's tuning files choose the kernel of such a product, and so its workspace. The model does not know
    -- it, and counts the bound that a script gives.
    local function need(unknown) return handle:query(function(q) q:gemm_ex(product) end, unknown) end
    local bytes, reason = need()
    if bytes == nil then
      t:check(reason:find("tuning files", 1, true), "the reason names the tuning files")
      t:equal(need(2 ^ 20), 2 ^ 20, "the bound")
    end
  end,
}
