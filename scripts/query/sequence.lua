local rocblas, rocsolver = require "rocblas", require "rocsolver"

return {
  about   = "one workspace for several calls and sizes: the largest need, not the sum and not that of the largest n",
  source  = "rocBLAS developer guide, ROCm 3.5: Device Memory Allocation: \"the running maximum is updated\"; "
    .. "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, Minimum required size",
  profiles = "rocm-",
  params  = { n = 1000, power = 1024 },
  schemes = "any",

  run = function(t)
    local handle, n = t.handle, t.n
    local lower = rocblas.fill_lower
    local calls = {
      { "dpotrf", { uplo = lower, n = n }, rocsolver },
      { "dpotrs", { uplo = lower, n = n, nrhs = 1 }, rocsolver },
      { "dtrtri", { uplo = lower, n = n }, rocblas }, -- rocSOLVER has another one
      { "dsymv", { uplo = lower, n = n }, rocblas },
      { "dnrm2", { n = n }, rocblas },
    }
    local function query(from, to, step)
      return handle:query(function(q)
        for i = from, to, step do
          local name, arguments, library = unpack(calls[i])
          arguments.handle = q
          library[name](arguments)
        end
      end)
    end

    -- Calls run one after the other in the stream of the handle and release their memory at the end, so they share it.
    local together = query(1, #calls, 1)
    t:metric("workspace_bytes", together, "bytes")
    local sum, largest, decides = 0, 0, ""
    for i, call in ipairs(calls) do
      local bytes = query(i, i, 1)
      t:metric(call[1], bytes, "bytes")
      sum = sum + bytes
      if bytes > largest then largest, decides = bytes, call[1] end
    end
    t:metric("decided_by", decides)
    t:equal(together, largest, "the largest need")
    t:check(together < sum, "less than the sum")
    t:equal(query(#calls, 1, -1), together, "independent of the order of the calls")

    -- A larger matrix can need less: trtri doubles blocks of 32 and needs memory only for the remainder. A power of two
    -- has no remainder.
    local function inverse(size)
      return handle:query(function(q) rocblas.dtrtri { handle = q, uplo = lower, n = size } end)
    end
    t:metric("bytes_at_power_of_two", inverse(t.power), "bytes")
    if n == 1000 and t.power == 1024 then t:equal({ inverse(1000), inverse(1024) }, { 1425408, 0 }) end

    -- A program that uses all sizes up to some n must query each of them. A query allocates nothing and runs no kernel.
    local worst, at = 0, 0
    for size = 1, t.power do
      local bytes = inverse(size)
      if bytes > worst then worst, at = bytes, size end
    end
    t:metric("worst_bytes", worst, "bytes")
    t:metric("worst_n", at)
    t:check(worst > inverse(t.power), "the largest n does not have the largest need")
  end,
}
