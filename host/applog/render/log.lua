return {
  about = about,
  params = { compute = false },
  schemes = "any",
  run = function(t)
    local list = calls_of(calls)
    local asking = rocblas.create_handle()
    local most, unknown = 0, 0
    for _, call in ipairs(list) do
      call.need = need_of(asking, call)
      most, unknown = math.max(most, call.need or 0), unknown + (call.need and 0 or 1)
    end
    rocblas.destroy_handle(asking)
    t:metric("workspace_bytes", most, "bytes")
    t:metric("unknown_calls", unknown)

    local compute = t.compute or t.platform == "amd"
    if compute then allocate(t, list) end
    local managed = t.scheme == "managed"
    local handle = managed and t.handle or t:open { bytes = math.max(most, 64) }
    local function close() -- t closes its handle itself
      if handle ~= t.handle then rocblas.destroy_handle(handle) end
    end
    local held, changes, failed = rocblas.get_device_memory_size(handle), 0, 0
    local most_held = held
    each(order, function(word)
      local i = tonumber(word)
      if i == 0 then
        close()
        handle = managed and rocblas.create_handle() or t:open { bytes = math.max(most, 64) }
        held = rocblas.get_device_memory_size(handle)
        return
      end
      local call = list[i]
      if compute then
        call.args.handle = handle
        local ok = pcall(call.run, call.args)
        if not ok then failed = failed + 1 end
      elseif call.need and call.need > 0 then
        local allocation = handle:device_malloc(call.need)
        if allocation then allocation:release() else failed = failed + 1 end
      end
      local now = rocblas.get_device_memory_size(handle)
      if now ~= held then held, changes = now, changes + 1 end
      most_held = math.max(most_held, held)
    end)
    hip.device_synchronize()
    close()
    t:metric("held_bytes", most_held, "bytes")
    t:metric("growths", changes)
    t:metric("failed_calls", failed)
  end,
}
