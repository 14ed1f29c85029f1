local rocblas, hip, capture = require "rocblas", require "hip", require "_capture"

return {
  about   = "a workspace that is reset after each call: the next call must grow, which invalidates a capture",
  source  = "PyTorch, pull request 196920: the handle is left with rocblas_set_workspace(handle, nullptr, 0)",
  params  = { n = 512 },
  schemes = { "managed", "stream_ordered" },

  run = function(t)
    local handle, call = t.handle, capture.call(t)
    local need = handle:query(call)
    local workspace = t:malloc(need)
    local stream = capture.stream(t)
    t:defer(rocblas.set_stream, handle, nil)
    rocblas.set_stream(handle, stream)
    local status
    local function attempt()
      local ok, err = pcall(call)
      status = ok and err or err.status
    end

    -- The first workspace replaces the memory that a new handle holds, which is freed: not during a capture.
    rocblas.set_workspace(handle, workspace, need)
    local graph = capture.graph(t, stream, function()
      attempt()
      rocblas.set_workspace(handle, nil, 0)
    end)
    t:status(rocblas.status_success, status)
    t:equal(#capture.allocations(graph), 0, "the graph uses the workspace of the user")

    local without, ended = capture.graph(t, stream, attempt)
    t:metric("status", tostring(status))
    t:metric("capture", tostring(ended))
    if capture.is_stream_ordered(t) then
      t:status(rocblas.status_success, status)
      t:equal(#capture.allocations(without), 1, "each launch allocates the workspace")
      return
    end
    t:status(rocblas.status_memory_error, status)
    t:equal(ended, hip.error_stream_capture_invalidated)

    -- Outside of a capture the call allocates memory, and the next workspace frees it: both wait for the device.
    attempt()
    t:status(rocblas.status_success, status)
    t:check(rocblas.get_device_memory_size(handle) > need, "the handle holds memory again")
    rocblas.set_workspace(handle, workspace, need)
    t:equal(rocblas.get_device_memory_size(handle), need, "the handle freed it")
    rocblas.set_workspace(handle, nil, 0)
  end,
}
