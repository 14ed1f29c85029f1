//go:build linux

package hostile

import "strings"

// textAttacks build or write large texts.
func textAttacks() []attack {
	return []attack{
		{name: "gsub with a replacement that repeats the match", limit: "heap", planned: true, body: `
			local s = ("x"):rep(2^22) s:gsub(".+", ("%0"):rep(1e5))`},
		{name: "gsub with captures repeated for each match", limit: "heap", planned: true, body: `
			(("x"):rep(1e5)):gsub("(x*)", ("%1"):rep(1e5))`},
		{name: "gsub with a table of long values", limit: "heap", planned: true, body: `
			(("x"):rep(1e5)):gsub("x", { x = ("y"):rep(1e5) })`},
		{name: "print of many long arguments", limit: "output", planned: true, body: `
			local s, l = ("x"):rep(2^24), {} for i = 1, 200 do l[i] = s end print(unpack(l))`},
		{name: "t:log of many long arguments", limit: "output", body: `
			local s, l = ("x"):rep(2^24), {} for i = 1, 200 do l[i] = s end t:log(unpack(l))`},
		{name: "print of a value whose __tostring is long", limit: "output", planned: true, body: `
			local s = ("x"):rep(2^24) local v = setmetatable({}, {__tostring = function() return s end})
			print(v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v)`},
		{name: "%q of a long string", limit: "heap", planned: true, body: `
			local s = ("\n"):rep(2^25) for i = 1, 10 do s = ("%q"):format(s) end`},
		{name: "%q of zeros", limit: "heap", planned: true, body: `
			local s = ("\0"):rep(2^25) local x = ("%q%q%q%q"):format(s, s, s, s)`},
		{name: "format with a wide field", limit: "heap", planned: true, harmless: true, body: `
			for i = 1, 100 do local s = ("%99999999d"):format(1) end`},
		{name: "format with a wide field from parts", limit: "heap", planned: true, harmless: true, body: `
			local s = ("%99s"):rep(1e6):format(unpack({}, 1, 200))`},
		{name: "format with many directives", limit: "heap", planned: true, harmless: true, body: `
			local f = ("%s"):rep(200) local s = ("x"):rep(2^22) local l = {} for i = 1, 200 do l[i] = s end
			f:format(unpack(l))`},
		{name: "string.rep of 1 GB", limit: "heap", planned: true, body: `local s = ("x"):rep(2^30)`},
		{name: "string.rep with a separator", limit: "heap", planned: true, harmless: true, body: `
			local s = ("x"):rep(2, ("y"):rep(2^26))`},
		{name: "reverse, upper and lower of a long string", limit: "heap", planned: true, body: `
			local s, l = ("x"):rep(3e7), {} for i = 1, 1e6 do l[i] = s:reverse():upper():lower() end`},
		{name: "concatenation that doubles in a metamethod", limit: "heap", planned: true, body: `
			local m = {} local s = "x" m.__concat = function(a) s = s .. s return a end
			local v = setmetatable({}, m) for i = 1, 100 do local _ = v .. "" end`},
		{name: "concat of one long string many times", limit: "heap", planned: true, body: `
			local s, l = ("x"):rep(2^20), {} for i = 1, 5000 do l[i] = s end local x = table.concat(l)`},
		{name: "concat with a long separator", limit: "heap", planned: true, body: `
			local l = {} for i = 1, 5000 do l[i] = "" end local x = table.concat(l, ("y"):rep(2^20))`},
		{name: "operator .. over 200 long strings", limit: "heap", planned: true, body: `
			local s = ("x"):rep(2^23) local x = ` + strings.Repeat("s .. ", 150) + "s"},
		{name: "error with a string of 300 MB", limit: "heap", planned: true, sample: atRun, body: `
			local s = ("x"):rep(3e8) error(s)`},
		{name: "error with a long string under the heap limit", limit: "output", planned: true, harmless: true, body: `
			error(("x"):rep(5e7))`},
		{name: "error with many long lines", limit: "output", planned: true, harmless: true, body: `
			error(("x\n"):rep(2e7))`},
		{name: "error with an object whose __tostring is long", limit: "output", planned: true, harmless: true, body: `
			error(setmetatable({}, {__tostring = function() return ("x"):rep(5e7) end}))`},
		{name: "error with a table of long fields", limit: "output", planned: true, harmless: true, body: `
			local e = {} for i = 1, 50 do e[("k"):rep(1e6) .. i] = ("v"):rep(1e5) end error(e)`},
		{name: "error that grows at each level", limit: "heap", planned: true, harmless: true, body: `
			local function f(k) local ok, e = pcall(f, k + 1) error(tostring(e) .. tostring(e), 0) end f(1)`},
		{name: "assert with a long message", limit: "output", planned: true, harmless: true, body: `
			assert(false, ("x"):rep(5e7))`},
		{name: "chunk name of 10 MB in tracebacks", limit: "heap", planned: true, harmless: true, body: `
			local name = "=" .. ("n"):rep(1e7)
			local f = loadstring([[local function f(n) if n == 0 then
			  error('x') end return 1 + f(n - 1) end f(150)]], name)
			f()`},
		{name: "chunk name of 10 MB in many caught errors", limit: "heap", planned: true, harmless: true, body: `
			local name = "@" .. ("n"):rep(1e7) local l = {}
			for i = 1, 200 do local _, e = pcall(loadstring("error('x')", name)) l[i] = e end`},
		{name: "chunk name with line breaks in many frames", limit: "output", planned: true, harmless: true, body: `
			local f = loadstring("local function f(n) if n == 0 then error('x') end return 1 + f(n - 1) end f(150)",
			  ("a\n"):rep(1e6)) f()`},
		{name: "syntax error in a long chunk", limit: "output", planned: true, harmless: true, body: `
			local _, e = loadstring(("x"):rep(2e7)) error(e)`},
		{name: "syntax errors in a loop", limit: "timeout", planned: true, harmless: true, body: `
			local l = {} for i = 1, 1e6 do local _, e = loadstring(("("):rep(1e4) .. i) l[i] = e end`},
		{name: "t:equal of tables with large keys", limit: "output", harmless: true, sample: atRun, body: `
			local a, b = {}, {} for i = 1, 20 do a[("k"):rep(1e6) .. i], b[("k"):rep(1e6) .. i] = 1, 2 end
			for i = 1, 1000 do t:equal(a, b) end`},
		{name: "t:equal of long strings", limit: "output", harmless: true, body: `
			local a, b = ("a"):rep(2e7), ("b"):rep(2e7) for i = 1, 100 do t:equal(a, b) end`},
		{name: "t:equal of wide tables", limit: "output", harmless: true, body: `
			local a, b = {}, {} for i = 1, 2e5 do a[i], b[i] = "a" .. i, "b" .. i end for i = 1, 100 do
			  t:equal(a, b) end`},
		{name: "t:check with a long text", limit: "output", body: `
			local s = ("x"):rep(6e4) for i = 1, 1e6 do t:check(false, s) end`},
		{name: "t:check with long texts that pass", limit: "output", body: `
			local s = ("x"):rep(6e4) for i = 1, 1e6 do t:check(true, s .. i) end`},
		{name: "t:near and t:status with long texts", limit: "output", harmless: true, body: `
			local s = ("x"):rep(1e6)
			for i = 1, 1e6 do t:near(1, 2, 0, s) t:status(rocblas.status_success, rocblas.status_memory_error, s) end`},
		{name: "t:metric with a long name", limit: "output", harmless: true, body: `
			local s = ("x"):rep(1e6) for i = 1, 1e6 do t:metric(s .. i, i) end`},
		{name: "t:metric with a long value", limit: "output", harmless: true, body: `
			local s = ("x"):rep(2^24) for i = 1, 1e6 do t:metric("m" .. i, s, s) end`},
		{name: "t:metric a million times", limit: "output", harmless: true, body: `
			for i = 1, 1e7 do t:metric("m" .. i, i) end`},
		{name: "t:skip with a long reason", limit: "output", harmless: true, body: `t:skip(("x"):rep(5e7))`},
		{name: "t:raises with a long message", limit: "output", harmless: true, body: `
			local s = ("x"):rep(2e7) for i = 1, 100 do t:raises(rocblas.status_memory_error, error, s) end`},
		{name: "io.write of long strings", limit: "output", planned: true, body: `
			local s = ("x"):rep(2^24) for i = 1, 1e6 do io.write(s, s, s) end`},
		{name: "print of empty lines", limit: "output", planned: true, body: `while true do print() end`},
		{name: "print of escaped text", limit: "output", planned: true, body: `
			local s = ("\0\27\200"):rep(1e5) while true do print(s) end`},
		{name: "log of invalid UTF-8 up to the limit", limit: "output", harmless: true, body: `
			print(("\255"):rep(1e6))`},
		{name: "log of control characters up to the limit", limit: "output", harmless: true, body: `
			print(("\1"):rep(1e6))`},
		{name: "os.setenv with long names and values", limit: "heap", planned: true, harmless: true, body: `
			local s = ("x"):rep(1e6) for i = 1, 1e6 do os.setenv(s .. i, s) end`},
		{name: "os.date with a long format", limit: "heap", planned: true, harmless: true, body: `
			local f = ("%c"):rep(1e6) for i = 1, 1e6 do local s = os.date(f) end`},
		{name: "tostring of numbers with many digits", limit: "heap", planned: true, harmless: true, body: `
			local l = {} for i = 1, 1e7 do l[i] = ("%.99f"):format(1e300) end`},
		{name: "gmatch results kept", limit: "heap", planned: true, body: `
			local l = {} for w in ("word "):rep(1e6):gmatch("%a+") do l[#l + 1] = { w } end
			while true do l[#l + 1] = { "x" } end`},
		{name: "byte and char of everything", limit: "heap", planned: true, harmless: true, body: `
			local s, l = ("x"):rep(1e6), {} for i = 1, 1e6 do l[i] = { s:byte(i) } end
			  while true do l[#l + 1] = {} end`},
	}
}
