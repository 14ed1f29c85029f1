package luabind_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/workspace"
)

// newSession returns a session on a simulated device of 1 GiB.
func newSession(t *testing.T) *luabind.Session {
	t.Helper()
	rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	profile, err := workspace.FindProfile(workspace.DefaultProfileOf("cpu"))
	if err != nil {
		t.Fatal(err)
	}
	s := luabind.NewSession(1, luabind.Options{Runtime: rt, Profile: profile, Output: &strings.Builder{}})
	t.Cleanup(func() { rt.Close() })
	return s
}

// eval runs an entry, which must compile.
func eval(t *testing.T, ctx context.Context, s *luabind.Session, text string) ([]string, error) {
	t.Helper()
	entry, err := luabind.CompileEntry("repl", 1, text)
	if err != nil {
		t.Fatalf("%q: %s", text, err)
	}
	return s.Eval(ctx, entry)
}

func TestIncompleteEntries(t *testing.T) {
	for _, test := range []struct {
		text       string
		incomplete bool
	}{
		{"if true then", true}, {"if true then\nx = 1", true}, {"for i = 1, 3 do", true}, {"function f()", true},
		{"local", true},
		{"x = {", true}, {"{1,", true}, {"f(", true}, {"1 +", true}, {"= 1 +", true}, {"x =", true},
		{"x = function() return 1", true},
		{"[[long", true}, {"x = [==[ a ]]", true}, {"--[[ comment", true}, {"repeat", true},
		{"'ends in a backslash \\", true}, {"a.", true},
		{"1 2", false}, {"x = = 2", false}, {`"abc`, false}, {"end", false}, {"x = }", false}, {"= x = 1", false},
		{"if x then end end", false},
	} {
		_, err := luabind.CompileEntry("repl", 7, test.text)
		if err == nil || luabind.IsIncomplete(err) != test.incomplete {
			t.Errorf("%q: incomplete %t, want %t (%v)", test.text, luabind.IsIncomplete(err), test.incomplete, err)
		}
	}
	for _, text := range []string{"1", "= 1", " =1", "x", "f()", "x = 1", "return 1", "-- comment", "f() g()",
		"local x", "#!shebang", "'a\\\nb'"} {
		if _, err := luabind.CompileEntry("repl", 7, text); err != nil {
			t.Errorf("%q: %s", text, err)
		}
	}
}

func TestPlacesOfEntries(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"1 2", `repl:7:3: '<eof>' expected near '2'`}, {"= 1 2", `repl:7:5: '<eof>' expected near '2'`},
		{"x = = 2", `repl:7:5: unexpected symbol near '='`},
		{"x = 1\ny = )", `repl:8:5: unexpected symbol near ')'`},
		{"x = 1\ny = 'abc", `repl:8:5: unfinished string near ''abc'`},
	} {
		if _, err := luabind.CompileEntry("repl", 7, test.text); err == nil || err.Error() != test.want {
			t.Errorf("%q: %v, want %s", test.text, err, test.want)
		}
	}
	entry, err := luabind.CompileEntry("repl", 7, "x = 1\nerror('here')")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newSession(t).Eval(t.Context(), entry); err == nil || err.Error() != "repl:8: here" {
		t.Errorf("%v, want repl:8: here", err)
	}
}

// mixed is how a prompt shows a table of 2 items and 25 fields.
var mixed = func() string {
	list := []string{"true|{\n  1", "2"}
	for i := 1; i <= 18; i++ {
		list = append(list, fmt.Sprintf("k%d = %d", 100+i, i))
	}
	return strings.Join(append(list, "... 7 more"), ",\n  ") + "\n}"
}()

