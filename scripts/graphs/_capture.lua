-- What the scenarios of this folder share: streams, captures, and calls that have a workspace.
local rocblas, rocsolver, hip = require "rocblas", require "rocsolver", require "hip"

local M = {}

-- Returns a stream that does not wait for the null stream.
function M.stream(t) return t:stream(hip.stream_non_blocking) end

-- Captures a function in a stream and returns the graph, or nil and the status of the end of the capture.
function M.graph(t, stream, work)
  hip.stream_begin_capture(stream, hip.stream_capture_mode_global)
  local ok, err = pcall(work)
  local graph, status = hip.try.stream_end_capture(stream)
  if graph then t:defer(hip.graph_destroy, graph) end
  if not ok then error(err, 0) end
  return graph, status
end

-- Returns the executable graph of a graph.
function M.instantiate(t, graph)
  local exec = hip.graph_instantiate(graph)
  t:defer(hip.graph_exec_destroy, exec)
  return exec
end

-- Returns a matrix of order n and a vector, both zero.
local function operands(t)
  local n = t.n
  local A = t:malloc(8 * n * n)
  local x = t:malloc(8 * n)
  hip.memset(A, 0, 8 * n * n)
  hip.memset(x, 0, 8 * n)
  return A, x
end

-- Captures a triangular product in a stream and returns the executable graph. Each product has its own vector.
function M.product(t, handle, stream)
  local A, x = operands(t)
  rocblas.set_stream(handle, stream)
  hip.stream_begin_capture(stream, hip.stream_capture_mode_relaxed)
  local ok, err = pcall(handle.dtrmv, handle, { uplo = rocblas.fill_lower, n = t.n, A = A, x = x })
  local graph = hip.stream_end_capture(stream)
  t:defer(hip.graph_destroy, graph)
  if not ok then error(err, 0) end
  return M.instantiate(t, graph)
end

-- Returns a call that needs a workspace: a triangular product, which copies x. cuBLAS copies nothing, but cuSOLVER's
-- factorization has a workspace.
function M.call(t)
  local n = t.n
  local A, x = operands(t)
  if t.platform ~= "nvidia" then
    return function() return t.handle:dtrmv { uplo = rocblas.fill_lower, n = n, A = A, x = x } end
  end
  local info = t:malloc(4)
  return function() return rocsolver.dgetrf { handle = t.handle, m = n, n = n, A = A, ipiv = x, info = info } end
end

-- Returns the bytes that a graph allocates, one number for each allocation.
function M.allocations(graph)
  local list = {}
  for _, node in ipairs(hip.graph_get_nodes(graph)) do
    if node.type == hip.graph_node_type_mem_alloc then list[#list + 1] = node.bytes end
  end
  return list
end

-- Reports whether calls allocate their workspace in the order of the stream.
function M.is_stream_ordered(t)
  return t.scheme == "stream_ordered" or t.profile == "rocm-7.1" and t.scheme ~= "user_owned"
end

return M
