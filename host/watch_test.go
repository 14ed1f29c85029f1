package host

import (
	"encoding/json"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/host/exit"
	"roclua/tests/leaks"
)

// TestMain lets the test's program be its own worker process.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		os.Exit(Main(os.Args[1:], OSEnv()))
	}
	leaks.Main(m)
}

// watched is a run --watch in a temporary folder, with events on standard output.
type watched struct {
	t           *testing.T
	stdout      screen
	stderr      screen
	rounds      int // how often it waited for changes
	read, heard int // bytes of the outputs that were checked
	exit        chan int
}

// patience is how long tests wait for an event that must not happen.
const patience = time.Minute

// startWatch writes the files, starts the run and waits until all cases have run.
func startWatch(t *testing.T, files map[string]string, args ...string) *watched {
	t.Helper()
	t.Chdir(t.TempDir())
	w := &watched{t: t, exit: make(chan int, 1)}
	for path, text := range files {
		put(t, path, text)
	}
	env := world(&w.stderr, nil)
	env.Stdout, env.StderrIsTerminal = &w.stdout, false
	go func() { w.exit <- Main(append([]string{"run", "--watch", "--out", "jsonl"}, args...), env) }()
	w.settle()
	return w
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// settle waits until the run waits for changes again.
func (w *watched) settle() {
	w.t.Helper()
	w.rounds++
	w.until(func() bool { return strings.Count(w.stderr.String(), "ctrl-c ends") >= w.rounds })
}

func (w *watched) until(done func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("timed out; standard error is\n%s", w.stderr.String())
		}
	}
}

// ran lists the cases that ran since the last call, by scenario and axes.
func (w *watched) ran() []string {
	w.t.Helper()
	text := w.stdout.String()
	var list []string
	for _, line := range strings.Split(text[w.read:], "\n") {
		var event struct{ Event, ID, Outcome string }
		if line != "" && json.Unmarshal([]byte(line), &event) != nil {
			w.t.Errorf("not an event: %q", line)
		}
		if event.Event == "case" {
			name, _, _ := strings.Cut(event.ID, "@")
			list = append(list, name+" "+event.Outcome)
		}
	}
	w.read = len(text)
	slices.Sort(list)
	return list
}

// said returns the text on standard error since the last call.
func (w *watched) said() string {
	text := w.stderr.String()
	defer func() { w.heard = len(text) }()
	return text[w.heard:]
}

// expect waits for the next round and compares the text before it, and which cases ran.
func (w *watched) expect(said string, ran ...string) {
	w.t.Helper()
	w.settle()
	if have := w.said(); !strings.Contains(have, said) {
		w.t.Errorf("said %q, want %q", have, said)
	}
	if have := w.ran(); !slices.Equal(have, ran) {
		w.t.Errorf("after %q ran %q, want %q", said, have, ran)
	}
}

// interrupt presses ctrl-c and compares the exit code.
func (w *watched) interrupt(want exit.Code) {
	w.t.Helper()
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(os.Interrupt)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	select {
	case code := <-w.exit:
		if code != int(want) {
			w.t.Errorf("exit %d, want %d", code, want)
		}
	case <-time.After(patience):
		w.t.Fatal("ctrl-c does not end it")
	}
}

const (
	passes   = `return { run = function(t) t:check(true) end }`
	requires = `local m = require "lib.m"
		return { params = { n = 1 }, run = function(t) require "late" t:equal(t.n, m.n) end }`
)

var project = map[string]string{
	"config.toml": "library = [\"library\"]\n[[scenario]]\nscript = \"all\"\n" +
		"[[scenario]]\nscript = \"single.lua\"\nmatrix = { n = [1, 2] }",
	"all/a.lua":         passes,
	"all/sub/b.lua":     requires,
	"single.lua":        `return { params = { n = 0 }, run = function(t) t:check(t.n < 3) end }`,
	"library/lib/m.lua": `return { n = 1 }`,
	"library/late.lua":  ``,
	"library/other.lua": ``,
}