func TestValuesOfEntries(t *testing.T) {
	s := newSession(t)
	for _, test := range []struct{ entry, want string }{
		{"1 + 2", "3"}, {"= 2 ^ 40", "1099511627776"}, {"0.5, 'a', nil, true", `0.5|"a"|nil|true`}, {"print()", ""},
		{"x = 1", ""}, {"return 1, 2", "1|2"},
		{"local a, b = 4", ""}, {"a, b", "4|nil"}, {"local function twice(x) return 2 * x end", ""},
		{"twice(a)", "8"}, {"do local hidden = 1 end", ""},
		{"hidden", "nil"}, {"local a", ""}, {"a", "nil"}, {"twice", "function made at repl:1"},
		{"print", "function of roclua"},
		{"{3, 1, x = {y = {1}}, ['a b'] = false, [-1] = 1}", `{3, 1, [-1] = 1, ["a b"] = false, x = {y = {...}}}`},
		{"loop = {} loop.loop = loop", ""}, {"loop", "{loop = {loop = {...}}}"}, {"{{}, {{}}}", "{{}, {{}}}"},
		{"list = {} for i = 1, 50 do list[i] = 0 end", ""}, {"list", "{" + strings.Repeat("0, ", 20) + "... 30 more}"},
		{"{('x'):rep(90), 1, 2, 3, 4, ('y'):rep(30)}",
			"{\n  \"" + strings.Repeat("x", 60) + "\"...,\n  1,\n  2,\n  3,\n  4,\n  \"" +
				strings.Repeat("y", 30) + "\"\n}"},
		{"{('x'):rep(60)}", `{"` + strings.Repeat("x", 60) + `"}`},
		{"{('x'):rep(61)}", `{"` + strings.Repeat("x", 60) + `"...}`},
		{"{('x'):rep(60), ('y'):rep(32)}", `{"` + strings.Repeat("x", 60) + `", "` + strings.Repeat("y", 32) + `"}`},
		{"mixed = {1, 2} for i = 1, 25 do mixed['k' .. 100 + i] = i end", ""},
		{"#tostring(mixed) > 0, mixed", mixed},
		{"setmetatable({}, {__tostring = function() return 'me' end})", "me"},
		{"setmetatable({}, {__tostring = function() return ('me'):rep(51) end})", strings.Repeat("me", 51)},
		{"setmetatable({}, {__tostring = function() error('no') end})", "a table whose __tostring fails"},
		{"rocblas, array, rocblas.try", "module rocblas|module array|rocblas.try"},
		{"rocblas.operation_none, rocblas.status_success", "111|rocblas_status_success"},
		{"array.of('i32', {1, -2, 3})", "array(i32, 3x1)  1  -2  3"},
		{"array.zeros('z', 1, 2)", "array(z, 1x2)  0+0i  0+0i"},
		{"array.of('d', {1, 10, 0.5, -2}, 2)", "array(d, 2x2)\n   1  0.5\n  10   -2"},
		{"array.zeros('s', 0)", "array(s, 0x1)"},
		{"array.zeros('s', 8)", "array(s, 8x1)  0  0  0  0  0  0  0  0"},
		{"array.zeros('s', 8, 2)", "array(s, 8x2)" + strings.Repeat("\n  0  0", 8)},
		{"array.zeros('s', 9)", "array(s, 9x1)  0  0  0  0  0  0  0  0  ..."},
		{"array.zeros('s', 9, 9)", "array(s, 9x9)" + strings.Repeat("\n  0  0  0  0  0  0  0  0  ...", 8) + "\n  ..."},
		{"p = hip.malloc(64)", ""}, {"p", "device pointer 0x1000000010000, a block of 64 bytes"},
		{"p + 16 - 16", "device pointer 0x1000000010000, a block of 64 bytes"},
		{"p + 8", "device pointer 0x1000000010008, byte 8 of a block of 64 bytes"},
		{"hip.free(p)", "hipSuccess"}, {"p", "device pointer 0x1000000010000, in no live block"},
	} {
		values, err := eval(t, t.Context(), s, test.entry)
		if have := strings.Join(values, "|"); err != nil || have != test.want {
			t.Errorf("%s\nhave %s %v\nwant %s", test.entry, have, err, test.want)
		}
	}
}

