//go:build linux

package hostile

import (
	"fmt"
	"strings"
)

// declaredAttacks declare oversized tables at the top level, or are oversized scripts.
func declaredAttacks() []attack {
	generated := func(name string, script func() string) attack {
		return attack{name: name, limit: "plan", whole: script, harmless: true}
	}
	declared := func(name, table string) attack {
		return generated(name, func() string { return prelude + table })
	}
	plain := func(name, limit, script string, harmless bool) attack {
		return attack{name: name, limit: limit, whole: func() string { return script }, harmless: harmless}
	}
	return []attack{
		declared("parameter with a value of 50 MB", `return { params = { n = ("x"):rep(5e7) },
			run = function(t) end }`),
		declared("parameter with a name of a megabyte", `
			return { params = { [("n"):rep(1e6)] = 1 }, run = function(t) end }`),
		declared("100,000 parameters", `local p = {} for i = 1, 1e5 do p["n" .. i] = i end
			return { params = p, run = function(t) end }`),
		declared("100,000 tags", `local p = {} for i = 1, 1e5 do p[i] = "tag" .. i end
			return { tags = p, run = function(t) end }`),
		declared("tag of 50 MB", `return { tags = { ("x"):rep(5e7) }, run = function(t) end }`),
		declared("about of 50 MB", `return { about = ("x"):rep(5e7), run = function(t) end }`),
		declared("about of many lines", `
			return { about = ("x\n"):rep(5e6), source = ("y\n"):rep(5e6), run = function(t) end }`),
		declared("unknown field with a name of a megabyte", `return { [("x"):rep(2^20)] = 1, run = function(t) end }`),
		declared("unknown scheme of a megabyte", `return { schemes = { ("x"):rep(2^20) }, run = function(t) end }`),
		declared("100,000 schemes", `local p = {} for i = 1, 1e5 do p[i] = "managed" end
			return { schemes = p, run = function(t) end }`),
		{name: "20,000 scenarios in a file", limit: "plan", harmless: true, flags: []string{"--filter", "s20000@"},
			whole: func() string {
				return `local p = {} for i = 1, 2e4 do p[i] = { name = "s" .. i, run = function(t) end } end return p`
			}},
		declared("list whose length a metamethod chooses", `
			return setmetatable({}, { __len = function() return 2^40 end,
			__index = function() return {} end })`),
		declared("100,000 expectations", `local p = {} for i = 1, 1e5 do p["m" .. i] = "< 1" end
			return { expect = p, run = function(t) end }`),
		declared("expectation of a megabyte", `
			return { expect = { m = ("("):rep(2^20) .. "< 1" }, run = function(t) end }`),
		declared("expectation of nested conditions", `return { expect = { m = ("not "):rep(2^18) .. "< 1" },
			run = function(t) end }`),
		declared("platforms and profiles of a megabyte", `return { platforms = { ("x"):rep(2^20) },
			profiles = { ("y"):rep(2^20) }, run = function(t) end }`),
		declared("declared table with __index", `return setmetatable({}, { __index = function(_, k)
			while true do end end })`),
		declared("declared table with __pairs and long keys", `local p = {}
			for i = 1, 1e3 do p[("k"):rep(1e4) .. i] = i end
			return p`),
		declared("cyclic declared table", `local p = { run = function(t) end } p.params = p p.tags = p return p`),
		declared("returned string of 50 MB", `return ("x"):rep(5e7)`),
		generated("script of 10 MB", func() string {
			return prelude + "local x = {" + strings.Repeat("1,", 5e6) + "} return { run = function(t) end }"
		}),
		generated("script with a line of 20 MB", func() string {
			return prelude + "--" + strings.Repeat("x", 2e7) + "\nreturn { run = function(t) end }"
		}),
		generated("script with 100,000 functions", func() string {
			return prelude + wide(100000, "function f%d() return 1 end\n") +
				"return { run = function(t) end }"
		}),
		generated("script with a syntax error at the end", func() string {
			return prelude + strings.Repeat("x = 1\n", 1e6) + "end"
		}),
		generated("script with a string of 20 MB", func() string {
			return prelude + "local s = '" + strings.Repeat("x", 2e7) + "' return { run = function(t) end }"
		}),
		generated("script of zeros", func() string {
			return prelude + strings.Repeat("\x00", 1e7)
		}),
		generated("script of nested comments", func() string {
			return prelude + strings.Repeat("--[[", 2e6)
		}),
		generated("script of 5,000 nested blocks", func() string {
			return prelude + nested(5000, "do ", "", "end ") + "return { run = function(t) end }"
		}),
		generated("script of 5,000 nested ifs", func() string {
			return prelude + nested(5000, "if true then ", "", "end ") + "return { run = function(t) end }"
		}),
		generated("script of an elseif chain", func() string {
			return prelude + "local x = 1 if x == 0 then " + wide(20000, "elseif x == %d then ") +
				"end return { run = function(t) end }"
		}),
		generated("script of 1,000,000 unary operators", func() string {
			return prelude + "local x = " + strings.Repeat("- ", 1e6) + "1"
		}),
		generated("script of right-associative operators", func() string {
			return prelude + "local x = '' " + strings.Repeat(".. ''", 5e5)
		}),
		plain("plain script that prints", "output", `while true do print(("x"):rep(1000)) end`, false),
		plain("plain script that loops", "timeout", `while true do end`, false),
		plain("plain script with an error of 50 MB", "output", `error(("x"):rep(5e7))`, true),
		plain("plain script that takes memory", "heap", `local l = {} while true do l[#l + 1] = {} end`, false),
	}
}

