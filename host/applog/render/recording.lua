-- Makes the steps of the order. A handle, a stream and an event have the numbers of the recording.
local steps = {}

function steps.g(_, device) hip.set_device(device) end -- the current device of the next steps

function steps.c(p, handle) -- creates a handle
  p.handles[handle], p.device[handle] = rocblas.create_handle(), hip.get_device()
  p.current = handle
end

function steps.h(p, handle) -- the next steps are of a handle
  if not p.handles[handle] then steps.c(p, handle) end
  p.current = handle
end

function steps.d(p) -- destroys it
  rocblas.destroy_handle(p.handles[p.current])
  p.handles[p.current] = nil
end

function steps.s(p, stream) rocblas.set_stream(p.handles[p.current], p:stream(stream)) end

function steps.w(p, bytes) -- a separate workspace for each handle and size, nil for 0 bytes
  local address
  if bytes > 0 then
    local key = p.current .. ":" .. bytes
    if not p.workspaces[key] then p.workspaces[key] = hip.malloc(bytes) end
    address = p.workspaces[key]
  end
  rocblas.set_workspace(p.handles[p.current], address, bytes)
end

function steps.m(p, bytes) rocblas.set_device_memory_size(p.handles[p.current], bytes) end
function steps.b(p, stream) p.streams[stream] = hip.stream_create() end
function steps.n(p, stream) p.streams[stream] = hip.stream_create(hip.stream_non_blocking) end
function steps.y(p, stream) hip.stream_synchronize(p:stream(stream)) end
function steps.z() hip.device_synchronize() end

function steps.r(p, event, stream)
  p.events[event] = p.events[event] or hip.event_create()
  hip.event_record(p.events[event], p:stream(stream))
end

function steps.a(p, stream, event)
  if p.events[event] then hip.stream_wait_event(p:stream(stream), p.events[event]) end
end

-- Lets kernels of a device use the arrays, which are on device 0.
local function share_memory(device)
  if device > 0 and hip.device_can_access_peer(device, 0) then hip.device_enable_peer_access(0) end
end

local function player()
  local p = { handles = {}, device = {}, streams = {}, events = {}, workspaces = {} }
  function p:stream(number)
    if number == 0 then return nil end
    if not self.streams[number] then steps.b(self, number) end
    return self.streams[number]
  end
  function p:close()
    for d = 0, devices - 1 do
      hip.set_device(d)
      hip.device_synchronize()
    end
    for _, handle in pairs(self.handles) do rocblas.destroy_handle(handle) end
    for _, stream in pairs(self.streams) do hip.stream_destroy(stream) end
    for _, event in pairs(self.events) do hip.event_destroy(event) end
    for _, address in pairs(self.workspaces) do hip.free(address) end
  end
  return p
end

return {
  about = about,
  params = { compute = false },
  schemes = { "managed" }, -- each handle has the workspaces of the recording
  run = function(t)
    if hip.get_device_count() < devices then t:skip("needs " .. devices .. " devices: --devices " .. devices) end
    local list, needs = calls_of(calls), {}
    for d = 0, devices - 1 do
      hip.set_device(d)
      local asking = rocblas.create_handle()
      needs[d] = {}
      for _, call in ipairs(list) do needs[d][call] = need_of(asking, call) end
      rocblas.destroy_handle(asking)
      share_memory(d)
    end
    hip.set_device(0)
    local compute = t.compute or t.platform == "amd"
    if compute then allocate(t, list) end

    local p, growths, failed, held, most = player(), 0, 0, {}, 0
    t:defer(p.close, p)
    local function made(call)
      local handle = p.handles[p.current]
      if compute then
        call.args.handle = handle
        return (pcall(call.run, call.args))
      end
      local need = needs[p.device[p.current]][call]
      if need and need > 0 then
        local allocation = handle:device_malloc(need)
        if allocation then allocation:release() end
        return allocation ~= nil
      end
      return true
    end
    local function note(is_call)
      local now = p.handles[p.current] and rocblas.get_device_memory_size(p.handles[p.current]) or 0
      if is_call and now > (held[p.current] or 0) then growths = growths + 1 end
      held[p.current] = now
      local sum = 0
      for _, bytes in pairs(held) do sum = sum + bytes end
      most = math.max(most, sum)
    end
    each(order, function(word)
      local step, first, second = word:match("^(%a)(%d*)%.?(%d*)$")
      if step then
        steps[step](p, tonumber(first), tonumber(second))
      elseif not made(list[tonumber(word)]) then
        failed = failed + 1
      end
      if p.current then note(not step) end
    end)
    t:metric("held_bytes", most, "bytes")
    t:metric("growths", growths)
    t:metric("recorded_growths", recorded_growths)
    t:metric("failed_calls", failed)
  end,
}
