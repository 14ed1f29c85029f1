local hip, array = require "hip", require "array"

return {
  about   = "how the rate of a GEMM, in GFLOP/s, depends on its order",
  tags    = { "times" },
  params  = { type = "d", from = 64, to = 256, seconds = 0.01 },
  schemes = { "managed" },

  run = function(t)
    local function matrix()
      local p = hip.upload(array.random(t.type, t.to, t.to))
      t:defer(hip.free, p)
      return p
    end
    local n = t.from
    local product = t.handle:prepare(t.type .. "gemm",
      { m = n, n = n, k = n, alpha = 1, beta = 0, A = matrix(), B = matrix(), C = matrix() })
    while n <= t.to do
      product:set { m = n, n = n, k = n }
      local measured = t:measure("n" .. n, { min_time = t.seconds, max_time = 5 * t.seconds }, product)
      t:check(measured.gflops > 0, "the operations of a product are known")
      n = 2 * n
    end
  end,
}