// TestSessionContinues ends entries in every way, and reads the variables after that.
func TestSessionContinues(t *testing.T) {
	s := newSession(t)
	if err := s.OpenHandle("managed"); err != nil {
		t.Fatal(err)
	}
	eval(t, t.Context(), s, "kept = 5; co = coroutine.wrap(function() while true do coroutine.yield(kept) end end)")
	var script *luabind.Error
	if _, err := eval(t, t.Context(), s, "error('x')"); !errors.As(err, &script) {
		t.Errorf("an error gave %v", err)
	}
	var abort *luabind.Abort
	_, err := eval(t, t.Context(), s, `a = handle:device_malloc(64) b = handle:device_malloc(64)
		pcall(function() a:release() end)`)
	if !errors.As(err, &abort) {
		t.Errorf("an abort gave %v", err)
	}
	for _, loop := range []string{"while true do end", "while true do pcall(error) end",
		"coroutine.wrap(function() while true do end end)()",
		"setmetatable({}, {__tostring = function() while true do end end})"} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		if _, err := eval(t, ctx, s, loop); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, interrupted, gave %v", loop, err)
		}
	}
	eval(t, t.Context(), s, "co = coroutine.wrap(function() while true do coroutine.yield(kept) end end)")
	for range 2 { // a coroutine lives longer than the entry that made it
		if values, err := eval(t, t.Context(), s, "co()"); err != nil || !slices.Equal(values, []string{"5"}) {
			t.Errorf("co() is %v, %v", values, err)
		}
	}
}

func TestHoldersAndLeaksOfASession(t *testing.T) {
	s := newSession(t)
	if err := s.OpenHandle("manual"); err != nil {
		t.Fatal(err)
	}
	eval(t, t.Context(), s, "h = rocblas.create_handle()")
	eval(t, t.Context(), s, "p = hip.malloc(64)")
	holders := s.Holders()
	if len(holders) != 2 || holders[0].Made != "" || holders[1].Made != "repl:1" ||
		!strings.Contains(holders[0].Text, "user_managed") {
		t.Errorf("holders %v", holders)
	}
	want := []string{"leak: the handle made at repl:1 was not destroyed",
		"leak: 64 bytes of device memory from hipMalloc at repl:1"}
	if record := s.Close(); !slices.Equal(record.Problems, want) {
		t.Errorf("problems %q, want %q", record.Problems, want)
	}
}

func TestLook(t *testing.T) {
	s := newSession(t)
	if err := s.OpenHandle("managed"); err != nil {
		t.Fatal(err)
	}
	eval(t, t.Context(), s, `base = {draw = 1} shape = setmetatable({x = {y = 1}}, {__index = base})
		circle = {} setmetatable(circle, {__index = circle}) name = 'a'`)
	for _, test := range []struct{ path, class, has string }{
		{"", "table", "rocblas"}, {"rocblas", "table", "dgemm"}, {"rocblas.try", "table", "set_workspace"},
		{"hip", "table", "malloc"},
		{"array", "table", "zeros"}, {"shape", "table", "draw"}, {"shape.x", "table", "y"},
		{"circle.missing", "nil", ""}, {"name", "string", "rep"},
		{"handle", "roclua.handle", ""}, {"rocblas.status_success", "roclua.status", ""},
		{"rocblas.try.operation_none", "nil", ""}, {"missing.field", "nil", ""}, {"string", "table", "format"},
	} {
		var path []string
		if test.path != "" {
			path = strings.Split(test.path, ".")
		}
		look := s.Look(path...)
		if look.Class != test.class || test.has != "" && !slices.Contains(look.Names, test.has) {
			t.Errorf("%s: a %s with %q, want a %s with %s", test.path, look.Class, look.Names, test.class, test.has)
		}
	}
	if names := s.Look("rocblas", "try").Names; slices.Contains(names, "operation_none") ||
		slices.Contains(names, "try") {
		t.Error("rocblas.try has names that are not functions")
	}
}
