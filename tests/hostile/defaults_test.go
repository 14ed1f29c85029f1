//go:build linux

package hostile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Bounds with the default limits, which SECURITY.md has.
const (
	defaultHeap   = 1 << 30
	defaultOutput = 16 << 20
	mostMain      = 512 << 20                                      // of the program, without its workers
	mostWorker    = defaultHeap + defaultHeap/8 + 128<<20 + 80<<20 // of a worker
	mostReport    = 8 * defaultOutput                              // of a case, in each report
	mostText      = 256 << 10                                      // of a case in the report for people
	mostFixed     = 64 << 10                                       // of a report without its cases
)

// excess is a script whose texts are as large as the default limits allow, or larger. It ends with one of the exit
// codes, always with the same.
type excess struct {
	name, body string // body is the code of run, or the fields of the scenario
	exit       int
	cases      int  // that run the script; 0 is one
	declares   bool // body has the fields of the scenario
}

// huge makes a string of 950 MB. The limit of the heap allows one.
const huge = `local S = ("x"):rep(950e6); `

// hugeText makes a value whose __tostring makes such a string.
const hugeText = `local V = setmetatable({}, { __tostring = function() return ("x"):rep(950e6) end }); `

var excesses = []excess{
	{name: "print of bytes that are escaped", exit: 6, cases: 20,
		body: `for i = 1, 17 do print(("\255"):rep(2^20 - 1)) end`},
	{name: "print of markup", exit: 6, cases: 4, body: `for i = 1, 17 do print(("<&"):rep(2^19)) end`},
	{name: "print of short lines", exit: 6, cases: 4, body: `while true do print("x") end`},
	{name: "print of quotes", exit: 6, cases: 4, body: `while true do print(("\"'"):rep(40)) end`},
	{name: "print of ends of sections", exit: 6, cases: 4, body: `while true do print(("]]>##["):rep(40)) end`},
	{name: "metrics of bytes that are escaped", exit: 6, cases: 4,
		body: `for i = 1, 300 do t:metric("m" .. i, ("\255"):rep(6e4), ("<"):rep(1e4)) end`},
	{name: "names of metrics", exit: 5, cases: 4, body: `for i = 1, 2e4 do t:metric(("<"):rep(100) .. i, i) end`},
	{name: "failed checks of markup", exit: 6, cases: 4, body: `for i = 1, 300 do t:equal(("<"):rep(6e4) .. i, 1) end`},
	{name: "many failed checks", exit: 6, cases: 4,
		body: `local i = 0 while true do i = i + 1 t:check(false, "c" .. i) end`},
	{name: "checks of all kinds", exit: 6,
		body: `while true do t:near(1, 2, 0, "x\n") t:check(true, "\t") t:equal("<", 1) end`},
	{name: "reason of a skip", exit: 0, cases: 4, body: `t:skip(("\255"):rep(6e4))`},
	{name: "errors in deferred functions and their output", exit: 6, cases: 4, body: `
		for i = 1, 20 do t:defer(function() error(("<"):rep(6e6) .. i) end) end
		while true do print(("\255"):rep(100)) end`},
	{name: "chain of errors", exit: 5, body: `
		local function f(k) local ok, e = pcall(f, k + 1) error(k .. (" <\255"):rep(500) .. tostring(e)) end f(1)`},
	{name: "error of a __tostring of 950 MB", exit: 5, body: hugeText + `error(V)`},
	{name: "error in a deferred function, of a __tostring of 950 MB", exit: 1, body: hugeText +
		`t:defer(function() error(V) end)`},
	{name: "t:raises with a __tostring of 950 MB", exit: 1, body: hugeText +
		`t:raises(rocblas.status_memory_error, function() error(V) end)`},
	{name: "print of a __tostring of 950 MB", exit: 6, body: hugeText + `print(V)`},
	{name: "t:log of a __tostring of 950 MB", exit: 6, body: hugeText + `t:log(V)`},
	{name: "error of 950 MB", exit: 5, body: huge + `error(S, 0)`},
	{name: "table with a key of 950 MB as error", exit: 5, body: huge + `error({ [S] = S })`},
	{name: "reason of a skip of 950 MB", exit: 5, body: huge + `t:skip(S)`},
	{name: "name of a metric of 950 MB", exit: 5, body: huge + `t:metric(S, 1)`},
	{name: "value of a metric of 950 MB", exit: 5, body: huge + `t:metric("a", S)`},
	{name: "unit of a metric of 950 MB", exit: 5, body: huge + `t:metric("a", 1, S)`},
	{name: "text of a check of 950 MB", exit: 5, body: huge + `t:check(true, S)`},
	{name: "values of a check of 950 MB", exit: 1, body: huge + `t:equal(S, 1)`},
	{name: "name of a module of 950 MB", exit: 5, body: huge + `require(S)`},
	{name: "hip.bytes of 950 MB", exit: 5, body: huge + `hip.bytes(S)`},
	{name: "variable of 950 MB", exit: 5, body: huge + `os.setenv("ROCBLAS_DEVICE_MEMORY_SIZE", S)`},
	{name: "function of a module with a name of 950 MB", exit: 5, body: huge + `return rocblas[S]`},
	{name: "named argument of 950 MB", exit: 5, body: huge + `rocblas.dgemm { [S] = 1 }`},
	{name: "option of 950 MB", exit: 5, body: huge + `t:open { scheme = S }`},
	{name: "type of an array of 950 MB", exit: 5, body: huge + `array.zeros(S, 1)`},
	{name: "number of 950 MB", exit: 0, body: huge + `assert(tonumber(S, 36) == nil)`},
	{name: "about of 950 MB", exit: 2, declares: true, body: `about = ("x"):rep(950e6)`},
	{name: "scheme of 950 MB", exit: 2, declares: true, body: `schemes = { ("x"):rep(950e6) }`},
	{name: "parameter with a name of 950 MB", exit: 2, declares: true, body: `params = { [("x"):rep(950e6)] = 1 }`},
	{name: "field of 950 MB", exit: 2, declares: true, body: `[("x"):rep(950e6)] = 1`},
	{name: "declared texts that are escaped", exit: 0, declares: true, cases: 20, body: `about = ("\255"):rep(1e4),
		source = ("<"):rep(3e3), tags = { ("\n"):rep(3e3) }, params = { n = 1, [("'"):rep(1e3)] = ("&"):rep(1e3) }`},
}

