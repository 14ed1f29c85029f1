
-- The rest is the same for every application.

-- Reads "function name=value ... @array=bytes": arrays have a size, or problems*bytes for an array of pointers.
local function read(line)
  local call = { args = {}, arrays = {} }
  for word in line:gmatch("%S+") do
    local array_name, size = word:match("^@(%w+)=(%S+)$")
    local name, value = word:match("^([%w_]+)=(%S+)$")
    if array_name then
      local problems, bytes = size:match("^(%d+)%*(%d+)$")
      call.arrays[array_name] = { problems = tonumber(problems), bytes = tonumber(bytes or size) }
    elseif name then
      call.args[name] = tonumber(value)
    else
      local library, routine = word:match("^(%w+)%.([%w_]+)$")
      call.name = word
      call.run = (library == "rocblas" and rocblas or rocsolver)[routine]
    end
  end
  return call
end

local function calls_of(text)
  local list = {}
  for line in text:gmatch("[^\n]+") do list[#list + 1] = read(line) end
  return list
end

-- Calls f with each word of the order: "3*100" is call 3 a hundred times, "(1 2)*50" a group.
local function each(text, f)
  local function single(words)
    for word, times in words:gmatch("([%w.]+)%*?(%d*)") do
      for _ = 1, tonumber(times) or 1 do f(word) end
    end
  end
  for line in text:gmatch("[^\n]+") do
    local group, times = line:match("^%((.*)%)%*(%d+)$")
    for _ = 1, tonumber(times) or 1 do single(group or line) end
  end
end

-- Memory for the arrays of all calls: one block for each name, as large as any call needs.
local function allocate(t, list)
  local blocks, most, pointers = {}, {}, {}
  for _, call in ipairs(list) do
    for name, a in pairs(call.arrays) do
      most[name] = math.max(most[name] or 0, (a.problems or 1) * a.bytes)
    end
  end
  for name, bytes in pairs(most) do
    blocks[name] = t:malloc(bytes)
    hip.memset(blocks[name], 0, bytes)
  end
  for _, call in ipairs(list) do
    for name, a in pairs(call.arrays) do
      local address = blocks[name]
      if a.problems then
        local key = name .. a.problems .. "*" .. a.bytes
        if not pointers[key] then
          pointers[key] = t:upload(array.pointers(blocks[name], a.problems, a.bytes))
        end
        address = pointers[key]
      end
      call.args[name] = address
    end
  end
end

-- The workspace of a call in bytes, nil if the model does not know it.
local function need_of(handle, call)
  local ok, bytes = pcall(handle.query, handle, function(q)
    call.args.handle = q
    call.run(call.args)
  end)
  return ok and bytes or nil
end

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