// TestWatch changes files in turn and looks at the cases that run again.
func TestWatch(t *testing.T) {
	for _, isolation := range []string{"case", "worker"} {
		t.Run(isolation, func(t *testing.T) {
			w := startWatch(t, project, "--isolation", isolation, "--out", "json=all.json")
			if ran := w.ran(); !slices.Equal(ran, []string{"a passed", "single[n=1] passed", "single[n=2] passed",
				"sub/b passed"}) {
				t.Errorf("at first ran %q", ran)
			}
			w.said()

			put(t, "all/a.lua", `return { run = function(t) t:check(false) end }`)
			w.expect("\nall/a.lua changed: running 1 of 4 cases\nwatching; 4 cases, 1 not passed; ctrl-c ends\n",
				"a failed")

			put(t, "new.lua", passes) // which editors do: the file is another one
			if err := os.Rename("new.lua", "all/a.lua"); err != nil {
				t.Fatal(err)
			}
			w.expect("all/a.lua changed: running 1 of 4 cases\nwatching; 4 cases, 0 not passed", "a passed")

			put(t, "library/other.lua", "return 1") // no script requires it
			put(t, "all/notes.txt", "no script")
			put(t, "library/lib/m.lua", "return { n = 2 }")
			w.expect("\nlibrary/lib/m.lua changed: running 1 of 4 cases", "sub/b failed")
			put(t, "library/late.lua", "return 5")
			w.expect("\nlibrary/late.lua changed: running 1 of 4 cases", "sub/b failed")
			// found first, and a script of the folder; the folder is new
			put(t, "all/sub/lib/m.lua", "return { n = 1 }")
			w.expect("running 2 of 5 cases", "sub/b passed", "sub/lib/m error")
			put(t, "all/sub/lib/m.lua", "return { about = \"nothing\" }")
			w.expect("\nall/sub/lib/m.lua changed: running 2 of 5 cases", "sub/b failed", "sub/lib/m error")
			if err := os.RemoveAll("all/sub/lib"); err != nil {
				t.Fatal(err)
			}
			w.expect("running 1 of 4 cases", "sub/b failed")

			put(t, "all/c.lua", passes)
			w.expect("\nall/c.lua changed: running 1 of 5 cases", "c passed")
			if have := len(casesOfFile(t, "all.json")); have != 5 {
				t.Errorf("the file has %d cases, want all 5", have)
			}
			if err := os.Remove("all/c.lua"); err != nil {
				t.Fatal(err)
			}
			w.expect("\nall/c.lua changed: running 0 of 4 cases")
			if have := len(casesOfFile(t, "all.json")); have != 4 {
				t.Errorf("the file has %d cases, want 4", have)
			}

			put(t, "all/a.lua", "return {")
			w.expect("\nall/a.lua changed: running 1 of 4 cases\nwatching; 4 cases, 2 not passed", "a error")
			put(t, "library/lib/m.lua", "return { n = 1 }")
			w.expect("\nlibrary/lib/m.lua changed: running 1 of 4 cases", "sub/b passed")
			put(t, "all/a.lua", passes)
			w.expect("\nall/a.lua changed: running 1 of 4 cases\nwatching; 4 cases, 0 not passed", "a passed")

			put(t, "config.toml", "[[scenari]]") // earlier changes are not forgotten
			w.expect("roclua: config.toml:1:1: unknown key \"scenari\"")
			put(t, "all/a.lua", passes+" ")
			w.expect("roclua: config.toml:1:1: unknown key \"scenari\"")

			put(t, "config.toml", "[[scenario]]\nscript = \"single.lua\"\nmatrix = { n = [2, 3] }")
			w.expect("\nall/a.lua, config.toml changed: running 2 of 2 cases",
				"single[n=2] passed", "single[n=3] failed")
			put(t, "config.toml", "[[scenari]]")
			w.expect("roclua: config.toml:1:1: unknown key \"scenari\"")
			w.interrupt(exit.Pass)
		})
	}
}

func casesOfFile(t *testing.T, path string) []any {
	t.Helper()
	var doc struct{ Cases []any }
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	return doc.Cases
}

