local function check(name, have, want)
  if have ~= want then error(("%s: have %s, want %s"):format(name, tostring(have), tostring(want))) end
end
local function each(fs) local r = {} for i, f in ipairs(fs)
  do r[i] = tostring(f()) end return table.concat(r, " ") end
-- fresh locals
local fs = {} for i = 1, 3 do fs[i] = function() i = i + 1 return i end end
check("for", each(fs) .. each(fs), "2 3 43 4 5")
fs = {} for _, v in ipairs({"a", "b", "c"}) do fs[#fs + 1] = function() return v end end
check("for in", each(fs), "a b c")
fs = {} local i = 0 while i < 3 do i = i + 1 local j = i fs[i] = function() j = j * 2 return j end end
check("while", each(fs) .. each(fs), "2 4 64 8 12")
fs = {} i = 0 repeat i = i + 1 local j = i fs[i] = function() return j end until j == 3
check("repeat", each(fs), "1 2 3")
fs = {} for i = 1, 5 do local x = i fs[i] = function() return x end if i == 2 then break end end
do local y, z, w, v = 9, 9, 9, 9 end
check("break", each(fs), "1 2")
fs = {} i = 0 while true do i = i + 1 local x = i fs[i] = function() return x end if i == 3 then break end end
local p, q, r, s = 7, 7, 7, 7
check("break from while", each(fs), "1 2 3")
fs = {} i = 0 repeat i = i + 1 local x = i * 10 fs[i] = function() return x end if i == 2 then break end until false
local p2, q2, r2, s2 = 7, 7, 7, 7
check("break from repeat", each(fs), "10 20")
-- nested break
fs = {} for a = 1, 2 do for b = 1, 3 do local x = a * 10 + b fs[#fs + 1] = function() return x end
  if b == 2 then break end end end
check("nested break", each(fs), "11 12 21 22")
fs = {} for a = 1, 2 do local y = a for b = 1, 3 do
  local x = a * 10 + b fs[#fs + 1] = function() x = x + 1 y = y + 1 return x .. "," .. y end
  if b == 2 then break end end end
check("nested shared", each(fs), "12,2 13,3 22,3 23,4")
-- shared
local function counter()
  local n = 0
  return function() n = n + 1 return n end, function() return n end, function(v) n = v end
end
local inc, get, set = counter()
inc() inc() check("shared", get(), 2) set(10) check("shared set", inc(), 11)
local inc2, get2 = counter() inc2() check("separate", get2() .. get(), "111")
-- do blocks
local f do local x = 1 f = function() x = x + 1 return x end end
do local x = 100 end
check("do", f() + f(), 5)
-- parameters
local function param(a, b) return function() a = a + b return a end end
local g1, g2 = param(1, 1), param(10, 10)
check("params", g1() + g1() + g2(), 2 + 3 + 20)
-- upvalue of upvalue
local function outer() local x = 0 local function mid()
  local function inner() x = x + 1 return x end return inner end return mid(), mid() end
local i1, i2 = outer() i1() check("deep", i2(), 2)
-- recursion
local function fact(n) if n <= 1 then return 1 end return n * fact(n - 1) end
check("fact", fact(10), 3628800)
local fib fib = function(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
check("fib", fib(15), 610)
-- shadowing
local x = 1 do local x = x + 1 check("shadow", x, 2) local x = x + 1 check("shadow 2", x, 3) end
  check("shadow 3", x, 1)
local x = x + 10 check("shadow 4", x, 11)
-- repeat scope
local n = 0 repeat local done = n == 3 n = n + 1 until done check("repeat scope", n, 4)
-- closures in repeat until condition
fs = {} n = 0 repeat n = n + 1 local m = n fs[n] = function() m = m + 1 return m end until fs[n]() > 3
check("until closure", each(fs), "3 4 5")
-- varargs in closures
local function va(...) local a, b = ... return function() return a, b end end
check("va", select(2, va(1, 2)()), 2)
-- tail calls
local function loop(n) if n == 0 then return "done" end return loop(n - 1) end
check("tail", loop(100000), "done")
local function tailclose() local x = 5 local function get() return x end return (function(f) return f() end)(get) end
check("tail with closure", tailclose(), 5)
local keep local function tc2() local x = 5 keep = function() return x end return tostring(x) end tc2()
  local a1, a2, a3, a4, a5 = 1, 2, 3, 4, 5 check("tail host", keep(), 5)
-- after errors
local v = 0 local function bump() v = v + 1 end
pcall(function() bump() error() end) bump() check("error", v, 2)
xpcall(function() bump() error() end, function() bump() end) bump() check("xpcall", v, 5)
local esc pcall(function() local z = 1 esc = function() z = z + 1 return z end error() end)
  local z1, z2, z3 = 9, 9, 9 esc() check("escaped", esc(), 3)
xpcall(function() local z = 1 esc = function() z = z + 1 return z end error() end, function() esc() end)
  local y1, y2, y3 = 9, 9, 9 check("escaped xpcall", esc(), 3)
for i = 1, 3 do local c = 0 local function up() c = c + 1 end pcall(function() up() error() end) up()
  pcall(error) up() check("loop error " .. i, c, 3) end
-- in coroutines
local cv = 0
local co = coroutine.wrap(function() local l = 0 local function up() l = l + 1 cv = cv + 1 end
  pcall(function() up() error() end) up() coroutine.yield(l) pcall(error) up() return l end)
check("co 1", co(), 2) check("co 2", co(), 3) check("co 3", cv, 3)
local dead local dc = coroutine.create(function() local k = 1
  dead = function() k = k + 1 return k end error("x") end) coroutine.resume(dc) dead() check("dead", dead(), 3)
local susp local sc = coroutine.wrap(function() local k = 1
  susp = function() k = k + 1 return k end coroutine.yield() return k end) sc() susp() check("suspended",
  susp(), 3) check("resumed", sc(), 3) check("finished", susp(), 4)
-- method definitions, self
