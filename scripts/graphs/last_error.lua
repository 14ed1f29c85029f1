local hip = require "hip"

-- Makes a call that fails.
local function fail()
  local _, status = hip.try.malloc(2 ^ 50)
  return status
end

return {
  about   = "hipGetLastError returns the latest error since HIP 7.0, before it the result of the latest call",
  source  = "HIP 7.0 API changes: hipGetLastError",
  schemes = { "managed" },

  run = function(t)
    hip.get_last_error()
    local failed = fail()
    t:equal(hip.peek_at_last_error(), failed)
    t:equal(hip.peek_at_last_error(), failed, "the first call left the error")
    t:equal(hip.get_last_error(), failed)
    t:equal(hip.get_last_error(), hip.success, "the first call reset the error")

    fail()
    hip.free(nil)
    local after = hip.get_last_error()
    t:metric("after_success", tostring(after))
    if t.profile == "rocm-6.4" then
      t:equal(after, hip.success, "the success of hip.free is the latest result")
    else
      t:equal(after, failed, "the success of hip.free leaves the error")
    end
  end,
}
