-- show returns a value as text that is the same in every implementation.
function show(v)
  if type(v) == "number" then
    if v ~= v then return "nan" end
    if v == 1/0 then return "inf" elseif v == -1/0 then return "-inf" end
    if v == 0 and 1/v < 0 then return "-0" end
    return (string.format("%.17g", v))
  elseif type(v) == "string" then
    return '"' .. (v:gsub('[%c"\\\127-\255]', function(c) return ("\\%d"):format(c:byte()) end)) .. '"'
  elseif v == nil or type(v) == "boolean" then return tostring(v)
  end
  return type(v)
end
function results(ok, ...)
  if not ok then return "error" end
  local parts = {}
  for i = 1, select("#", ...) do parts[i] = show((select(i, ...))) end
  return table.concat(parts, " ")
end
function evaluate(source)
  local fn = loadstring("return " .. source, "=test")
  fn = fn or loadstring(source, "=test")
  if not fn then return "syntax error" end
  return results(pcall(fn))
end