// fileAttacks read files that never end or that are not files.
func fileAttacks() []attack {
	return []attack{
		{name: "module that is a link to /dev/zero", limit: "files", links: map[string]string{"zero.lua": "/dev/zero"},
			planned: true, body: `require "zero"`, sample: atRun},
		{name: "module that is a named pipe", limit: "files", fifos: []string{"pipe.lua"}, planned: true,
			body: `require "pipe"`},
		{name: "module that is a link to another file", limit: "files",
			links: map[string]string{"other.lua": "/etc/passwd"}, planned: true, body: `require "other"`},
		{name: "module that links to itself", limit: "files", links: map[string]string{"self.lua": "self.lua"},
			planned: true, body: `require "self"`},
		{name: "module that is a folder", limit: "files", files: map[string]string{"folder.lua/x": ""}, planned: true,
			body: `require "folder"`},
		{name: "module of 60 MB", limit: "heap", planned: true, harmless: true, body: `require "large"`,
			large: func() map[string]string { return map[string]string{"large.lua": "--" + strings.Repeat("x", 6e7)} }},
		{name: "100 modules of 2 MB", limit: "timeout", planned: true, harmless: true, large: modules, body: `
			for i = 1, 100 do require("m" .. i) end`},
		{name: "modules that are nested 2,000 deep", limit: "depth", planned: true, harmless: true, files: chain(2000),
			body: `require "c1"`},
		{name: "dofile of /dev/zero", limit: "files", links: map[string]string{"zero.lua": "/dev/zero"}, planned: true,
			body: `dofile("zero.lua")`},
		{name: "matrix that is a link to /dev/zero", limit: "files", links: map[string]string{"zero.npy": "/dev/zero"},
			body: `require("array").load("zero.npy")`},
		{name: "matrix that is a named pipe", limit: "files", fifos: []string{"pipe.mtx"},
			body: `require("array").load("pipe.mtx")`},
		{name: "matrix that links out of the folder", limit: "files",
			links: map[string]string{"out.mtx": "/etc/passwd"},
			body:  `require("array").load("out.mtx")`},
		{name: "matrix of 4 GB in a file of 100 bytes", limit: "heap", harmless: true, sample: atRun,
			files: map[string]string{"large.mtx": "%%MatrixMarket matrix coordinate real general\n40000 12500 0\n"},
			body:  `require("array").load("large.mtx")`},
		{name: "matrix that a script writes", limit: "files", body: `require("array").zeros("d", 1):save("x.npy")`},
	}
}

// modules returns 100 modules of 2 MB.
func modules() map[string]string {
	files := map[string]string{}
	for i := range 100 {
		files[fmt.Sprintf("m%d.lua", i+1)] = "--" + strings.Repeat("x", 2e6) + "\nreturn {}"
	}
	return files
}

// chain returns n modules that each load the next one.
func chain(n int) map[string]string {
	files := map[string]string{fmt.Sprintf("c%d.lua", n+1): "return {}"}
	for i := range n {
		files[fmt.Sprintf("c%d.lua", i+1)] = fmt.Sprintf(`return { require "c%d" }`, i+2)
	}
	return files
}
