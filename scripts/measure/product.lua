local array = require "array"

return {
  about   = "how long a GEMM takes, with the workspace that it needs allocated before",
  tags    = { "times" },
  params  = { n = 128, type = "d", seconds = 0.02 },
  schemes = { "managed", "user_owned" },
  bytes   = 1 * 2^20,
  expect  = { ["product.samples"] = "> 0", ["product.gflops"] = "> 0" },

  run = function(t)
    local n = t.n
    local A, B = t:upload(array.random(t.type, n, n)), t:upload(array.random(t.type, n, n))
    local C = t:upload(array.zeros(t.type, n, n))
    local product = t.handle:prepare(t.type .. "gemm",
      { m = n, n = n, k = n, alpha = 1, beta = 0, A = A, B = B, C = C })
    local measured = t:measure("product", { min_time = t.seconds, max_time = 5 * t.seconds }, product)
    t:check(measured.device.p95 >= measured.device.median, "the 95th percentile is at least the median")
  end,
}
