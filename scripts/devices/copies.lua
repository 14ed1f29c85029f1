local hip, array = require "hip", require "array"

return {
  about  = "a matrix copied between two devices, in three ways, and used where it is with peer access",
  source = "HIP runtime API, Peer to peer device memory access",
  params = { n = 128 },

  run = function(t)
    if hip.get_device_count() < 2 then t:skip("needs two devices: --devices 2") end
    local n, bytes = t.n, 8 * t.n * t.n
    local matrix = array.random("d", n, n, t.seed)
    local A = t:upload(matrix)
    hip.set_device(1)
    local stream, event = t:stream(), t:event()
    local function has(address) t:compare(hip.download(array.zeros("d", n, n), address), matrix) end
    local ways = {
      function(to) hip.memcpy(to, A, bytes) end,
      function(to) hip.memcpy_peer(to, 1, A, 0, bytes) end,
      function(to)
        hip.memcpy_async(to, A, bytes, hip.memcpy_default, stream)
        hip.event_record(event, stream)
        hip.event_synchronize(event)
      end,
    }
    for _, way in ipairs(ways) do
      local copy = t:malloc(bytes)
      hip.memset(copy, 0, bytes)
      way(copy)
      has(copy)
    end

    if hip.device_can_access_peer(1, 0) then
      hip.device_enable_peer_access(0)
      t:equal(hip.try.device_enable_peer_access(0), hip.error_peer_access_already_enabled)
      local handle, copy = t:open {}, t:malloc(bytes)
      handle:dcopy { n = n * n, x = A, y = copy } -- a kernel of device 1 reads memory of device 0
      hip.device_synchronize()
      has(copy)
      hip.device_disable_peer_access(0)
      t:equal(hip.try.device_disable_peer_access(0), hip.error_peer_access_not_enabled)
    end
    hip.set_device(0)
  end,
}
