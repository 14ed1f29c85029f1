package host

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"roclua/hip/driver"
	"roclua/host/exit"
)

// failing fails to write, with an error that may change.
type failing struct {
	err     error
	written int
}

func (f *failing) Write(b []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	f.written += len(b)
	return len(b), nil
}

// TestFailedStandardOutput checks the error of a command whose output cannot be written, unless it has another.
func TestFailedStandardOutput(t *testing.T) {
	for line, want := range map[string]struct {
		code exit.Code
		text string
	}{
		"version":            {exit.Usage, "roclua: standard output is not complete: no space left on device\n"},
		"rnu":                {exit.Usage, "roclua: unknown command"},
		"repl --scheme none": {exit.Usage, "roclua: standard output is not complete: no space left on device\n"},
	} {
		var stderr bytes.Buffer
		env := Env{Stdin: strings.NewReader("1 + 2\nerror('x')\n"), Stdout: &failing{err: syscall.ENOSPC},
			Stderr: &stderr, Now: time.Now,
			CPUs: 1, Getenv: func(string) string { return "" }}
		code := exit.Code(Main(strings.Fields(line), env))
		if code != want.code || !strings.Contains(stderr.String(), want.text) {
			t.Errorf("%s: exit code %d, %q", line, code, &stderr)
		}
	}
}

// TestStandardOutputIsAFile refuses to write a report to the file that standard output is.
func TestStandardOutputIsAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "p.lua", "return { run = function() end }")
	f, err := os.Create("out.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, test := range []struct {
		line string
		want exit.Code
	}{{"run p.lua --out text --out json=out.txt", exit.Usage}, {"run p.lua --out text --out json=other.txt", exit.Pass},
		{"run p.lua --out json=out.txt", exit.Pass}} { // the last one replaces the file
		var stderr bytes.Buffer
		env := Env{Stdin: strings.NewReader(""), Stdout: f, Stderr: &stderr, Now: time.Now, CPUs: 1,
			Getenv: func(name string) string { return map[string]string{"ROCLUA_ISOLATION": "case"}[name] }}
		if code := exit.Code(Main(strings.Fields(test.line), env)); code != test.want {
			t.Errorf("%s: exit code %d, want %d: %s", test.line, code, test.want, &stderr)
		}
	}
}

// TestWidthOfStandardError checks that a width that is not known is 0.
func TestWidthOfStandardError(t *testing.T) {
	if width := OSEnv().StderrWidth(); width < 0 {
		t.Errorf("standard error has %d columns", width)
	}
}

// TestStreams writes to streams whose reader has ended. They keep their first error.
func TestStreams(t *testing.T) {
	f := &failing{}
	s := &stream{Writer: f}
	write := func(survives bool, err error) (int, error) {
		s.survives, f.err = survives, err
		return s.Write([]byte("abc"))
	}
	for i, test := range []struct {
		survives bool
		err      error
		n        int
		failed   error // of the stream, after the write
	}{
		{false, nil, 3, nil}, {true, nil, 3, nil}, {false, syscall.EPIPE, 0, syscall.EPIPE},
		{false, io.ErrShortWrite, 0, syscall.EPIPE}, {true, syscall.ENOSPC, 0, syscall.EPIPE},
		{true, syscall.EPIPE, 3, syscall.EPIPE}, {false, io.ErrShortWrite, 3, syscall.EPIPE},
	} {
		n, err := write(test.survives, test.err)
		if n != test.n || n == 0 != (err != nil) || s.failed() != test.failed {
			t.Errorf("write %d: %d, %v, and the first error is %v", i, n, err, s.failed())
		}
	}
	ended := &stream{Writer: &failing{err: syscall.EPIPE}, survives: true}
	if n, err := ended.Write([]byte("abc")); n != 3 || err != nil || ended.failed() != syscall.EPIPE {
		t.Errorf("a reader that has ended: %d, %v, and the first error is %v", n, err, ended.failed())
	}
	if f.written != 6 {
		t.Errorf("%d bytes were written, want 6", f.written)
	}
	if s.file() != nil || (&stream{Writer: os.Stderr}).file() != os.Stderr {
		t.Error("the file of a stream is not the one that it writes")
	}
}

