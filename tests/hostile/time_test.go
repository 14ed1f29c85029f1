//go:build linux

package hostile

// timeAttacks stay in the interpreter or in one function.
func timeAttacks() []attack {
	return []attack{
		{name: "loop", limit: "timeout", planned: true, body: `while true do end`},
		{name: "loop under an instruction limit", limit: "instructions", planned: true,
			set: map[string]string{"instructions": "1000000"}, body: `while true do end`},
		{name: "instructions in coroutines and callbacks", limit: "instructions", planned: true,
			set: map[string]string{"instructions": "1000000"}, body: `
			while true do coroutine.wrap(function() (("x"):rep(100)):gsub("x", function()
			  for i = 1, 1e3 do end end) end)()
			end`},
		{name: "pcall around an endless loop", limit: "timeout", planned: true, body: `
			while true do pcall(function() while true do end end) end`},
		{name: "coroutine that never ends", limit: "timeout", planned: true, body: `
			local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end`},
		{name: "class of a megabyte over a long text", limit: "timeout", planned: true, harmless: true,
			body: `(("x"):rep(1e6)):find("[" .. ("a"):rep(1e6) .. "]")`},
		{name: "negated class of a megabyte", limit: "timeout", planned: true, harmless: true, body: `
			(("x"):rep(1e6)):find("[^" .. ("a-z"):rep(3e5) .. "]")`},
		{name: "back references over a long text", limit: "timeout", planned: true, harmless: true, body: `
			(("x"):rep(1e6)):find("(x*)%1y")`},
		{name: "back references in sequence", limit: "timeout", planned: true, harmless: true, body: `
			(("x"):rep(1e5)):find("(x-)(x-)(x-)%1%2%3y")`},
		{name: "quantifiers that backtrack", limit: "timeout", planned: true, harmless: true, body: `
			(("a"):rep(5000)):find(("a*"):rep(30) .. "b")`},
		{name: "pattern of a megabyte of optional items", limit: "timeout", planned: true, harmless: true, body: `
			(("a"):rep(1e6)):find(("a?"):rep(5e5) .. ("a"):rep(1e6))`},
		{name: "balanced text that never closes", limit: "timeout", planned: true, harmless: true, body: `
			(("("):rep(1e6)):find("%b()x")`},
		{name: "frontier over a long text", limit: "timeout", planned: true, harmless: true, body: `
			(("a b "):rep(5e5)):gsub("%f[%a]%f[%s]", "")`},
		{name: "plain find of a long needle", limit: "timeout", planned: true, harmless: true, body: `
			local s = ("a"):rep(1e7) for i = 1, 100 do s:find(("a"):rep(5e6) .. "b", 1, true) end`},
		{name: "gmatch with an anchor in a long text", limit: "timeout", planned: true, harmless: true, body: `
			for _ in (("a"):rep(1e6)):gmatch("a-b") do end`},
		{name: "sort with an inconsistent comparator", limit: "timeout", planned: true, body: `
			local l = {} for i = 1, 1e5 do l[i] = i end
			while true do pcall(table.sort, l, function() return true end) end`},
		{name: "sort of a million equal values", limit: "timeout", planned: true, body: `
			local l = {} for i = 1, 5e5 do l[i] = 1 end while true do table.sort(l) end`},
		{name: "sort of long strings", limit: "timeout", planned: true, body: `
			local l = {} for i = 1, 500 do l[i] = ("x"):rep(1e5) .. i end while true do table.sort(l) end`},
		{name: "comparison of long strings", limit: "timeout", planned: true, body: `
			local a, b = ("x"):rep(2e7) .. "a", ("x"):rep(2e7) .. "b" while true do local _ = a < b or a == b end`},
		{name: "length of a table with a far border", limit: "timeout", planned: true, harmless: true, body: `
			local l = {} for i = 1, 1e6 do l[i] = i end for i = 1e6, 1, -1 do l[i] = nil local _ = #l end`},
		{name: "table.remove at the front", limit: "timeout", planned: true, harmless: true, body: `
			local l = {} for i = 1, 1e6 do l[i] = i end for i = 1, 1e6 do table.remove(l, 1) end`},
		{name: "table.insert at the front", limit: "timeout", planned: true, body: `
			local l = {} for i = 1, 1e9 do table.insert(l, 1, i) end`},
		{name: "table.maxn of a wide table", limit: "timeout", planned: true, harmless: true, body: `
			local l = {} for i = 1, 5e5 do l["k" .. i] = i end while true do table.maxn(l) end`},
		{name: "next over removed keys", limit: "timeout", planned: true, harmless: true, body: `
			local l = {} for i = 1, 3e5 do l["k" .. i] = 1 end
			while true do local k = next(l) if not k then break end l[k] = nil end while true do end`},
		{name: "unpack in a loop", limit: "timeout", planned: true, body: `
			local l = {} for i = 1, 200 do l[i] = i end while true do pcall(unpack, l, 1, 1e8) unpack(l) end`},
		{name: "tonumber of a long string", limit: "timeout", planned: true, harmless: true, body: `
			local s = ("9"):rep(3e7) while true do tonumber(s) tonumber(s, 16) end`},
		{name: "arithmetic on long strings", limit: "timeout", planned: true, harmless: true, body: `
			local s = ("9"):rep(3e7) while true do local _ = pcall(function() return s + s end) end`},
		{name: "numeric for over long strings", limit: "timeout", planned: true, harmless: true, body: `
			local s = ("9"):rep(1e7) for i = 1, 100 do pcall(function() for j = s, s do end end) end
			  while true do end`},
		{name: "load reader that yields small pieces", limit: "timeout", planned: true, harmless: true, body: `
			load(function() return " " end)`},
		{name: "load reader of long pieces", limit: "heap", planned: true, harmless: true, body: `
			local s = (" "):rep(2^22) load(function() return s end)`},
		{name: "load reader that raises late", limit: "timeout", planned: true, harmless: true, body: `
			for j = 1, 1e9 do local i = 0 pcall(load, function() i = i + 1 if i > 1000 then
			  error("x") end return " " end) end`},
		{name: "compilation of a wide expression", limit: "timeout", planned: true, harmless: true, body: `
			loadstring("return " .. ("1+"):rep(2e6) .. "1")`},
		{name: "compilation of a wide table", limit: "timeout", planned: true, harmless: true, body: `
			loadstring("return {" .. ("1,"):rep(2e6) .. "}")`},
		{name: "compilation of many locals and strings", limit: "timeout", planned: true, harmless: true, body: `
			local l = {} for i = 1, 2e5 do l[i] = "x='" .. i .. "'" end loadstring(table.concat(l, "\n"))`},
		{name: "compilation of a long comment and string", limit: "timeout", planned: true, harmless: true, body: `
			for i = 1, 100 do loadstring("--[[" .. ("x"):rep(1e7) .. "]] return '" .. ("\\n"):rep(1e6) .. "'") end`},
		{name: "compilation in a loop", limit: "timeout", planned: true, body: `
			while true do loadstring("local a = 1 return function() return a end") end`},
		{name: "random numbers in a loop", limit: "timeout", planned: true,
			body: `while true do math.random(1, 2^31) end`},
		{name: "collectgarbage in a loop", limit: "timeout", planned: true, body: `
			local l = {} for i = 1, 1e5 do l[i] = {} end while true do collectgarbage() end`},
		{name: "os.clock in a loop of callbacks", limit: "timeout", planned: true, body: `
			while true do (("x"):rep(1e4)):gsub("x", os.clock) end`},
		{name: "require of missing modules", limit: "timeout", planned: true, body: `
			for i = 1, 1e9 do pcall(require, "missing" .. i) end`},
		{name: "require of a name of a megabyte", limit: "timeout", planned: true, harmless: true, body: `
			for i = 1, 100 do pcall(require, ("x"):rep(1e6) .. i) end`},
		{name: "require of a name with many parts", limit: "timeout", planned: true, harmless: true, body: `
			for i = 1, 100 do pcall(require, ("x."):rep(5e5) .. i) end`},
		{name: "require of a module that never ends", limit: "timeout", planned: true,
			files: map[string]string{"slow.lua": `while true do end`}, body: `require "slow"`},
		{name: "require of a module that fails, in a loop", limit: "timeout", planned: true,
			files: map[string]string{"broken.lua": `error(("x"):rep(1e5))`},
			body:  `while true do pcall(require, "broken") end`},
		{name: "setmetatable and rawequal in a loop", limit: "timeout", planned: true, body: `
			while true do setmetatable({}, { __index = function() end }) rawequal({}, {}) end`},
		{name: "xpcall with a slow handler", limit: "timeout", planned: true, body: `
			xpcall(error, function() while true do end end)`},
		{name: "errors caught in a loop at depth", limit: "timeout", planned: true, body: `
			local function f(k) if k > 0 then return 1 + f(k - 1) end while true do pcall(error, {}) end end f(150)`},
	}
}
