-- TestEveryAllocationFails wraps the bundled scenario NAME in this file: after the failure the handle must be usable.
local rocblas, hip = require "rocblas", require "hip"
local scenario = require "NAME"
local own = scenario.teardown

local function usable(t)
  local ok, handle = pcall(function() return t.handle end) -- opens it now if creation failed before
  t:check(ok, "the handle opens: " .. tostring(handle))
  if tostring(handle):find("destroyed", 1, true) then return end
  rocblas.try.stop_device_memory_size_query(handle) -- the failure can be inside a query
  rocblas.set_pointer_mode(handle, rocblas.pointer_mode_host)
  rocblas.set_stream(handle, nil)
  local held = rocblas.get_device_memory_size(handle)
  t:check(held >= 0, "the handle returns its size")
  t:check(handle:query(function(q) q:dasum { n = 1000 } end) > 0, "a size query works")
  t:equal(rocblas.get_device_memory_size(handle), held, "the query changes nothing")
  t:status(rocblas.status_success, rocblas.set_workspace(handle, nil, 0), "set_workspace works")
  local ones = {}
  for i = 1, 1000 do ones[i] = 1 end
  local x = hip.upload(require("array").of("d", ones))
  t:equal(rocblas.dasum(handle, 1000, x, 1), 1000, "dasum works")
  hip.free(x)
end

function scenario.teardown(t)
  t:metric("teardown", true)
  if own then own(t) end
  if t.scheme and hip.stats().injected == 1 and hip.try.device_synchronize().ok then usable(t) end
end

return scenario
