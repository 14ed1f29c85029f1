local rocblas = require "rocblas"

return {
  about   = "a workspace for several calls and several sizes: the largest need, neither the sum nor the need of the largest size",
  source  = "003_744138cbdf84c0f0.txt: \"the running maximum is updated\"; 002_19aec9ee77fac684.txt, Minimum required size",
  profiles = "rocm-",
  params  = { n = 1000, power = 1024 },
  schemes = "any",

  run = function(t)
    local handle, n = t.handle, t.n
    local lower = rocblas.fill_lower
    local calls = {
      { "dpotrf", { uplo = lower, n = n } },
      { "dpotrs", { uplo = lower, n = n, nrhs = 1 } },
      { "dtrtri", { uplo = lower, n = n } },
      { "dsymv", { uplo = lower, n = n } },
      { "dnrm2", { n = n } },
    }
    local function ask(from, to, step)
      return handle:query(function(q)
        for i = from, to, step do q[calls[i][1]](q, calls[i][2]) end
      end)
    end

    -- Calls run one after the other in the handle's stream, and each gives back what it borrowed: they share the memory.
    local together = ask(1, #calls, 1)
    t:metric("workspace_bytes", together, "bytes")
    local sum, largest, decides = 0, 0, ""
    for i, call in ipairs(calls) do
      local bytes = ask(i, i, 1)
      t:metric(call[1], bytes, "bytes")
      sum = sum + bytes
      if bytes > largest then largest, decides = bytes, call[1] end
    end
    t:metric("decided_by", decides)
    t:equal(together, largest, "the largest")
    t:check(together < sum, "not the sum")
    t:equal(ask(#calls, 1, -1), together, "in whatever order")

    -- A larger matrix can need less: trtri doubles blocks of 32, and needs memory for the rest alone, which a
    -- power of two does not leave.
    local function inverse(size) return handle:query(function(q) q:dtrtri { uplo = lower, n = size } end) end
    t:metric("bytes_at_power_of_two", inverse(t.power), "bytes")
    if n == 1000 and t.power == 1024 then t:equal({ inverse(1000), inverse(1024) }, { 1425408, 0 }) end

    -- So whoever meets all sizes up to some n asks for each of them. The query costs no memory and runs nothing.
    local worst, at = 0, 0
    for size = 1, t.power do
      local bytes = inverse(size)
      if bytes > worst then worst, at = bytes, size end
    end
    t:metric("worst_bytes", worst, "bytes")
    t:metric("worst_n", at)
    t:check(worst > inverse(t.power), "the largest size is not the one that decides")
  end,
}