// reports are the formats that a run writes, with the most bytes that each case may take in them.
var reports = map[string]int64{"json": mostReport, "jsonl": mostReport, "html": mostReport, "junit": mostReport,
	"csv": mostReport, "tap": mostReport, "markdown": mostReport, "trace": mostReport, "text": mostText}

// TestDefaultLimits checks how much memory the program and its workers take with the default limits, and how large
// reports become.
func TestDefaultLimits(t *testing.T) {
	if !*all {
		t.Skip("the flag -all is not set")
	}
	program := build(t)
	for _, x := range excesses {
		if !strings.Contains(x.name, *only) {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			folder := t.TempDir()
			m := x.run(t, program, folder)
			t.Logf("%d MiB, workers %d MiB, %.1f s, exit code %d", m.Main>>20, m.Child>>20, m.Wall.Seconds(), m.Exit)
			if m.Killed != "" || m.Exit != x.exit {
				t.Errorf("%s, exit code %d, want %d: %.500s", m.Killed, m.Exit, x.exit, m.Stderr)
			}
			if m.Main > mostMain {
				t.Errorf("the program used %d MiB", m.Main>>20)
			}
			if m.Child > mostWorker {
				t.Errorf("a worker used %d MiB", m.Child>>20)
			}
			for format, most := range reports {
				info, err := os.Stat(filepath.Join(folder, "r."+format))
				if err != nil {
					t.Error(err)
				} else if most = most*int64(max(x.cases, 1)) + mostFixed; info.Size() > most {
					t.Errorf("the report %s has %d bytes, more than %d", format, info.Size(), most)
				}
			}
		})
	}
}

// run runs the script in a folder and writes the reports there.
func (x *excess) run(t *testing.T, program, folder string) Measured {
	t.Helper()
	script := prelude + "return { run = function(t)\n" + x.body + "\nend }\n"
	if x.declares {
		script = "return { " + x.body + ", run = function(t) end }\n"
	}
	if err := os.WriteFile(filepath.Join(folder, "a.lua"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "a.lua", "--quiet", "--jobs", "2", "--repeat", fmt.Sprint(max(x.cases, 1))}
	for format := range reports {
		args = append(args, "--out", format+"=r."+format)
	}
	c := exec.Command(program, args...)
	c.Dir = folder
	c.Env = append(os.Environ(), "HOME="+folder, "XDG_CACHE_HOME="+folder)
	m, err := Run(c, Bounds{Memory: 6 << 30, Wall: 2 * time.Minute, Output: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
