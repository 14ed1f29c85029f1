package repl

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	_ "roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/luabind/record"
	"roclua/workspace"
)

// output is the output of a session.
type output struct {
	text  strings.Builder
	begun func() // called when an entry prints "begun"
}

func (o *output) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "begun") {
		o.begun()
	}
	return o.text.Write(b)
}

func (o *output) String() string { return o.text.String() }
func (o *output) Reset()         { o.text.Reset() }

// begin starts a session on a simulated device.
func begin(t *testing.T, interactive bool) (*Session, *output) {
	t.Helper()
	profile, err := workspace.FindProfile(workspace.DefaultProfileOf("cpu"))
	if err != nil {
		t.Fatal(err)
	}
	var out output
	s, err := New(Settings{Platform: "cpu", Profile: profile,
		Devices: driver.Config{Arch: "gfx90a", MemoryBytes: 1 << 30},
		Scheme:  "managed", Seed: 1},
		Frontend{Out: &out, Err: &out, Version: "1.0", Name: "repl", Interactive: interactive,
			LookUp: func(w io.Writer, name string) error { _, err := fmt.Fprintf(w, "about %s\n", name); return err }})
	if err != nil {
		t.Fatal(err)
	}
	return s, &out
}

func TestComplete(t *testing.T) {
	s, _ := begin(t, false)
	defer s.End()
	for _, line := range []string{"point = {x = 1, y = {z = 2}}", "a = array.zeros('d', 2)",
		"borrowed = handle:device_malloc(64)"} {
		s.Feed(t.Context(), line)
	}
	for _, test := range []struct{ text, head, want string }{
		{"roc", "", "rocblas rocsolver"}, {"x = roc", "x = ", "rocblas rocsolver"}, {"whi", "", "while"},
		{"f(poi", "f(", "point"},
		{"point.", "point.", "x y"}, {"point.y.", "point.y.", "z"}, {"point . y . z", "point . y . ", "z"},
		{"missing.", "missing.", ""},
		{"rocblas.set_s", "rocblas.", "set_stream"}, {"rocblas.try.set_s", "rocblas.try.", "set_stream"},
		{"rocblas.status_memory", "rocblas.", "status_memory_error"},
		{"hip.mallo", "hip.", "malloc malloc_async malloc_managed"}, {"handle:set_w", "handle:", "set_workspace"},
		{"handle:que", "handle:", "query"},
		{"handle:dgetrf_s", "handle:", "dgetrf_strided_batched dgetrf_strided_batched_64"},
		{"handle:create_h", "handle:", ""},
		{"handle:query(function(q) q:dgetrf_b", "handle:query(function(q) q:", "dgetrf_batched dgetrf_batched_64"},
		{"a:cop", "a:", "copy"}, {"a.ro", "a.", "rows"}, {"borrowed:", "borrowed:", "release"},
		{"rocblas.status_success.", "rocblas.status_success.", "code name ok"},
		{"rocsolver.dgetrf{", "rocsolver.dgetrf{", "A =  handle =  info =  ipiv =  lda =  m =  n = "},
		{"handle:dgetrf{m = 3, ", "handle:dgetrf{m = 3, ", "A =  info =  ipiv =  lda =  n = "},
		{"rocsolver.dgetrf(handle, {l", "rocsolver.dgetrf(handle, {", "lda = "},
		{"handle:dgetrf{ m = poi", "handle:dgetrf{ m = ", "point"},
		{"x = {poi", "x = {", "point"}, {"handle:dgetrf{m = f{1, 2}, l", "handle:dgetrf{m = f{1, 2}, ", "lda = "},
		{"require 'roc", "require '", "rocblas rocsolver"}, {`require("h`, `require("`, "hip hipblas hipsolver"},
		{"print 'roc", "print 'roc", ""}, {"-- roc", "-- roc", ""},
		{"[[ roc", "[[ roc", ""}, {"print('a') roc", "print('a') ", "rocblas rocsolver"},
		{"print('\\'') roc", "print('\\'') ", "rocblas rocsolver"},
		{":pro", ":", "profile"}, {":profile rocm-7", ":profile ", "rocm-7.1 rocm-7.2"},
		{":help set_wor", ":help ", "set_workspace"}, {":trace o", ":trace ", "off on"},
		{":scheme no", ":scheme ", "none"}, {":load test", ":load ", ""}, {":quit x", ":quit ", ""},
		{":nothing x", ":nothing ", ""}, {"1 + ", "1 + ", "*"},
	} {
		head, found := s.Complete(test.text)
		have := strings.Join(found, " ")
		if test.want == "*" && len(found) > 20 {
			have = "*"
		}
		if len(found) == 0 {
			head = test.head // unchecked
		}
		if head != test.head || have != test.want {
			t.Errorf("%q: %q + %q, want %q + %q", test.text, head, have, test.head, test.want)
		}
	}
}

