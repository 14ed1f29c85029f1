local hip, array = require "hip", require "array"

return {
  about = "a function of hip.launch_host_func runs after the earlier work of its stream and before the later work",

  run = function(t)
    local stream, other = t:stream(hip.stream_non_blocking), t:stream()
    local event = t:event()
    local bytes = 8
    local p = t:malloc(bytes)
    local before, after = array.zeros("i32", 2), array.zeros("i32", 2)

    -- A function reads what an earlier copy of its stream has written; later work waits for it.
    local order = {}
    hip.memset_async(p, 1, bytes, stream)
    hip.memcpy_async(before, p, bytes, hip.memcpy_device_to_host, stream)
    hip.launch_host_func(stream, function(name) order[#order + 1] = name .. " " .. before[1] end, "first")
    hip.memset_async(p, 0, bytes, stream)
    hip.launch_host_func(stream, function(name) order[#order + 1] = name end, "second")
    hip.memcpy_async(after, p, bytes, hip.memcpy_device_to_host, stream)
    hip.stream_synchronize(stream)
    t:equal(table.concat(order, ", "), "first 16843009, second")
    t:equal(after[1], 0, "the later fill is done")

    -- Another stream waits for a function by an event, and every wait of the host runs it.
    local waits = {
      event = function() hip.event_synchronize(event) end,
      stream = function() hip.stream_synchronize(other) end,
      device = hip.device_synchronize,
      query = function() repeat until hip.stream_query(other) == hip.success end,
      copy = function() hip.memcpy(before, p, bytes, hip.memcpy_device_to_host) end,
      free = function() hip.free(hip.malloc(8)) end,
    }
    for name, wait in pairs(waits) do
      local ran = 0
      hip.launch_host_func(stream, function() ran = ran + 1 end)
      hip.event_record(event, stream)
      hip.stream_wait_event(other, event)
      hip.memset_async(p, 2, bytes, other)
      wait()
      t:equal(ran, 1, name .. " waits for the function")
      hip.device_synchronize()
    end

    -- More functions and fills than a queue of the device has room for.
    local count = 0
    for _ = 1, 1500 do
      hip.launch_host_func(stream, function() count = count + 1 end)
      hip.memset_async(p, 3, bytes, stream)
    end
    hip.stream_synchronize(stream)
    t:equal(count, 1500)

    -- The function cannot call HIP. Its errors are the errors of the call that waited.
    local status
    hip.launch_host_func(stream, function() status = select(2, hip.try.malloc(8)) end)
    hip.launch_host_func(stream, function() error("no data") end)
    local ok, err = pcall(hip.stream_synchronize, stream)
    t:equal(status, hip.error_not_permitted)
    t:check(not ok and tostring(err):find("no data", 1, true), "the error of the function: " .. tostring(err))
    hip.stream_synchronize(stream)
  end,
}
