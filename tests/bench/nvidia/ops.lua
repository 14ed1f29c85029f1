-- The calls of bench.lua and measure.lua, by name.
local rocblas, rocsolver, hip, array = require "rocblas", require "rocsolver", require "hip", require "array"

-- Device memory filled with one diagonally dominant matrix for each problem.
local function matrices(kind, n, batch)
  local bytes = (kind == "s" and 4 or 8) * n * n
  local p = hip.malloc(bytes * batch)
  if n <= 2048 then
    local one = array.diagonally_dominant(kind, n)
    for b = 0, batch - 1 do hip.memcpy(p + b * bytes, one, bytes) end
  else
    local column = array.zeros(kind, n + 1)
    hip.memset(p, 0, bytes * batch)
    column:fill(1)
    for j = 0, n - 1 do hip.memcpy(p + (bytes / n + bytes / n / n) * j, column, bytes / n / n) end
  end
  return p
end

-- Each function returns a call in C order, the name and the arguments of the same call by name, the memory, and the
-- graph if the call launches one.
local ops, none = {}, rocblas.operation_none

for kind, name in pairs { d = "dgemm", s = "sgemm" } do
  ops[name] = function(handle, n, batch)
    local a, b = matrices(kind, n, batch), matrices(kind, n, batch)
    local c = hip.malloc((kind == "s" and 4 or 8) * n * n * batch)
    local fn, strided = rocblas[name], rocblas[name .. "_strided_batched"]
    local call = batch == 1 and function() fn(handle, none, none, n, n, n, 1, a, n, b, n, 0, c, n) end
      or function() strided(handle, none, none, n, n, n, 1, a, n, n * n, b, n, n * n, 0, c, n, n * n, batch) end
    return call, name, { m = n, n = n, k = n, alpha = 1, A = a, B = b, beta = 0, C = c }, { a, b, c }
  end
end

local function factors(n, batch)
  return matrices("d", n, batch), hip.malloc(4 * n * batch), hip.malloc(4 * batch)
end

function ops.dgetrf(handle, n, batch)
  local a, ipiv, info = factors(n, batch)
  local fn, strided = rocsolver.dgetrf, rocsolver.dgetrf_strided_batched
  local call = batch == 1 and function() fn(handle, n, n, a, n, ipiv, info) end
    or function() strided(handle, n, n, a, n, n * n, ipiv, n, info, batch) end
  return call, "dgetrf", { m = n, n = n, A = a, ipiv = ipiv, info = info }, { a, ipiv, info }
end

function ops.dgetrs(handle, n, batch)
  local a, ipiv, info = factors(n, batch)
  local b = hip.malloc(8 * n * batch)
  hip.memset(b, 0, 8 * n * batch)
  rocsolver.dgetrf_strided_batched(handle, n, n, a, n, n * n, ipiv, n, info, batch)
  local fn, strided = rocsolver.dgetrs, rocsolver.dgetrs_strided_batched
  local call = batch == 1 and function() fn(handle, none, n, 1, a, n, ipiv, b, n) end
    or function() strided(handle, none, n, 1, a, n, n * n, ipiv, n, b, n, n, batch) end
  return call, "dgetrs", { n = n, nrhs = 1, A = a, ipiv = ipiv, B = b }, { a, ipiv, info, b }
end

-- A graph that has the product. A launch cannot be prepared.
function ops.dgemm_graph(handle, n, batch)
  local call, _, _, memory = ops.dgemm(handle, n, batch)
  call()
  local stream = hip.stream_create()
  rocblas.set_stream(handle, stream)
  hip.stream_begin_capture(stream, hip.stream_capture_mode_global)
  call()
  local graph = hip.stream_end_capture(stream)
  rocblas.set_stream(handle, nil)
  local executable = hip.graph_instantiate(graph)
  hip.graph_destroy(graph)
  hip.stream_destroy(stream)
  local launch = hip.graph_launch
  return function() launch(executable, nil) end, nil, nil, memory, executable
end

return ops
