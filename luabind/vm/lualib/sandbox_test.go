//go:build unix

package lualib_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"roclua/luabind/vm"
	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/lualib"
)

// yard is a script's folder, a library folder, and a folder outside of both.
type yard struct{ script, library, outside string }

// newYard makes the folders with files, and with links that lead out.
func newYard(t *testing.T) *yard {
	t.Helper()
	top := t.TempDir()
	y := &yard{filepath.Join(top, "script"), filepath.Join(top, "library"), filepath.Join(top, "outside")}
	for _, folder := range []string{y.script, y.library, y.outside, y.script + "/sub", y.script + "/folder.lua"} {
		check(t, os.MkdirAll(folder, 0o700))
	}
	for path, text := range map[string]string{
		y.outside + "/secret.lua": `print("SECRET") return "SECRET"`, y.script + "/own.lua": `return "own"`,
		y.script + "/sub/mod.lua": `return "mod"`, y.library + "/lib.lua": `return "lib"`,
		y.library + "/deep.lua": `return require("own") .. require("sub.mod")`,
	} {
		check(t, os.WriteFile(path, []byte(text), 0o600))
	}
	for link, target := range map[string]string{
		y.script + "/link.lua": "../outside/secret.lua", y.script + "/absolute.lua": y.outside + "/secret.lua",
		y.script + "/chain.lua": "link.lua", y.script + "/linked": "../outside", y.script + "/above": "..",
		y.script + "/root": "/", y.library + "/liblink.lua": "../outside/secret.lua",
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

func (y *yard) options(level string) options {
	return options{
		vm.Options{Limits: vm.Limits{Instructions: 20_000_000, Heap: 256 << 20, Output: 1 << 20}},
		lualib.Options{Sandbox: level, LibraryPaths: []string{y.script, y.library}},
	}
}

// escapeSource returns the script of an escape. It prints END at its end.
func (y *yard) escapeSource(e escape) string {
	return fmt.Sprintf(`local print, pcall, tostring, type = print, pcall, tostring, type
		local function escaped(what) print("ESCAPED: " .. tostring(what)) end
		local function attempt(f, ...)
			if type(f) ~= "function" then return end
			local ok, v = pcall(f, ...)
			if ok and v and v ~= "" then escaped(v) end
		end
		local OUTSIDE = %q
		do
		%s
		end
		print("END")`, y.outside, e.body)
}

// tidy is the script after an escape. It looks for traces.
const tidy = `
	assert(("x"):rep(2) == "xx" and ("%d"):format(3) == "3" and table.concat({ 1, 2 }) == "12" and math.floor(1.5) == 1)
	assert(coroutine.wrap and getmetatable("") == "string" and not polluted and not stolen and _G._G == _G)
	print("tidy")`

// all makes tests run every variant; by default they run a sample.
var all = flag.Bool("all", false, "run every variant, not a sample")

// TestEscapes runs every escape at both levels of the sandbox. None may get out, end the process, hang, panic, or leave
// traces in the next run. Escapes that only use up the machine are slow and do not depend on the level. Without -all
// they run at one level each.
func TestEscapes(t *testing.T) {
	const after = 1000 // calls that catch errors try an instruction each
	t.Setenv("VM_CANARY", "canary")
	y := newYard(t)
	levels := []string{bounds.SandboxProject, bounds.SandboxStrict}
	if raced {
		levels = levels[:1] // the same code, ten times as slow
	}
	t.Logf("%d escapes at %d levels", len(escapes), len(levels))
	for i, level := range levels {
		for j, e := range escapes {
			if (e.group == "machine" || e.group == "code") && j%len(levels) != i && !*all {
				continue
			}
			t.Run(level+"/"+e.group+"/"+e.name, func(t *testing.T) {
				var printed strings.Builder
				o := y.options(level)
				o.machine.Output = &printed
				m, _ := newMachine(t, o)
				defer m.Close()
				_, err := m.Run(compile(t, y.escapeSource(e)), 0)
				y.inspect(t, printed.String(), err)
				if n := m.Meter().Usage().Instructions; n > o.machine.Limits.Instructions+after {
					t.Errorf("continued for %d instructions, its limit is %d", n, o.machine.Limits.Instructions)
				}
				if out, err := run(t, tidy, y.options(level)); err != nil || out != "tidy\n" {
					t.Errorf("the next run: %v, printed %q", err, out)
				}
			})
		}
	}
}

// inspect looks for traces of an escape.
func (y *yard) inspect(t *testing.T, out string, err error) {
	t.Helper()
	var internal *vm.InternalError
	var limit *vm.LimitError
	switch {
	case errors.As(err, &internal):
		t.Errorf("a panic: %v\n%s", internal, internal.Stack)
	case errors.As(err, &limit): // one of the ways to be stopped
	case !strings.HasSuffix(out, "END\n"):
		t.Errorf("did not finish: %v, printed %q", err, out)
	}
	if strings.Contains(out, "ESCAPED") || strings.Contains(out, "SECRET") || strings.Contains(out, "CANARY") {
		t.Errorf("got out: %q", out)
	}
	entries, err := os.ReadDir(y.outside)
	if err != nil || len(entries) != 1 || entries[0].Name() != "secret.lua" {
		t.Errorf("the outside folder has %v (%v)", entries, err)
	}
	if value := os.Getenv("VM_CANARY"); value != "canary" {
		t.Errorf("the environment of the process has %q", value)
	}
}

// TestFullSandbox proves that the suite notices escapes: they succeed without a sandbox.
func TestFullSandbox(t *testing.T) {
	y := newYard(t)
	o := y.options(bounds.SandboxFull)
	for _, name := range []string{
		"io.open", "io.lines", "io.popen", "dofile of an absolute path", "getinfo", "package.loaded",
	} {
		i := slices.IndexFunc(escapes, func(e escape) bool { return e.name == name })
		if out, err := run(t, y.escapeSource(escapes[i]), o); !strings.Contains(out, "ESCAPED") {
			t.Errorf("%s: %v, printed %q", name, err, out)
		}
	}
	_, err := run(t, `os.exit(0)`, o)
	if err == nil || !strings.Contains(err.Error(), "os.exit would end the program") {
		t.Errorf("os.exit: %v", err)
	}
}

// TestSandboxLevels uses the features that each level allows.
func TestSandboxLevels(t *testing.T) {
	y := newYard(t)
	for _, test := range []struct{ name, level, source, want, err string }{
		{"own files", "strict", `print(require "own", require "sub.mod", require "inside")`, "own\tmod\tmod\n", ""},
		{"no libraries", "strict", `require "lib"`, "", `module 'lib' not found`},
		{"no dofile", "strict", `print(dofile, loadfile)`, "nil\tnil\n", ""},
		{"libraries", "project", `print(require "own", require "lib", require "deep")`, "own\tlib\townmod\n", ""},
		{"dofile", "project", `print(dofile "own.lua", dofile "lib.lua", loadfile("sub/mod.lua")())`,
			"own\tlib\tmod\n", ""},
		{"the default", "", `print(require "lib")`, "lib\n", ""},
		{"outside", "project", `dofile "../outside/secret.lua"`, "",
			`dofile: "../outside/secret.lua" is outside of the folders of the script and its libraries`},
		{"a link outside", "project", `require "link"`, "",
			`error loading module 'link': openat link.lua: path escapes from parent`},
		{"a pipe", "project", `require "pipe"`, "",
			`error loading module 'pipe': read pipe.lua: it is a FIFO, want a regular file`},
		{"a path", "project", `require "../secret"`, "", `module '../secret' not found: not a name of a module`},
		{"nesting", "project", `assert(loadstring("return " .. ("{"):rep(1e5) .. ("}"):rep(1e5)))`, "",
			"chunk has too many syntax levels"},
		{"size", "project", `assert(loadstring(("x = 1 "):rep(2e5)))`, "", "at most 1048576 bytes"},
		{"resumes", "strict", `local function f() return coroutine.wrap(f)() end f()`, "",
			"more than 190 coroutines resume one another"},
	} {
		out, err := run(t, test.source, y.options(test.level))
		if out != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(),
			test.err) {
			t.Errorf("%s: printed %q, error %v", test.name, out, err)
		}
	}
}

// TestFullLoader requires files of package.path and of the folders in the full sandbox.
func TestFullLoader(t *testing.T) {
	y := newYard(t)
	check(t, os.WriteFile(y.outside+"/broken.lua", []byte("x = = 1"), 0o600))
	check(t, os.Mkdir(y.outside+"/sub", 0o700))
	check(t, os.WriteFile(y.outside+"/sub/nothing.lua", nil, 0o600))
	for source, want := range map[string]string{
		`print(require "own", require "sub.mod")`:           "own\tmod\n",
		`print(require "secret", require "secret")`:         "SECRET\nSECRET\tSECRET\n",
		`print(require "sub.nothing")`:                      "true\n",
		`print(pcall(require, "broken"))`:                   "broken.lua:1:5: unexpected symbol",
		`print(pcall(require, "absent"))`:                   "no file '" + y.outside + "/absent.lua'",
		`package.path = "" print(pcall(require, "secret"))`: "false\t",
	} {
		source = fmt.Sprintf("package.path = %q %s", y.outside+"/?.lua", source)
		if out, err := run(t, source, y.options(bounds.SandboxFull)); err != nil || !strings.Contains(out, want) {
			t.Errorf("%s: printed %q, %v", source, out, err)
		}
	}
}

// TestMissingFolders requires a file when one of the folders does not exist.
func TestMissingFolders(t *testing.T) {
	y := newYard(t)
	o := y.options(bounds.SandboxProject)
	o.library.LibraryPaths = append([]string{y.script + "/none"}, o.library.LibraryPaths...)
	if out, err := run(t, `print(require "own", require "lib")`, o); err != nil || out != "own\tlib\n" {
		t.Errorf("printed %q, %v", out, err)
	}
}

func TestRequiredFiles(t *testing.T) {
	y := newYard(t)
	m, lib := newMachine(t, y.options(bounds.SandboxProject))
	defer m.Close()
	_, err := m.Run(compile(t, `require "own" require "deep" pcall(require, "absent") pcall(require, "absent")`), 0)
	want := []string{y.script + "/own.lua", y.script + "/deep.lua", y.library + "/deep.lua", y.script + "/sub/mod.lua",
		y.script + "/absent.lua", y.library + "/absent.lua", y.script + "/absent/init.lua",
		y.library + "/absent/init.lua"}
	if err != nil || !slices.Equal(lib.RequiredFiles(), want) {
		t.Errorf("got %q (%v)", lib.RequiredFiles(), err)
	}
}

// TestManyRequiredFiles looks for more files than are listed.
func TestManyRequiredFiles(t *testing.T) {
	y := newYard(t)
	m, lib := newMachine(t, y.options(bounds.SandboxProject))
	defer m.Close()
	_, err := m.Run(compile(t, `for i = 1, 2000 do pcall(require, "absent" .. i) end`), 0)
	if want := []string{y.script, y.library}; err != nil || !slices.Equal(lib.RequiredFiles(), want) {
		t.Errorf("got %d: %.200q (%v)", len(lib.RequiredFiles()), lib.RequiredFiles(), err)
	}
}

// TestLongNamesOfFiles checks that a name that is too long for a file is neither searched for nor kept.
func TestLongNamesOfFiles(t *testing.T) {
	y := newYard(t)
	for _, sandbox := range bounds.Sandboxes {
		for _, function := range []string{"require", "loadfile", "dofile"} {
			if sandbox == bounds.SandboxStrict && function != "require" {
				continue
			}
			m, lib := newMachine(t, y.options(sandbox))
			_, err := m.Run(compile(t, `local f, text = `+function+`(("x"):rep(1e6)) error(text, 0)`), 0)
			want := function + ": a name of 1000000 bytes is too long; it can have at most 1024"
			if err == nil || strings.TrimPrefix(err.Error(), "test.lua:1: ") != want || len(lib.RequiredFiles()) > 0 {
				t.Errorf("%s: %.200v; %d files", sandbox, err, len(lib.RequiredFiles()))
			}
			m.Close()
		}
	}
}

// TestChangingLinks replaces a file by a link to the outside and back while a script loads it.
func TestChangingLinks(t *testing.T) {
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
	out, err := run(t, `local n, tried = 0, 0
		while n < 100 or tried < 3000 do
			tried = tried + 1
			local f = loadfile("turning.lua")
			if f then n = n + 1 assert(f() == "harmless") end
		end
		print("done")`, y.options(bounds.SandboxProject))
	close(stop)
	turning.Wait()
	if err != nil || out != "done\n" {
		t.Errorf("%v, printed %q", err, out)
	}
}
