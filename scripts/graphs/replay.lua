local rocblas, hip = require "rocblas", require "hip"

-- Scenarios about launches of graphs whose calls use the workspace of a handle. Only the simulated device finds what is
-- wrong with them; on another one they would use memory that is not theirs.

local function new_stream(t)
  local stream = hip.stream_create_with_flags(hip.stream_non_blocking)
  t:defer(hip.stream_destroy, stream)
  return stream
end

-- Captures a triangular product in a stream and returns the executable graph. Each product has its own vector.
local function capture(t, handle, stream)
  local n = t.n
  local A = hip.malloc(8 * n * n)
  t:defer(hip.free, A)
  local x = hip.malloc(8 * n)
  t:defer(hip.free, x)
  hip.memset(A, 0, 8 * n * n)
  hip.memset(x, 0, 8 * n)
  rocblas.set_stream(handle, stream)
  hip.stream_begin_capture(stream, hip.stream_capture_mode_relaxed)
  local ok, err = pcall(handle.dtrmv, handle, { uplo = rocblas.fill_lower, n = n, A = A, x = x })
  local graph = hip.stream_end_capture(stream)
  t:defer(hip.graph_destroy, graph)
  if not ok then error(err, 0) end
  local exec = hip.graph_instantiate(graph)
  t:defer(hip.graph_exec_destroy, exec)
  return exec
end

local function is_stream_ordered(t)
  return t.scheme == "stream_ordered" or t.profile == "rocm-7.1" and t.scheme ~= "user_owned"
end

return {
  {
    name      = "replaced",
    about     = "a launch uses the workspace of the capture, also when the handle has another one or none by then",
    platforms = "cpu",
    profiles  = "rocm-",
    tags      = "hazards",
    params    = { n = 512 },
    schemes   = { "managed", "manual", "stream_ordered" },
    run = function(t)
      local stream = new_stream(t)
      t:defer(rocblas.set_stream, t.handle, nil)
      local exec = capture(t, t.handle, stream)
      hip.graph_launch(exec, stream)
      hip.stream_synchronize(stream)
      t:equal(#hip.hazards(), 0)
      rocblas.set_device_memory_size(t.handle, 4096) -- frees the workspace
      hip.graph_launch(exec, stream)
      local found = hip.hazards()
      t:metric("hazards", #found)
      if is_stream_ordered(t) then
        t:equal(#found, 0, "the graph allocates its workspace")
        return
      end
      t:equal(#found, 1)
      t:equal(found[1].earlier.since, "freed")
      t:equal(found[1].earlier.call, "hipFree")
      t:equal(found[1].later.call, "rocblas_dtrmv")
      t:raises(hip.error_illegal_address, hip.stream_synchronize, stream)
    end,
  }, {
    name      = "freed",
    about     = "a launch uses a user-owned workspace that the user has freed since the capture",
    platforms = "cpu",
    profiles  = "rocm-",
    tags      = "hazards",
    params    = { n = 512 },
    schemes   = { "managed" },
    run = function(t)
      local workspace = hip.malloc(8192)
      local release = function() if workspace then hip.free(workspace) end workspace = nil end
      t:defer(release)
      rocblas.set_workspace(t.handle, workspace, 8192)
      local stream = new_stream(t)
      t:defer(rocblas.set_stream, t.handle, nil)
      local exec = capture(t, t.handle, stream)
      rocblas.set_workspace(t.handle, nil, 0)
      hip.graph_launch(exec, stream)
      hip.stream_synchronize(stream)
      t:equal(#hip.hazards(), 0, "the graph still uses the old workspace, which is allocated")
      release()
      hip.graph_launch(exec, stream)
      local found = hip.hazards()
      t:equal(#found, 1)
      t:equal(found[1].earlier.since, "freed")
      t:raises(hip.error_illegal_address, hip.stream_synchronize, stream)
    end,
  }, {
    name      = "destroyed",
    about     = "a launch uses the workspace of a handle that was destroyed since the capture",
    platforms = "cpu",
    profiles  = "rocm-",
    tags      = "hazards",
    params    = { n = 512 },
    schemes   = { "managed", "stream_ordered" },
    run = function(t)
      os.setenv("ROCBLAS_STREAM_ORDER_ALLOC", t.scheme == "stream_ordered" and "1" or "0")
      local handle = rocblas.create_handle()
      local destroy = function() if handle then rocblas.destroy_handle(handle) end handle = nil end
      t:defer(destroy)
      local stream = new_stream(t)
      local exec = capture(t, handle, stream)
      hip.device_synchronize()
      hip.graph_launch(exec, stream)
      hip.stream_synchronize(stream)
      destroy()
      hip.graph_launch(exec, stream)
      local found = hip.hazards()
      if is_stream_ordered(t) then
        t:equal(#found, 0, "the graph allocates its workspace")
      else
        t:equal(#found, 1)
        t:equal(found[1].earlier.since, "freed")
        t:raises(hip.error_illegal_address, hip.stream_synchronize, stream)
      end
    end,
  }, {
    name      = "overlaps",
    about     = "launches of one graph in two streams overlap, under every scheme, unless the second waits",
    platforms = "cpu",
    profiles  = "rocm-",
    tags      = "hazards",
    params    = { n = 512 },
    schemes   = { "managed", "manual", "user_owned", "stream_ordered" },
    run = function(t)
      local first, second = new_stream(t), new_stream(t)
      local event = hip.event_create()
      t:defer(hip.event_destroy, event)
      t:defer(rocblas.set_stream, t.handle, nil)
      local exec = capture(t, t.handle, first)
      hip.device_synchronize()
      hip.graph_launch(exec, first)
      hip.event_record(event, first)
      hip.stream_wait_event(second, event)
      hip.graph_launch(exec, second)
      t:equal(#hip.hazards(), 0, "the second launch waits for the first one")
      hip.device_synchronize()
      hip.graph_launch(exec, first)
      hip.graph_launch(exec, second)
      local found = hip.hazards()
      t:check(#found > 0, "HIP does not order the launches")
      t:equal(found[1].earlier.call, is_stream_ordered(t) and "hipFreeAsync" or "rocblas_dtrmv")
      hip.device_synchronize()
    end,
  }, {
    name      = "shares",
    about     = "two graphs that were captured with one handle share its workspace, unless it is stream-ordered",
    platforms = "cpu",
    profiles  = "rocm-",
    tags      = "hazards",
    params    = { n = 512 },
    schemes   = { "managed", "manual", "user_owned", "stream_ordered" },
    run = function(t)
      local first, second = new_stream(t), new_stream(t)
      t:defer(rocblas.set_stream, t.handle, nil)
      local one = capture(t, t.handle, first)
      local two = capture(t, t.handle, second)
      hip.device_synchronize()
      hip.graph_launch(one, first)
      hip.graph_launch(two, second)
      local found = hip.hazards()
      t:metric("hazards", #found)
      t:equal(#found, is_stream_ordered(t) and 0 or 1)
      hip.device_synchronize()
    end,
  },
}
