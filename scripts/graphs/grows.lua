local rocblas, rocsolver, hip = require "rocblas", require "rocsolver", require "hip"

-- Captures a function in a stream and returns the graph, or nil and the status with which the capture ended.
local function capture(t, stream, work)
  hip.stream_begin_capture(stream, hip.stream_capture_mode_global)
  local ok, err = pcall(work)
  local graph, status = hip.try.stream_end_capture(stream)
  if graph then t:defer(hip.graph_destroy, graph) end
  if not ok then error(err, 0) end
  return graph, status
end

local function new_stream(t)
  local stream = hip.stream_create_with_flags(hip.stream_non_blocking)
  t:defer(hip.stream_destroy, stream)
  return stream
end

-- The bytes that a graph allocates, one number for each allocation.
local function allocations(graph)
  local list = {}
  for _, node in ipairs(hip.graph_get_nodes(graph)) do
    if node.type == hip.graph_node_type_mem_alloc then list[#list + 1] = node.bytes end
  end
  return list
end

-- A call that needs a workspace: a triangular product, which copies x. cuBLAS copies nothing, but cuSOLVER's
-- factorization has a workspace.
local function work(t)
  local n = t.n
  local A = hip.malloc(8 * n * n)
  t:defer(hip.free, A)
  local x = hip.malloc(8 * n)
  t:defer(hip.free, x)
  hip.memset(A, 0, 8 * n * n)
  hip.memset(x, 0, 8 * n)
  if t.platform ~= "nvidia" then
    return function() return t.handle:dtrmv { uplo = rocblas.fill_lower, n = n, A = A, x = x } end
  end
  local info = hip.malloc(4)
  t:defer(hip.free, info)
  return function() return rocsolver.dgetrf { handle = t.handle, m = n, n = n, A = A, ipiv = x, info = info } end
end

local function is_stream_ordered(t)
  return t.scheme == "stream_ordered" or t.profile == "rocm-7.1" and t.scheme ~= "user_owned"
end

return {
  about   = "a managed handle that must grow destroys the capture; memory that is too small fails only the call",
  params  = { n = 512 },
  schemes = "any",

  run = function(t)
    local call = work(t)
    local stream = new_stream(t)
    t:defer(rocblas.set_stream, t.handle, nil)
    if t.scheme == "user_owned" then
      local small = hip.malloc(64)
      t:defer(hip.free, small)
      t:defer(rocblas.set_workspace, t.handle, nil, 0)
      rocblas.set_workspace(t.handle, small, 64)
    else
      local grows = t.scheme == "managed" or t.scheme == "stream_ordered"
      rocblas.set_device_memory_size(t.handle, grows and 0 or 64)
    end
    rocblas.set_stream(t.handle, stream)
    local status
    local graph, ended = capture(t, stream, function()
      local ok, err = pcall(call)
      status = ok and err or err.status
    end)
    t:metric("status", tostring(status))
    t:metric("capture", tostring(ended))
    if is_stream_ordered(t) then
      t:status(rocblas.status_success, status)
      t:equal(#allocations(graph), 1, "the workspace is allocated by each launch")
    elseif t.scheme == "managed" then
      t:status(rocblas.status_memory_error, status)
      t:equal(ended, hip.error_stream_capture_invalidated)
      t:equal(graph, nil, "there is no graph")
      call() -- the same call grows the memory while nothing is captured
      graph = capture(t, stream, function() status = call() end)
      t:status(rocblas.status_success, status)
      t:check(graph ~= nil, "the memory suffices now")
    else
      t:status(rocblas.status_memory_error, status)
      t:check(graph ~= nil, "the capture continues after the error")
    end
  end,
}
