package luabind_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"roclua/luabind"
)

// yard is a folder with the script's own folder, a library folder, and what lies outside of both.
type yard struct{ script, library, outside string }

// newYard lays out files and links that lead out.
func newYard(t *testing.T) *yard {
	t.Helper()
	top := t.TempDir()
	y := &yard{filepath.Join(top, "script"), filepath.Join(top, "library"), filepath.Join(top, "outside")}
	for _, folder := range []string{y.script, y.library, y.outside, y.script + "/sub", y.script + "/folder.lua"} {
		check(t, os.MkdirAll(folder, 0o700))
	}
	for path, text := range map[string]string{
		y.outside + "/secret.lua": `print("SECRET") return "SECRET"`, y.script + "/own.lua": `return "own"`,
		y.script + "/sub/mod.lua": `return "mod"`, y.library + "/lib.lua": `return "lib"`, y.library + "/deep.lua": `return require("own") .. require("sub.mod")`,
	} {
		check(t, os.WriteFile(path, []byte(text), 0o600))
	}
	for link, target := range map[string]string{
		y.script + "/link.lua": "../outside/secret.lua", y.script + "/absolute.lua": y.outside + "/secret.lua", y.script + "/chain.lua": "link.lua",
		y.script + "/linked": "../outside", y.script + "/above": "..", y.script + "/root": "/", y.library + "/liblink.lua": "../outside/secret.lua",
		y.script + "/inside.lua": "sub/mod.lua",
	} {
		check(t, os.Symlink(target, link))
	}
	check(t, syscall.Mkfifo(y.script+"/pipe.lua", 0o600))
	return y
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (y *yard) options(level string) luabind.Options {
	return luabind.Options{Sandbox: level, LibraryPaths: []string{y.script, y.library}, Env: map[string]string{"OWN": "mine"}}
}

// attempts gives a script the means to tell that it got out.
const attempts = `local print, pcall, tostring, type = print, pcall, tostring, type
local function escaped(what) print("ESCAPED: " .. tostring(what)) end
local function attempt(f, ...) if type(f) ~= "function" then return end local ok, v = pcall(f, ...) if ok and v and v ~= "" then escaped(v) end end
`

// tidy is the case after: it looks for traces of the one before.
const tidy = `
assert(("x"):rep(2) == "xx" and ("%d"):format(3) == "3" and table.concat({ 1, 2 }) == "12" and math.floor(1.5) == 1 and coroutine.wrap)
assert(getmetatable("") == "string" and not polluted and not stolen and _G._G == _G)
local rocblas, hip, array = require "rocblas", require "hip", require "array"
assert(not rawget(array, "polluted") and not rawget(hip, "polluted") and rocblas.status_success.code == 0)
local h = rocblas.create_handle() hip.free(hip.malloc(8)) rocblas.destroy_handle(h)
print("tidy")`

// TestEscapes runs every escape at both levels of the sandbox. None may get out, end the program, hang, be a defect of ours, or
// leave traces in the next case.
func TestEscapes(t *testing.T) {
	t.Setenv("ROCLUA_CANARY", "canary")
	y := newYard(t)
	limits := luabind.Limits{Timeout: 2 * time.Second, Heap: 256 << 20, Output: 1 << 20}
	groups := map[string]int{}
	levels := []string{luabind.SandboxProject, luabind.SandboxStrict}
	if raced {
		levels = levels[:1] // the same code, ten times as slow
	}
	for _, level := range levels {
		for _, e := range escapes {
			t.Run(level+"/"+e.group+"/"+e.name, func(t *testing.T) {
				groups[e.group]++
				var late time.Duration
				source := fmt.Sprintf("%slocal OUTSIDE = %q\nreturn { run = function(t)\n%s\nprint('END') end }", attempts, y.outside, e.body)
				for range attemptsToTime {
					record, took := runLimited(t, source, limits, y.options(level))
					y.inspect(t, record)
					late = took - limits.Timeout
					if late <= time.Second {
						break
					}
				}
				if late > time.Second && !raced {
					t.Errorf("ended %s after its time", late)
				}
				after, _ := runLimited(t, tidy, limits, y.options(level))
				if after.End != nil || after.Log != "tidy\n" {
					t.Errorf("the next case: %v %q", after.End, after.Log)
				}
			})
		}
	}
	t.Logf("%d escapes at %d levels: %v", len(escapes), len(levels), groups)
}

// inspect looks for what an escape left behind.
func (y *yard) inspect(t *testing.T, r *luabind.Record) {
	t.Helper()
	switch {
	case r.End != nil && r.End.Kind == luabind.EndInternal:
		t.Errorf("a defect: %v\n%s", r.End, r.End.Traceback)
	case r.End != nil && r.End.Limit != nil: // one of the ways to be stopped
	case !strings.HasSuffix(r.Log, "END\n"):
		t.Errorf("did not come to its end: %v, log %q", r.End, r.Log)
	}
	if strings.Contains(r.Log, "ESCAPED") || strings.Contains(r.Log, "SECRET") || strings.Contains(r.Log, "ROCLUA_CANARY") {
		t.Errorf("got out: %q", r.Log)
	}
	entries, err := os.ReadDir(y.outside)
	if err != nil || len(entries) != 1 || entries[0].Name() != "secret.lua" {
		t.Errorf("outside there are %v (%v)", entries, err)
	}
	if value := os.Getenv("ROCLUA_CANARY"); value != "canary" {
		t.Errorf("the environment of the program has %q", value)
	}
}

// TestFullSandbox proves that the suite notices an escape: what reads files gets out where there is no sandbox.
func TestFullSandbox(t *testing.T) {
	y := newYard(t)
	for _, name := range []string{"io.open", "io.lines", "io.popen", "dofile of an absolute path", "getinfo", "package.loaded"} {
		i := slices.IndexFunc(escapes, func(e escape) bool { return e.name == name })
		source := fmt.Sprintf("%slocal OUTSIDE = %q\n%s", attempts, y.outside, escapes[i].body)
		record, _ := runLimited(t, source, luabind.Limits{Timeout: 5 * time.Second}, y.options(luabind.SandboxFull))
		if !strings.Contains(record.Log, "ESCAPED") {
			t.Errorf("%s: %v, log %q", name, record.End, record.Log)
		}
	}
	record, _ := runLimited(t, `os.exit(0)`, luabind.Limits{}, y.options(luabind.SandboxFull))
	if record.End == nil || !strings.Contains(record.End.String(), "os.exit would end the program") {
		t.Errorf("os.exit: %v", record.End)
	}
}

// TestSandboxLevels runs what each level allows.
func TestSandboxLevels(t *testing.T) {
	y := newYard(t)
	for _, test := range []struct{ name, level, source, want, err string }{
		{"own files", "strict", `print(require "own", require "sub.mod", require "inside")`, "own\tmod\tmod\n", ""},
		{"no libraries", "strict", `require "lib"`, "", `require: no module "lib"`},
		{"no dofile", "strict", `print(dofile, loadfile)`, "nil\tnil\n", ""},
		{"libraries", "project", `print(require "own", require "lib", require "deep")`, "own\tlib\townmod\n", ""},
		{"dofile", "project", `print(dofile "own.lua", dofile "lib.lua", loadfile("sub/mod.lua")())`, "own\tlib\tmod\n", ""},
		{"the default", "", `print(require "lib")`, "lib\n", ""},
		{"outside", "project", `dofile "../outside/secret.lua"`, "", `dofile: "../outside/secret.lua" is outside of the folders of the script and its libraries`},
		{"a link outside", "project", `require "link"`, "", `require: module "link": openat link.lua: path escapes from parent`},
		{"a pipe", "project", `require "pipe"`, "", `require: module "pipe": read pipe.lua: not a regular file`},
		{"environment", "strict", `print(os.getenv "OWN", os.getenv "PATH") os.setenv("OWN", 2) print(os.getenv "OWN")`, "mine\tnil\n2\n", ""},
		{"nesting", "project", `assert(loadstring("return " .. ("{"):rep(1e5) .. ("}"):rep(1e5)))`, "", "nested more than"},
		{"size", "project", `assert(loadstring(("x = 1 "):rep(2e5)))`, "", "longer than the 1048576 bytes"},
		{"coroutines in each other", "strict", `local function f() return coroutine.wrap(f)() end f()`, "", "more than 190 coroutines resume one another"},
	} {
		record, _ := runLimited(t, test.source, limitsFor(""), y.options(test.level))
		if record.Log != test.want || (record.End == nil) != (test.err == "") || record.End != nil && !strings.Contains(record.End.String(), test.err) {
			t.Errorf("%s: log %q, error %v", test.name, record.Log, record.End)
		}
	}
}

// TestLinksThatChange changes a file into a link to the outside and back while scripts require it.
func TestLinksThatChange(t *testing.T) {
	y := newYard(t)
	path, stop := filepath.Join(y.script, "turning.lua"), make(chan struct{})
	var turning sync.WaitGroup
	turning.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			next := path + ".next"
			if i%2 == 0 {
				os.Symlink("../outside/secret.lua", next)
			} else {
				os.WriteFile(next, []byte(`return "harmless"`), 0o600)
			}
			os.Rename(next, path)
		}
	})
	record, _ := runLimited(t, `local n = 0 for i = 1, 3000 do local f = loadfile("turning.lua") if f then n = n + 1 assert(f() == "harmless") end end print(n > 0)`,
		luabind.Limits{Timeout: 20 * time.Second}, y.options(luabind.SandboxProject))
	close(stop)
	turning.Wait()
	if record.End != nil || record.Log != "true\n" {
		t.Errorf("%v, log %q", record.End, record.Log)
	}
}