func TestCompleteInALaterLine(t *testing.T) {
	s, _ := begin(t, false)
	defer s.End()
	s.Feed(t.Context(), "handle:dgetrf{ m = 3,")
	if head, found := s.Complete("  l"); head != "  " || !slices.Equal(found, []string{"lda = "}) {
		t.Errorf("%q + %q, want the parameter of the call that began on an earlier line", head, found)
	}
	s.Discard()
	s.Feed(t.Context(), "x = [[")
	if _, found := s.Complete(":qu"); found != nil {
		t.Errorf("a command was offered inside a string: %q", found)
	}
	s.Discard()
}

// typed is a source of lines and ctrl-c; a line can also request a signal while an entry runs.
type typed struct {
	lines   []string
	signals chan os.Signal
	out     *output
}

const ctrlC = "^C"

func (l *typed) Next(string) (string, error) {
	if len(l.lines) == 0 {
		return "", io.EOF
	}
	line := l.lines[0]
	l.lines = l.lines[1:]
	if line == ctrlC {
		return "", ErrDiscarded
	}
	if name, found := strings.CutPrefix(line, "-- signal "); found {
		line = "print('begun') while true do end"
		signal := map[string]os.Signal{"interrupt": os.Interrupt, "terminate": syscall.SIGTERM}[name]
		l.out.begun = func() { l.signals <- signal }
	}
	return line, nil
}

