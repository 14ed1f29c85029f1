local sizes = { s = 4, d = 8, c = 8, z = 16, f16 = 2, bf16 = 2, i8 = 1, i32 = 4, i64 = 8 }
local most, most_integers = 2^24, 2^20 -- bytes of a host array; larger arrays repeat it

-- Values of one problem: random numbers with a dominant diagonal, so that factorizations succeed, or 1, 2, 3, ... as
-- pivots and integers.
local function values_of(a)
  local integers = a.kind:sub(1, 1) == "i"
  local count = math.max(1, math.floor(math.min(a.bytes, integers and most_integers or most) / sizes[a.kind]))
  if integers then
    local values = array.zeros(a.kind, count)
    for i = 1, count do values[i] = a.kind == "i8" and i % 100 or i end
    return values
  end
  local values = array.random(a.kind, count)
  for i = 0, (a.order or 0) - 1 do
    local at = i * (a.ld + 1) + 1
    if at > count then break end
    values[at] = 2 * a.order
  end
  return values
end

-- Device memory with the problems of an array, or a list of pointers to them.
local function allocate(a, keep)
  local problems = a.problems or 1
  local distance = a.pointers and math.ceil(a.bytes / 256) * 256 or a.distance or 0
  local memory = keep(hip.malloc(math.max(64, a.bytes + (problems - 1) * distance)))
  if a.kind and a.bytes > 0 then
    local values = values_of(a)
    local held = math.min(a.bytes, #values * sizes[a.kind])
    for b = 0, problems - 1 do
      for at = 0, a.bytes - 1, held do
        hip.memcpy(memory + (b * distance + at), values, math.min(held, a.bytes - at))
      end
    end
  else
    hip.memset(memory, 0, a.bytes)
  end
  return a.pointers and keep(hip.upload(array.pointers(memory, problems, distance))) or memory
end

local function measure(t, name, routine, args, arrays, rotate)
  local owned = {}
  local function keep(memory)
    owned[#owned + 1] = memory
    return memory
  end
  local ok, failed = pcall(function()
    for parameter, a in pairs(arrays) do
      if type(a) == "table" then args[parameter] = allocate(a, keep) end
    end
    for parameter, a in pairs(arrays) do
      if type(a) == "string" then args[parameter] = args[a] end
    end
    t:measure(name, { min_time = t.min_time, max_time = t.max_time, rotate = rotate, cold = t.cold },
      t.handle:prepare(routine, args))
  end)
  hip.device_synchronize()
  for _, memory in ipairs(owned) do hip.free(memory) end
  t:check(ok, name .. ": " .. tostring(failed))
end

return {
  about = about,
  tags = { "times" },
  params = { call = 0, min_time = 0.5, max_time = 5, cold = false }, -- call = 3 measures only the third
  schemes = { "managed" },
  run = function(t)
    t:check(t.call >= 0 and t.call <= #calls, "there are " .. #calls .. " calls")
    for i, call in ipairs(calls) do
      if t.call == 0 or t.call == i then
        measure(t, call[1], call[2], call[3], call[4], call.rotate)
      end
    end
  end,
}
