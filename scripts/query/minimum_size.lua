local rocblas, rocsolver = require "rocblas", require "rocsolver"

-- Bytes for n = 1024 and one right-hand side, by type. c needs as much as d, because their elements have the same size.
local documented = { s = 2368256, d = 4732160, c = 4732160, z = 9459968 }

return {
  about   = "bytes needed to solve an n*n system with nrhs right-hand sides",
  source  = "rocSOLVER, ROCm 6.2.4: rocSOLVER Memory Model, Minimum required size",
  params  = { n = 1024, nrhs = 1, type = "d" },
  schemes = "any",

  run = function(t)
    local handle = t.handle
    local lda, ldb = t.n, t.n

    -- The document's snippet, line by line.
    rocblas.start_device_memory_size_query(handle)
    local first = rocsolver[t.type .. "getrf"](handle, t.n, t.n, nil, lda, nil, nil)
    local second = rocsolver[t.type .. "getrs"](handle, rocblas.operation_none, t.n, t.nrhs, nil, lda, nil, nil, ldb)
    local memory_size = rocblas.stop_device_memory_size_query(handle)

    t:metric("workspace_bytes", memory_size, "bytes")
    t:status(rocblas.status_size_increased, first, "getrf needs memory")
    t:status(rocblas.status_size_unchanged, second, "getrs needs less than getrf")
    if t.n == 1024 and t.nrhs == 1 and t.profile:find("^rocm") then
      t:equal(memory_size, documented[t.type], "the documented example")
    end

    -- The same with named arguments.
    local bytes = handle:query(function(q)
      q[t.type .. "getrf"](q, { m = t.n, n = t.n })
      q[t.type .. "getrs"](q, { n = t.n, nrhs = t.nrhs })
    end)
    t:equal(bytes, memory_size, "the same size with named arguments")
  end,
}