func TestConverse(t *testing.T) {
	for _, test := range []struct {
		name        string
		interactive bool
		lines       []string
		want        string // a pattern of the entire output
		err         string // of the records
	}{
		{"a user is greeted", true, []string{"x = 1"},
			`(?s)^roclua 1.0, Lua 5.1.*\ncpu: .*\(gfx90a\), 1073741824 bytes \(1.0 GiB\)\n` +
				`rocm-[0-9.]+: rocBLAS [0-9.]+, rocSOLVER [0-9.]+; .*` +
				`Go with .*handle is open, scheme managed\n$`, ""},
		{"a pipe is not", false, []string{"x = 1"}, `^$`, ""},
		{"ctrl-c discards an entry", true, []string{"if true then", ctrlC, "1 + 1"}, `managed\n2\n$`, ""},
		{"ctrl-c stops a script", true, []string{"x = 5", "-- signal interrupt", "x"}, `interrupted\n5\n$`, ""},
		{"a signal ends a pipe", false, []string{"x = 5", "-- signal interrupt", "x"}, `^begun\ninterrupted\n$`,
			"interrupted interrupted"},
		{"a signal ends a session", true, []string{"-- signal terminate", "1"}, `interrupted\n$`, "interrupted"},
		{"the session continues after errors", false, []string{"error('a')", "1", "1 2"},
			`^repl:1: a\n1\nrepl:3:3: '<eof>' expected near '2'\n  1 2\n$`,
			`repl:1: a repl:3:3: '<eof>' expected near '2'`},
		{"errors of a user", true, []string{"error('a')", ":foo"}, `repl:2: unknown command ":foo"`, ""},
		{"an entry that ends too soon", false, []string{"if x then"},
			`^repl:1: 'end' expected \(to close 'if' at line 1\) near '<eof>'\n$`,
			`repl:1: 'end' expected (to close 'if' at line 1) near '<eof>'`},
		{"quit", false, []string{":quit", "1"}, `^$`, ""},
		{"help", false, []string{":help gemm"}, `^about gemm\n$`, ""},
		{"a command takes no argument", false, []string{":stats all"}, `:stats takes no argument, got "all"`,
			`repl:1: :stats takes no argument, got "all"`},
		{"a command needs one", false, []string{":load"}, `:load needs an argument: FILE`,
			"repl:1: :load needs an argument: FILE"},
		{"lines are counted", true, []string{"if true then", ctrlC, "", "error('a')"}, `\nrepl:4: a\n$`, ""},
		{"a method of the line before", false, []string{"x = ('a'", "):upper()", "x"}, `^"A"\n$`, ""},
	} {
		s, out := begin(t, test.interactive)
		signals := make(chan os.Signal, 1)
		records := Converse(s, &typed{test.lines, signals, out}, signals)
		var errs []string
		for _, r := range records {
			if r.End != nil {
				errs = append(errs, r.End.String())
			}
		}
		if !regexp.MustCompile(test.want).MatchString(out.String()) || strings.Join(errs, " ") != test.err {
			t.Errorf("%s: wrote\n%s\nwant %s\nerrors %q, want %q", test.name, out, test.want, errs, test.err)
		}
	}
}

// TestPrompt checks that the prompt shows the line number, and whether the line continues an entry.
func TestPrompt(t *testing.T) {
	s, _ := begin(t, true)
	defer s.End()
	for _, step := range []struct{ line, prompt string }{{"x = 1", "2> "}, {"if true then", "3| "}, {"", "4| "},
		{"end", "5> "}} {
		if s.Feed(t.Context(), step.line); s.Prompt() != step.prompt {
			t.Errorf("after %q the prompt is %q, want %q", step.line, s.Prompt(), step.prompt)
		}
	}
	s.Discard()
	if s.Prompt() != "6> " {
		t.Errorf("after a line that was discarded the prompt is %q", s.Prompt())
	}
}

// TestPlain reads lines with any line endings, and a last line without one.
func TestPlain(t *testing.T) {
	for text, want := range map[string][]string{"": nil, "a": {"a"}, "a\n": {"a"}, "\n": {""}, "\r\n\n": {"", ""},
		"a b\r\n\nc\rd\n e": {"a b", "", "c\rd", " e"}} {
		lines := Plain(strings.NewReader(text))
		var have []string
		line, err := lines.Next("")
		for ; err == nil; line, err = lines.Next("") {
			have = append(have, line)
		}
		if err != io.EOF || line != "" || !slices.Equal(have, want) {
			t.Errorf("%q: the lines are %q, %v, want %q", text, have, err, want)
		}
	}
}

func TestFailedRestartKeepsTheSettings(t *testing.T) {
	s, out := begin(t, false)
	s.Feed(t.Context(), "p = hip.malloc(64)")
	if err := s.restart(func(set *Settings) { set.Platform = "none" }); err == nil {
		t.Error("an unknown platform was opened")
	}
	s.Feed(t.Context(), "p, handle")
	want := "leak: 64 bytes of device memory from hipMalloc at repl:1\n" +
		"nil  rocblas_handle(rocblas_managed, 33554432 bytes (32.0 MiB))\n"
	if out.String() != want {
		t.Errorf("wrote\n%s\nwant\n%s", out, want)
	}
	if !slices.ContainsFunc(s.End(), func(r *record.Record) bool { return len(r.Problems) == 1 }) {
		t.Error("the leak of the first state is not recorded")
	}
}
