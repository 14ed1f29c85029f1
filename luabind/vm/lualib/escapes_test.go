package lualib_test

// escape is a script that tries to leave the sandbox. It prints ESCAPED if it succeeds.
type escape struct{ group, name, body string }

// escapes are known ways out of Lua sandboxes, and others that look likely. OUTSIDE is a folder next to the script's
// with a file secret.lua. The script's folder has links and special files that lead there.
var escapes = []escape{
	{"files", "io.open", `attempt(io.open, OUTSIDE .. "/secret.lua")`},
	{"files", "io.open to write", `attempt(io.open, OUTSIDE .. "/canary", "w")`},
	{"files", "io.lines", `attempt(io.lines, OUTSIDE .. "/secret.lua")`},
	{"files", "io.input and io.read", `attempt(io.input, OUTSIDE .. "/secret.lua") attempt(io.read, "*a")`},
	{"files", "io.output", `attempt(io.output, OUTSIDE .. "/canary") io.write("x")`},
	{"files", "io.tmpfile", `attempt(io.tmpfile)`},
	{"files", "io.stdout", `if io.stdin then escaped("a stream") end attempt(io.stdout.read, io.stdout, "*a")
		attempt(io.stdout.close, io.stdout) attempt(io.stderr.seek, io.stderr, "set")`},
	{"files", "os.remove", `attempt(os.remove, OUTSIDE .. "/secret.lua")`},
	{"files", "os.rename", `attempt(os.rename, OUTSIDE .. "/secret.lua", OUTSIDE .. "/canary")`},
	{"files", "os.tmpname", `attempt(os.tmpname)`},
	{"files", "dofile of an absolute path", `attempt(dofile, OUTSIDE .. "/secret.lua")`},
	{"files", "dofile upwards", `attempt(dofile, "../outside/secret.lua")`},
	{"files", "dofile down and up", `attempt(dofile, "sub/../../outside/secret.lua")`},
	{"files", "dofile through a link to a file", `attempt(dofile, "link.lua")`},
	{"files", "dofile through a link to a folder", `attempt(dofile, "linked/secret.lua")`},
	{"files", "dofile through a link to the root", `attempt(dofile, "root" .. OUTSIDE .. "/secret.lua")`},
	{"files", "dofile without argument reads the input", `attempt(dofile)`},
	{"files", "loadfile of an absolute path", `attempt(loadfile, OUTSIDE .. "/secret.lua")`},
	{"files", "loadfile upwards", `attempt(loadfile, "../outside/secret.lua")`},
	{"files", "loadfile of a link", `attempt(loadfile, "link.lua")`},
	{"files", "loadfile with backslashes", `attempt(loadfile, "..\\outside\\secret.lua")`},
	{"files", "loadfile with a zero byte", `attempt(loadfile, "sub/mod.lua\0/../../../outside/secret.lua")`},
	{"files", "loadfile without argument reads the input", `attempt(loadfile)`},
	{"files", "loadfile of the machine's files", `attempt(loadfile, "/proc/self/environ") attempt(loadfile,
		"root/proc/self/environ")`},

	{"require", "an absolute path", `attempt(require, OUTSIDE .. "/secret")`},
	{"require", "upwards with slashes", `attempt(require, "../outside/secret")`},
	{"require", "upwards with dots", `attempt(require, "..outside.secret") attempt(require, "...outside.secret")`},
	{"require", "dots at the ends", `attempt(require, ".secret") attempt(require, "secret.") attempt(require,
		"sub..secret")`},
	{"require", "a link to a file", `attempt(require, "link")`},
	{"require", "an absolute link", `attempt(require, "absolute")`},
	{"require", "a link to a link", `attempt(require, "chain")`},
	{"require", "a link to a folder", `attempt(require, "linked.secret")`},
	{"require", "a link to the folder above", `attempt(require, "above.outside.secret")`},
	{"require", "a link to the root", `attempt(require, "root" .. OUTSIDE:gsub("/", ".") .. ".secret")`},
	{"require", "a link in a library folder", `attempt(require, "liblink")`},
	{"require", "a pipe that never ends", `attempt(require, "pipe")`},
	{"require", "a folder", `attempt(require, "folder")`},
	{"require", "backslashes and drives", `attempt(require, "..\\outside\\secret") attempt(require, "C:\\secret")`},
	{"require", "a zero byte", `attempt(require, "link\0x")`},
	{"require", "numbers and odd types", `attempt(require, nil) attempt(require, {}) attempt(require, print)
		attempt(require, 1) attempt(require, "")`},
	{"require", "modules of Lua", `for _, name in ipairs { "debug", "ffi", "channel", "jit", "posix", "lfs", "socket" }
		do attempt(require, name) end attempt(require("os").execute, "true")`},

	{"process", "os.execute", `attempt(os.execute, "touch " .. OUTSIDE .. "/canary")`},
	{"process", "io.popen", `attempt(function(command)
			local pipe = io.popen(command)
			pipe:read("*a") -- until the process has ended
			return pipe
		end, "touch " .. OUTSIDE .. "/canary")`},
	{"process", "os.exit", `attempt(os.exit, 0) attempt(os.exit)`},
	{"process", "environment read", `attempt(os.getenv, "VM_CANARY") attempt(os.getenv, "PATH")
		attempt(os.getenv, "HOME")`},
	{"process", "locale", `attempt(os.setlocale, "C")`},

	{"package", "package.loaded", `attempt(function() return package.loaded.os.execute("true") end)
		attempt(function() package.loaded.os = nil end) attempt(function() package.loaded.io = { open = print } end)
		if require("io") ~= io then escaped("a module of that name") end`},
	{"package", "package.loaders", `attempt(function() return package.loaders end)`},
	{"package", "package.loadlib", `attempt(function() return package.loadlib("libc.so.6", "system") end)`},
	{"package", "package.preload", `attempt(function() return package.preload end)`},
	{"package", "package.path", `attempt(function() package.path = OUTSIDE .. "/?.lua" return require("secret")
		end)`},
	{"package", "module", `attempt(module, "stolen", package and package.seeall) if stolen then escaped("module")
		end`},
	{"package", "a table of that name", `package = { loaded = {}, path = OUTSIDE .. "/?.lua", loaders = {} }
		attempt(require, "secret")`},

	{"debug", "debug", `if debug then escaped("debug") end`},
	{"debug", "getregistry", `attempt(function() return debug.getregistry() end)`},
	{"debug", "getinfo", `attempt(function() return debug.getinfo(1) end)`},
	{"debug", "getupvalue", `attempt(function() return debug.getupvalue(require, 1) end)`},
	{"debug", "sethook", `attempt(function() debug.sethook(function() end, "l") return true end)`},
	{"debug", "setmetatable", `attempt(function() return debug.setmetatable("", {}) end)`},
	{"debug", "_printregs", `attempt(function() return _printregs end)`},

	{"code", "string.dump", `attempt(function() return string.dump(function() end) end)`},
	{"code", "bytecode by loadstring", `attempt(loadstring, "\27Lua\81\0\1\4\4\4\8\0")`},
	{"code", "bytecode by load", `local done attempt(load, function() if not done then done = true return "\27LuaQ"
		end end)`},
	{"code", "bytecode behind a shebang", `attempt(loadstring, "#!lua\n\27Lua\81")`},
	{"code", "deep parentheses", `pcall(loadstring, "return " .. ("("):rep(1e5) .. "1" .. (")"):rep(1e5))`},
	{"code", "deep blocks", `pcall(loadstring, ("do "):rep(1e5) .. ("end "):rep(1e5))`},
	{"code", "deep functions", `pcall(loadstring, ("return function() "):rep(5e4) .. ("end "):rep(5e4))`},
	{"code", "long chains of operators", `pcall(loadstring, "return " .. ("-"):rep(1) .. ("not "):rep(2e5) .. "1")
		pcall(loadstring, "return " .. ("1+"):rep(3e5) .. "1") pcall(loadstring, "return " .. ("1 .. "):rep(1e5) ..
		"1")`},
	{"code", "deep tables", `pcall(loadstring, "return " .. ("{"):rep(4e5) .. ("}"):rep(4e5))`},
	{"code", "an endless source", `pcall(load, function() return "local a = 1 " end)`},
	{"code", "more locals than there are registers", `local s = {} for i = 1, 300 do s[i] = "local a" .. i .. " = "
		.. i end pcall(loadstring, table.concat(s, "\n"))`},
	{"code", "more constants than fit", `local s = {} for i = 1, 60000 do s[i] = "x=" .. i .. ".5" end
		pcall(loadstring, table.concat(s, " "))`},

	{"environment", "getfenv", `attempt(function() return getfenv(0) end) attempt(function() return
		getfenv(require) end)`},
	{"environment", "setfenv", `attempt(function() return setfenv(1, {}) end) attempt(function() return
		setfenv(print, {}) end)`},
	{"environment", "newproxy", `attempt(function() return newproxy(true) end)`},
	{"environment", "_G replaced", `_G = nil setmetatable(({}), {}) local ok = pcall(function() return
		os.getenv("PATH") end)`},
	{"environment", "metatable of the globals", `setmetatable(_G, { __index = function(_, k) return nil end,
		__newindex = function() end }) attempt(function() return io.open("x") end)`},
	{"environment", "standard functions removed", `local g = _G for k in pairs(g) do if k ~= "print" then g[k] =
		nil end end`},
	{"environment", "standard functions replaced", `tostring, type, error, pcall, assert = nil, nil, nil, nil, nil`},

	{"metatables", "of strings", `if type(getmetatable("")) ~= "string" then escaped("the metatable of texts") end`},
	{"metatables", "of strings, set", `attempt(function() return setmetatable("", { __index = function() return
		"stolen" end }) end)`},
	{"metatables", "of strings, through string.__index", `if string.__index then escaped("string.__index") end`},
	{"metatables", "of numbers, booleans, functions", `for _, v in ipairs { 1, true, print } do if getmetatable(v)
		then escaped("a metatable") end end`},
	{"metatables", "string functions replaced", `string.rep = function() return "stolen" end string.format =
		string.rep table.concat = string.rep math.floor = string.rep coroutine.wrap = nil`},

	{"coroutines", "that resume one another without end", `local function f() return coroutine.wrap(f)() end
		pcall(f) local function g() return coroutine.resume(coroutine.create(g)) end g()`},
	{"coroutines", "that resume themselves", `local co co = coroutine.create(function() return coroutine.resume(co)
		end) coroutine.resume(co)`},
	{"coroutines", "dead coroutines", `local co = coroutine.wrap(function() end) co() pcall(co)`},
	{"coroutines", "yield outside of a coroutine", `attempt(coroutine.yield, "escaped")`},
	{"coroutines", "yield out of gsub", `local co = coroutine.create(function() ("x"):gsub("x", function()
		coroutine.yield() end) end) coroutine.resume(co) coroutine.resume(co)`},
	{"coroutines", "yield out of sort", `local co = coroutine.create(function() table.sort({ 3, 2, 1 }, function(a,
		b) coroutine.yield() return a < b end) end) for i = 1, 5 do coroutine.resume(co) end`},
	{"coroutines", "yield out of a metamethod", `local co = coroutine.create(function() return setmetatable({}, {
		__index = function() coroutine.yield(1) end }).x end) coroutine.resume(co) coroutine.resume(co)`},
	{"coroutines", "yield out of pcall", `local co = coroutine.create(function() pcall(coroutine.yield, 1)
		pcall(function() coroutine.yield(2) end) error("end") end) for i = 1, 5 do coroutine.resume(co) end`},
	{"coroutines", "yield out of load", `local co = coroutine.create(function() return load(function()
		coroutine.yield() end) end) for i = 1, 3 do coroutine.resume(co) end`},
	{"coroutines", "of Go functions", `for _, f in ipairs { print, require, string.rep, coroutine.yield, pcall } do
		local ok, co = pcall(coroutine.create, f) pcall(coroutine.resume, co) pcall(coroutine.resume, co)
		pcall(pcall(coroutine.wrap, f)) end`},
	{"coroutines", "wrong types", `attempt(coroutine.resume, {}) attempt(coroutine.wrap, 1)
		attempt(coroutine.status, nil) attempt(coroutine.create, "x")`},

	{"machine", "endless recursion", `local function f() return 1 + f() end for i = 1, 3 do pcall(f) end`},
	{"machine", "recursion through __index", `local t t = setmetatable({}, { __index = function(_, k) return t[k +
		1] end }) pcall(function() return t[1] end)`},
	{"machine", "recursion through pcall", `local function f() return pcall(f) end f() local function g() return
		xpcall(g, g) end g()`},
	{"machine", "recursion through gsub and sort", `local function f() return ("x"):gsub("x", f) end pcall(f) local
		function g() return table.sort({ 2, 1 }, g) end pcall(g)`},
	{"machine", "metatables in a circle", `local a, b = {}, {} setmetatable(a, { __index = b, __newindex = b })
		setmetatable(b, { __index = a, __newindex = a }) pcall(function() return a.x end) pcall(function() a.x = 1
		end)`},
	{"machine", "unpack of huge ranges", `pcall(unpack, {}, 1, 1e9) pcall(unpack, {}, 1, 1e300) pcall(unpack, {},
		-1e300, 1) pcall(function() return select("#", unpack({}, 1, 1e7)) end)`},
	{"machine", "string.byte and char of huge ranges", `pcall(string.byte, ("x"):rep(1e7), 1, -1)
		pcall(string.char, 256, -1, 1e300) pcall(string.byte, "x", -1e300, 1e300)`},
	{"machine", "string.rep of unusual counts", `for _, n in ipairs { -1, 0, 0.5, 1e300, -1e300, 0/0, 2^63, 2^31 }
		do pcall(string.rep, "", n) end attempt(string.rep, "x", -1e18 ) `},
	{"machine", "string.sub of unusual positions", `for _, n in ipairs { 0, 1e300, -1e300, 0/0, 2^63, -2^63 } do
		pcall(string.sub, "text", n, n) pcall(string.find, "text", "t", n) pcall(string.match, "text", "t", n) end`},
	{"machine", "invalid formats", `pcall(string.format, "%99999999d", 1) pcall(string.format, "%.99999999f", 1)
		pcall(string.format, ("%s"):rep(1000)) pcall(string.format, "%*d", 1, 1) pcall(string.format, "%")
		pcall(string.format, "%[1]d %n %p %v %T %w", 1)`},
	{"machine", "formats of unusual numbers", `for _, f in ipairs { "%d", "%x", "%c", "%u", "%i", "%o", "%e", "%g",
		"%q", "%s" } do for _, v in ipairs { 0/0, 1/0, -1/0, 1e300, {}, print } do pcall(string.format, f, v) end
		end`},
	{"machine", "broken patterns", `for _, p in ipairs { "%", "[", "[^", "[a", "[a-", "[%", "(", ")", "%b", "%bx",
		"%f", "%f[", "%1", "(%1)", "(()", "%9", "^*", "*", "$", "a$b", "()()", ("("):rep(40) } do
		pcall(string.find, "aaa", p) pcall(string.gsub, "aaa", p, "%9") pcall(string.match, "aaa", p)
		pcall(function() for _ in ("aaa"):gmatch(p) do end end) end`},
	{"machine", "unusual random numbers", `for _, n in ipairs { 0, -1, 0/0, 1e300, 2^63 } do pcall(math.random, n)
		pcall(math.random, n, n) pcall(math.random, -2^53, 2^53) pcall(math.randomseed, n) end`},
	{"machine", "errors that are not strings", `pcall(error) pcall(error, nil) pcall(error, {}) pcall(error,
		setmetatable({}, { __tostring = function() error("again") end })) pcall(error, print, 2) pcall(error, "x",
		1e300)`},
	{"machine", "failing handlers", `xpcall(error, function() error("again") end) xpcall(function()
		error(setmetatable({}, { __index = error })) end, function(e) return e.x.y end)`},
	{"machine", "collectgarbage", `for _, what in ipairs { "stop", "restart", "collect", "step", "setpause",
		"count", "nothing" } do pcall(collectgarbage, what, -1) end`},
	{"machine", "channels", `if channel then escaped("channels") end`},
	{"machine", "recursion through __tostring", `local t t = setmetatable({}, { __tostring = function() return
		tostring(t) end }) pcall(tostring, t) pcall(print, t)`},
	{"machine", "a metatable of itself", `local t = {} t.__index, t.__call, t.__concat, t.__eq, t.__lt, t.__len =
		t, t, t, t, t, t setmetatable(t, t) pcall(function() return t.x end) pcall(t) pcall(function() return t ..
		t end) pcall(function() return t < t, #t end)`},
	{"machine", "unusual table calls", `local t = {} pcall(table.insert, t, -5, 1) pcall(table.insert, t, 1e300, 1)
		pcall(table.insert, t, 0/0, 1) pcall(table.remove, t, -1) pcall(table.remove, t, 1e300) pcall(table.concat,
		t, "", -1e300, 1e300) pcall(table.concat, t, "", 1, 2^63) pcall(table.sort, { 1, "x", {} }) pcall(next, t,
		"nothing")`},
	{"machine", "unusual keys", `local t = {} pcall(function() t[nil] = 1 end) pcall(function() t[0/0] = 1 end)
		pcall(rawset, t, nil, 1) pcall(rawset, t, 0/0, 1) t[-1], t[0], t[2^53], t[1e300] = 1, 1, 1, 1`}}
