local rocblas, rocsolver, hip, array = require "rocblas", require "rocsolver", require "hip", require "array"

-- Scenarios about what the libraries do while a stream is captured.

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

-- A triangular product, which needs memory for a copy of x.
local function product(t, handle)
  local n = t.n
  local A = hip.malloc(8 * n * n)
  t:defer(hip.free, A)
  local x = hip.malloc(8 * n)
  t:defer(hip.free, x)
  hip.memset(A, 0, 8 * n * n)
  hip.memset(x, 0, 8 * n)
  return function(h) return (h or handle):dtrmv { uplo = rocblas.fill_lower, n = n, A = A, x = x } end
end

local function is_stream_ordered(t)
  return t.scheme == "stream_ordered" or t.profile == "rocm-7.1" and t.scheme ~= "user_owned"
end

return {
  {
    name    = "fits",
    about   = "a call whose workspace fits is captured under each scheme; in stream order its workspace is in the graph",
    params  = { n = 512 },
    schemes = "any",
    run = function(t)
      local multiply = product(t, t.handle)
      local stream = new_stream(t)
      t:defer(rocblas.set_stream, t.handle, nil)
      rocblas.set_stream(t.handle, stream)
      local status
      local graph = capture(t, stream, function() status = multiply() end)
      t:status(rocblas.status_success, status)
      local bytes = allocations(graph)
      t:metric("allocations", #bytes)
      if is_stream_ordered(t) then
        t:equal(#bytes, 1, "the workspace is allocated by each launch")
        t:equal(bytes[1], t.handle:query(multiply))
      else
        t:equal(#bytes, 0, "the workspace of the handle is used")
      end
      local exec = hip.graph_instantiate(graph)
      t:defer(hip.graph_exec_destroy, exec)
      for _ = 1, 3 do hip.graph_launch(exec, stream) end
      hip.stream_synchronize(stream)
    end,
  }, {
    name    = "grows",
    about   = "a managed handle that must grow destroys the capture; memory that is too small fails only the call",
    params  = { n = 512 },
    schemes = "any",
    run = function(t)
      local multiply = product(t, t.handle)
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
        local ok, err = pcall(multiply)
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
        multiply() -- the same call grows the memory while nothing is captured
        graph = capture(t, stream, function() status = multiply() end)
        t:status(rocblas.status_success, status)
        t:check(graph ~= nil, "the memory suffices now")
      else
        t:status(rocblas.status_memory_error, status)
        t:check(graph ~= nil, "the capture continues after the error")
      end
    end,
  }, {
    name    = "creates",
    about   = "creating a handle during a capture destroys the capture, unless its memory is stream-ordered",
    schemes = { "managed", "stream_ordered" },
    run = function(t)
      os.setenv("ROCBLAS_STREAM_ORDER_ALLOC", t.scheme == "stream_ordered" and "1" or "0")
      local stream = new_stream(t)
      local handle, status
      local graph, ended = capture(t, stream, function()
        handle, status = rocblas.try.create_handle()
        if handle then t:defer(rocblas.destroy_handle, handle) end
      end)
      t:metric("status", tostring(status))
      if is_stream_ordered(t) then
        t:status(rocblas.status_success, status)
        t:check(graph ~= nil, "the capture continues")
      else
        t:status(rocblas.status_internal_error, status)
        t:equal(ended, hip.error_stream_capture_invalidated)
      end
    end,
  }, {
    name    = "reduces",
    about   = "a reduction to the host destroys the capture under every scheme; a reduction to device memory does not",
    params  = { n = 1000 },
    schemes = { "managed", "preallocated", "manual", "user_owned" },
    run = function(t)
      if is_stream_ordered(t) then
        t:skip("the library ends the process: its stream-ordered workspace cannot be freed after the error")
      end
      local x = hip.malloc(8 * t.n)
      t:defer(hip.free, x)
      hip.memset(x, 0, 8 * t.n)
      local result = hip.malloc(8)
      t:defer(hip.free, result)
      local stream = new_stream(t)
      t:defer(rocblas.set_stream, t.handle, nil)
      rocblas.set_stream(t.handle, stream)
      local status
      local graph, ended = capture(t, stream, function()
        local _
        _, status = rocblas.try.dasum(t.handle, t.n, x, 1)
      end)
      t:status(rocblas.status_internal_error, status)
      t:equal(ended, hip.error_stream_capture_invalidated)
      t:defer(rocblas.set_pointer_mode, t.handle, rocblas.pointer_mode_host)
      rocblas.set_pointer_mode(t.handle, rocblas.pointer_mode_device)
      graph = capture(t, stream, function() status = rocblas.dasum(t.handle, t.n, x, 1, result) end)
      t:status(rocblas.status_success, status)
      t:check(graph ~= nil, "the sum is in device memory")
    end,
  }, {
    name    = "switches",
    about   = "set_stream asks whether streams are captured; switching to a third stream destroys a global capture",
    schemes = { "managed" },
    run = function(t)
      local captured, other, third = new_stream(t), new_stream(t), new_stream(t)
      t:defer(rocblas.set_stream, t.handle, nil)
      local graph, ended = capture(t, captured, function()
        rocblas.set_stream(t.handle, captured)
        rocblas.set_stream(t.handle, other)
      end)
      t:check(graph ~= nil, "one of the two streams is captured, so that no stream is queried")
      graph, ended = capture(t, captured, function() rocblas.set_stream(t.handle, third) end)
      t:equal(graph, nil, "the library queries the third stream")
      t:equal(ended, hip.error_stream_capture_invalidated)
      graph = capture(t, captured, function() rocblas.set_stream(t.handle, nil) end)
      t:check(graph ~= nil, "the null stream is not queried")
    end,
  }, {
    name    = "factorizes",
    about   = "an LU factorization is captured, and each launch factorizes the matrix that the memory holds then",
    params  = { n = 200 },
    schemes = "any",
    tags    = "numbers",
    run = function(t)
      local n = t.n
      local original, factored = array.diagonally_dominant("d", n), array.zeros("d", n, n)
      local pivots = array.zeros("i32", n)
      local A = hip.malloc(8 * n * n)
      t:defer(hip.free, A)
      local ipiv = hip.malloc(4 * n)
      t:defer(hip.free, ipiv)
      local info = hip.malloc(4)
      t:defer(hip.free, info)
      local stream = new_stream(t)
      t:defer(rocblas.set_stream, t.handle, nil)
      rocblas.set_stream(t.handle, stream)
      local status
      local graph = capture(t, stream, function()
        hip.memcpy_async(A, original, 8 * n * n, hip.memcpy_host_to_device, stream)
        status = rocsolver.dgetrf { handle = t.handle, m = n, n = n, A = A, ipiv = ipiv, info = info }
        hip.memcpy_async(factored, A, 8 * n * n, hip.memcpy_device_to_host, stream)
        hip.memcpy_async(pivots, ipiv, 4 * n, hip.memcpy_device_to_host, stream)
      end)
      t:status(rocblas.status_success, status)
      local exec = hip.graph_instantiate(graph)
      t:defer(hip.graph_exec_destroy, exec)
      for i = 1, 2 do
        original[i] = original[i] + i
        hip.graph_launch(exec, stream)
        hip.stream_synchronize(stream)
        t:check(array.lu_residual(original, factored, pivots) < 1e-12, "launch " .. i)
      end
    end,
  },
}
