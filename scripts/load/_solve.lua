-- A batched triangular solve, which the scenarios of this folder use. Nearly all of its workspace is for inverted
-- diagonal blocks of each problem.
local rocblas, hip = require "rocblas", require "hip"
local m, n = 512, 2

local solve = {}

-- with calls a function with a handle that it destroys.
local function with(f)
  local handle = rocblas.create_handle()
  local result = f(handle)
  rocblas.destroy_handle(handle)
  return result
end

-- solve.beyond returns the smallest number of problems that needs more than a new handle has. That depends on the
-- architecture and the release.
function solve.beyond()
  return with(function(handle)
    local held, count = handle:get_device_memory_size(), 16
    while handle:query(function(q) solve.run(q, count) end) <= held do count = count + 1 end
    return count
  end)
end

-- solve.need returns the bytes of workspace for a number of problems.
function solve.need(count)
  return with(function(handle) return handle:query(function(q) solve.run(q, count) end) end)
end

-- solve.memory allocates what a number of problems uses, and defers freeing it.
function solve.memory(t, count)
  local function zeros(bytes)
    local p = hip.malloc(bytes)
    t:defer(hip.free, p)
    hip.memset(p, 0, bytes)
    return p
  end
  return { A = zeros(8 * m * m), B = zeros(8 * m * n * count) }
end

-- solve.run solves a number of problems with one matrix, whose stride is 0.
function solve.run(handle, count, memory)
  memory = memory or {}
  return handle:dtrsm_strided_batched {
    side = rocblas.side_left, uplo = rocblas.fill_lower, diag = rocblas.diagonal_unit,
    m = m, n = n, A = memory.A, stride_a = 0, B = memory.B, stride_b = m * n, batch_count = count,
  }
end

-- solve.growths returns how often handles have grown since the trace was last read.
function solve.growths()
  local times = 0
  for _, call in ipairs(hip.trace()) do
    if call.cause == "growth" and call.call == "hipMalloc" then times = times + 1 end
  end
  return times
end

return solve
