
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

