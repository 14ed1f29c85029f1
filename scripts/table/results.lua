local rocblas, hip, array = require "rocblas", require "hip", require "array"

local lower = rocblas.fill_lower

return {
  about   = "results of routines of the table: half precision, extrema, banded, packed, Hermitian and rank-k routines",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, table of functions; rocBLAS, ROCm 6.1.0: "
    .. "Device Memory Allocation in rocBLAS, table of functions",
  tags    = "numbers", -- checks computed values
  params  = { n = 50 },
  schemes = "any",

  run = function(t)
    local handle, n = t.handle, t.n
    local function equal(p, want, text)
      local have = hip.download(array.zeros(want.type, want.rows, want.cols), p)
      t:near(array.max_difference(have, want), 0, 1e-12, text)
    end

    -- hdot, bfdot and hgemm: sums of up to 50 products 2 * 3 are exact in 8 bits if they are multiples of 6 below 512.
    for _, case in ipairs { { "hdot", "f16" }, { "bfdot", "bf16" } } do
      local x, y = array.zeros(case[2], 40), array.zeros(case[2], 40)
      x:fill(2)
      y:fill(3)
      t:equal(handle[case[1]](handle, { n = 40, x = t:upload(x), y = t:upload(y) }), 240, case[1])
    end
    local half = array.zeros("f16", 4, 4)
    half:fill(1.5)
    local c = t:upload(half)
    handle:hgemm { m = 4, n = 4, k = 4, alpha = 2, A = t:upload(half), B = t:upload(half), beta = 4, C = c }
    t:equal(hip.download(half, c)[7], 2 * 4 * 1.5 * 1.5 + 4 * 1.5, "hgemm")

    -- The first element of the largest and of the smallest absolute value.
    local v = array.zeros("d", n)
    for i = 1, n do v[i] = i % 2 == 0 and i or -i end
    local dv = t:upload(v)
    t:equal((handle:idamax { n = n, x = dv }), n, "idamax")
    t:equal((handle:idamin { n = n, x = dv }), 1, "idamin")

    -- A lower band matrix with ones on two diagonals, dense, in band storage (k+1 rows) and packed.
    local dense, band, packed = array.zeros("d", n, n), array.zeros("d", 2, n), array.zeros("d", n * (n + 1) / 2)
    local at = 1
    for j = 1, n do
      band:set(1, j, 1)
      band:set(2, j, 1)
      for i = j, n do
        if i - j <= 1 then
          dense:set(i, j, 1)
          packed[at] = 1
        end
        at = at + 1
      end
    end
    local sums = array.zeros("d", n) -- each element plus the one before
    for i = 1, n do sums[i] = v[i] + (i > 1 and v[i - 1] or 0) end
    local A, x = t:upload(dense), t:upload(v)
    handle:dtbmv { uplo = lower, n = n, k = 1, A = t:upload(band), x = x }
    equal(x, sums, "tbmv")
    handle:dtrsv { uplo = lower, n = n, A = A, x = x }
    equal(x, v, "trsv solves what tbmv multiplied")
    handle:dtpmv { uplo = lower, n = n, A = t:upload(packed), x = x }
    equal(x, sums, "tpmv")

    -- hemv reads one triangle, and takes the other as its conjugate: A = [1, -i; i, 2].
    local H = array.zeros("z", 2, 2)
    H:set(1, 1, 1)
    H:set(2, 1, { 0, 1 })
    H:set(2, 2, 2)
    local z = array.of("z", { 1, { 0, 1 } })
    local y = t:upload(array.zeros("z", 2))
    handle:zhemv { uplo = lower, n = 2, A = t:upload(H), x = t:upload(z), y = y }
    equal(y, array.of("z", { 2, { 0, 3 } }), "hemv")

    -- syrk and herk write one triangle of the square. The other keeps its values, although the library computes the
    -- whole square: it copies the triangle to the workspace, if k is long enough.
    local k = 600
    for _, case in ipairs { { "dsyrk", "d" }, { "zherk", "z" } } do
      local ones, square = array.zeros(case[2], n, k), array.zeros(case[2], n, n)
      ones:fill(1)
      square:fill(7)
      local C, call = t:upload(square), { uplo = lower, n = n, k = k, A = t:upload(ones) }
      call.C = C
      local need = handle:query(function(q) q[case[1]](q, call) end)
      handle[case[1]](handle, call)
      for j = 1, n do for i = j, n do square:set(i, j, k) end end
      equal(C, square, case[1])
      t:metric(case[1] .. "_bytes", need, "bytes")
      if need > 0 and t.profile:find("^rocm") then -- some architectures do not copy
        local element = case[2] == "z" and 16 or 8
        t:equal(need, math.ceil(n * (n - 1) / 2 * element / 64) * 64, "the triangle that must not change")
      end
    end
  end,
}