// TestPrintedErrors writes joined errors one after the other, and an error with several causes once.
func TestPrintedErrors(t *testing.T) {
	a, b := errors.New("a"), errors.New("b")
	for want, err := range map[string]error{
		"roclua: a\n":                       a,
		"roclua: a\nroclua: b\n":            errors.Join(a, b),
		"roclua: a\nroclua: b\nroclua: a\n": errors.Join(errors.Join(a, exit.Silent(exit.Failed), b), a),
		"roclua: both a and b\n":            fmt.Errorf("both %w and %w", a, b),
		"":                                  exit.Silent(exit.Baseline),
	} {
		var out strings.Builder
		if printErrors(&out, err); out.String() != want {
			t.Errorf("printed %q, want %q", &out, want)
		}
	}
}

func TestUseColor(t *testing.T) {
	for _, test := range []struct {
		mode      string
		terminal  bool
		variable  string
		want, bad bool
	}{
		{"always", false, "NO_COLOR=1", true, false}, {"never", true, "", false, false},
		{"auto", true, "", true, false},
		{"auto", false, "", false, false}, {"auto", true, "NO_COLOR=1", false, false},
		{"auto", true, "TERM=dumb", false, false}, {"auto", true, "TERM=xterm", true, false},
		{"blue", true, "", false, true},
	} {
		name, value, _ := strings.Cut(test.variable, "=")
		env := Env{Getenv: func(n string) string { return map[string]string{name: value}[n] }}
		if have, err := useColor(test.mode, test.terminal, env); have != test.want || (err != nil) != test.bad {
			t.Errorf("%+v: %t, %v", test, have, err)
		}
	}
}

// TestColoredAnswers writes headings, changes and issues with escape sequences on a terminal, and nowhere else. Those
// of a log are escaped.
func TestColoredAnswers(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	log := "rocblas_create_handle,atomics_not_allowed\n\x1b[31mred\n" +
		"rocsolver-bench -f getrf --precision d -m 4096 -n 4096\n"
	script := `return { schemes = { "managed" }, run = function(t) t:metric("bytes", t.handle:query(function(q)
  q:dgeqrf{ m = 200, n = 200 } end), "bytes") end }`
	for name, text := range map[string]string{"app\x1b[31m.log": log, "size.lua": script} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(terminal bool, variable string, args ...string) string {
		var out screen
		env := world(&out, map[string]string{variable: "1"})
		env.Stderr, env.StderrIsTerminal, env.StdoutIsTerminal = io.Discard, false, terminal
		Main(args, env)
		return out.String()
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"log", "app\x1b[31m.log"}, "\x1b[1mknown defects of the libraries\x1b[0m"},
		{[]string{"log", "app\x1b[31m.log"},
			"\x1b]8;;https://github.com/ROCm/rocSOLVER/issues/924\x1b\\ROCm/rocSOLVER#924\x1b]8;;\x1b\\"},
		{[]string{"plan", "app\x1b[31m.log"}, "\x1b[1mall handles together\x1b[0m"},
		{[]string{"size", "dgetrf m=9 n=9", "--profile", "rocm-6.4,rocm-7.2"}, "\x1b[1m call "},
		{[]string{"size", "dgeqrf m=200 n=200", "--profile", "rocm-6.4,rocm-7.2"}, "\x1b[33m≠\x1b[0m"},
		{[]string{"compare", "rocm-6.4", "rocm-7.2", "size.lua"}, "\x1b[31mMORE\x1b[0m"},
		{[]string{"list", "size.lua"}, "\x1b[1m "},
	} {
		if have := run(true, "", test.args...); !strings.Contains(have, test.want) ||
			strings.Contains(have, "\x1b[31m.log") {
			t.Errorf("%v: no %q, or a sequence of the name, in %q", test.args, test.want, have)
		}
		for _, plain := range []string{run(false, "", test.args...), run(true, "NO_COLOR", test.args...),
			run(true, "", append(test.args, "--out", "json")...)} {
			if strings.Contains(plain, "\x1b") {
				t.Errorf("%v: escape sequences in %q", test.args, plain)
			}
		}
	}
}

