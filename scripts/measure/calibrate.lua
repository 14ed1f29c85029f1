local hip, array = require "hip", require "array"

-- The model of time of a simulated device has a row for each architecture. On a real device these are the times that
-- such a row describes:
--
--   roclua run --platform nvidia scripts/measure/calibrate.lua --set params.to=4096 --out json=times.json
--   roclua calibrate times.json
--
-- A name is the routine and its sizes: dgetrs.n64.nrhs1.
return {
  about   = "the times of products, factorizations, solutions and small kernels of a device, for its model of time",
  tags    = { "times" },
  params  = { from = 16, to = 64, nrhs = 1, seconds = 0.02 },
  schemes = { "managed" },

  run = function(t)
    local n = t.from
    while n <= t.to do
      local function matrix(m) return t:upload(array.random("d", n, m or n)) end
      local A, B, C = t:upload(array.diagonally_dominant("d", n)), matrix(), matrix()
      local X, ipiv, info = matrix(t.nrhs), t:malloc(4 * n), t:malloc(4)
      local calls = {
        { "dscal", { n = n * n, alpha = -1, x = C } },
        { "dgemm", { m = n, n = n, k = n, alpha = 1, beta = 0, A = B, B = B, C = C } },
        { "dgetrf", { m = n, n = n, A = A, ipiv = ipiv, info = info } },
        { "dgetrs", { n = n, nrhs = t.nrhs, A = A, ipiv = ipiv, B = X } },
      }
      for _, call in ipairs(calls) do
        local name = call[1] .. ".n" .. n .. (call[2].nrhs and ".nrhs" .. t.nrhs or "")
        local prepared = t.handle:prepare(call[1], call[2])
        local measured = t:measure(name, { min_time = t.seconds, max_time = 5 * t.seconds }, prepared)
        t:check(measured.device.median > 0, call[1] .. " takes time")
      end
      for _, p in ipairs { A, B, C, X, ipiv, info } do hip.free(p) end
      n = 2 * n
    end
  end,
}