func TestWatchBaselines(t *testing.T) {
	w := startWatch(t, map[string]string{
		"config.toml": "baseline = \"kept\"\n[[scenario]]\nscript = \"a.lua\"\n[[scenario]]\nscript = \"b.lua\"",
		"a.lua":       `return { run = function(t) t:metric("m", 1) end }`, "b.lua": passes})
	if ran := w.ran(); !slices.Equal(ran, []string{"a new", "b new"}) {
		t.Errorf("at first ran %q", ran)
	}
	w.said()
	values := "kernels = 0\npeak_bytes = 0\n"
	put(t, "kept/b.toml", "[\"b@cpu/rocm-7.2/gfx90a\"]\n"+values) // in a folder that was not there
	w.expect("\nkept/b.toml changed: running 1 of 2 cases\nwatching; 2 cases, 1 not passed", "b passed")
	put(t, "kept/a.toml", "[\"a@cpu/rocm-7.2/gfx90a\"]\nm = 1\n"+values)
	w.expect("\nkept/a.toml changed: running 1 of 2 cases\nwatching; 2 cases, 0 not passed", "a passed")
	w.interrupt(exit.Pass)
}

// TestAChangeDuringARun is looked at when the run has ended, and cancels nothing; ctrl-c does.
func TestAChangeDuringARun(t *testing.T) {
	slow := func(gate string) string {
		return `return { run = function(t) repeat local gate = loadfile("` + gate + `") until gate end }`
	}
	w := startWatch(t, map[string]string{"slow.lua": passes}, "slow.lua")
	w.ran()
	put(t, "slow.lua", slow("open.lua"))
	w.until(func() bool { return strings.Contains(w.stderr.String(), "slow.lua changed") })
	put(t, "slow.lua", passes)
	put(t, "open.lua", "")
	w.settle()
	w.expect("slow.lua changed: running 1 of 1 case\nwatching", "slow passed", "slow passed")
	put(t, "slow.lua", slow("missing.lua"))
	w.until(func() bool { return strings.Count(w.stderr.String(), "slow.lua changed") == 3 })
	time.Sleep(50 * time.Millisecond) // for the case to begin
	w.interrupt(exit.Interrupted)
}

// TestWatchBeginsWithABrokenScript, whose module is missing; the module's folder is missing too.
func TestWatchBeginsWithABrokenScript(t *testing.T) {
	w := startWatch(t, map[string]string{
		"a.lua": `local m = require "deep.er.m" return { run = function(t) t:equal(m, 1) end }`,
	}, "a.lua")
	if ran := w.ran(); !slices.Equal(ran, []string{"a error"}) {
		t.Errorf("at first ran %q", ran)
	}
	put(t, "deep/er/m.lua", "return 1")
	w.until(func() bool { return strings.Contains(w.stdout.String(), `"passed"`) })
	w.interrupt(exit.Pass)
}

func TestWatchFollowsLinks(t *testing.T) {
	elsewhere := t.TempDir()
	put(t, filepath.Join(elsewhere, "real.lua"), passes)
	t.Chdir(t.TempDir())
	if err := os.Symlink(filepath.Join(elsewhere, "real.lua"), "link.lua"); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(elsewhere, "folder"); err != nil {
		t.Skip(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	w := startWatch(t, nil, filepath.Join(here, "link.lua"), filepath.Join(here, "folder", "real.lua"))
	w.ran()
	put(t, filepath.Join(elsewhere, "real.lua"), `return { run = function(t) t:check(false) end }`)
	w.expect("folder/real.lua, "+filepath.Join(here, "link.lua")+" changed: running 2 of 2 cases", "link failed",
		"real failed")
	w.interrupt(exit.Pass)
}

func TestWatchLeavesNothingBehind(t *testing.T) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt) // whose goroutine stays for good
	defer signal.Stop(signals)
	before := runtime.NumGoroutine()
	w := startWatch(t, project)
	w.interrupt(exit.Pass)
	for deadline := time.Now().Add(patience); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(),
				stacks[:runtime.Stack(stacks, true)])
		}
	}
}