func TestCacheFiles(t *testing.T) {
	for _, test := range []struct{ cache, home, want string }{
		{"", "", ""}, {"/c", "", "/c/roclua/history"}, {"", "/h", "/h/.cache/roclua/history"},
		{"/c", "/h", "/c/roclua/history"},
	} {
		variables := map[string]string{"XDG_CACHE_HOME": test.cache, "HOME": test.home}
		env := Env{Getenv: func(name string) string { return variables[name] }}
		if have := cacheFile(env, "history"); have != test.want {
			t.Errorf("%+v: %q", test, have)
		}
	}
}

func TestDescribedPlatforms(t *testing.T) {
	for want, r := range map[string]driver.Report{
		"x  ready\n    device 0  A (b), 1024 bytes (1.0 KiB)\n": {
			Devices: []driver.Properties{{Name: "A", Arch: "b", MemoryBytes: 1024}}},
		"x  cannot be used: broken\n    L  not found\n    M  /m.so, 1.2\n    to do: install L\n": {Problem: "broken",
			Advice: "install L", Parts: []driver.Part{{Name: "L", Missing: "not found"},
				{Name: "M", Path: "/m.so", Version: "1.2"}}},
	} {
		var b strings.Builder
		if describePlatform(&b, "x", r); b.String() != want {
			t.Errorf("described as %q, want %q", &b, want)
		}
	}
}

// TestVersions returns the release of the build, where it has one. The package for Python and the changelog have the
// same.
func TestVersions(t *testing.T) {
	for path, pattern := range map[string]string{"../python/pyproject.toml": `\nversion = "(.*)"`,
		"../CHANGELOG.md": `\n## (\d+\.\d+\.\d+)`} {
		text, err := os.ReadFile(path)
		if have := regexp.MustCompile(pattern).FindSubmatch(text); have == nil || string(have[1]) != release {
			t.Errorf("%s has the release %q, the program %s: %v", path, have, release, err)
		}
	}
	if have := version(); !strings.HasPrefix(have, release) {
		t.Errorf("the version is %q, want the release %s first", have, release)
	}
	revision, clean, modified := debug.BuildSetting{Key: "vcs.revision", Value: strings.Repeat("0123456789", 4)},
		debug.BuildSetting{Key: "vcs.modified", Value: "false"}, debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, test := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, ""},
		{[]debug.BuildSetting{modified}, ""},
		{[]debug.BuildSetting{revision, clean}, " (012345678901)"},
		{[]debug.BuildSetting{revision, modified}, " (012345678901, modified)"},
	} {
		if have := commitOf(test.settings); have != test.want {
			t.Errorf("commitOf(%v) is %q, want %q", test.settings, have, test.want)
		}
	}
}

// TestNamesOfCommands compares the names by which commands are made with their own. Their help has no empty default.
func TestNamesOfCommands(t *testing.T) {
	for _, c := range subcommands {
		cmd := c.make(Env{})
		if cmd.Name() != c.name {
			t.Errorf("the command %s is made for %s", cmd.Name(), c.name)
		}
		if help := cmd.Flags().FlagUsages(); strings.Contains(help, "(default )") {
			t.Errorf("the help of %s has a default without a value:\n%s", c.name, help)
		}
	}
}

// TestInitialization bounds the memory that packages allocate before main: each worker process and each call in
// a browser waits for it.
func TestInitialization(t *testing.T) {
	c := exec.Command(os.Args[0], "-test.run", "^$")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	list := regexp.MustCompile(`(?m)^init (roclua/\S+) @.* (\d+) bytes`).FindAllSubmatch(out, -1)
	if len(list) < 20 {
		t.Fatalf("%d packages: %s", len(list), out)
	}
	for _, match := range list {
		if bytes, err := strconv.Atoi(string(match[2])); err != nil || bytes > 100_000 {
			t.Errorf("%s allocates %d bytes, %v; want at most 100000", match[1], bytes, err)
		}
	}
}
