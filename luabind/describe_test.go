package luabind_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/workspace"
)

func TestDescribe(t *testing.T) {
	for _, test := range []struct{ name, source, err string }{
		{"scenario", scenario(`about = "a", params = { n = 1 }, schemes = { "manual" },`, ""), ""},
		{"list", `return { { name = "a", run = print }, { name = "b_2", run = print } }`, ""},
		{"list without a name", `return { { run = print } }`, `test.lua: scenario 1: name = ""; a scenario in a list`},
		{"list with a wrong name", `return { { name = "a/b", run = print } }`, `name = "a/b"; a scenario`},
		{"name used twice", `return { { name = "a", run = print }, { name = "a", run = print } }`,
			`test.lua: scenario 2: the name "a" is used twice`},
		{"list and fields", `return { { name = "a", run = print }, about = "x" }`,
			`a list of scenarios has a field "about"`},
		{"list with a number", `return { { name = "a", run = print }, 3 }`, "scenario 2: got number, want the table"},
		{"list with an unknown field", `return { { name = "a", rnu = print } }`, `scenario 1: a scenario has no field`},
		{"single with a name", `return { name = "a", run = print }`, "only scenarios in a list have a name"},
		{"list and two fields", `return { { name = "a", run = print }, tags = "y", about = "x" }`,
			`a list of scenarios has a field "about"`},
		{"no run", `return { about = "a" }`, "a scenario needs a function run(t), or a workload with a function " +
			"event(c); its table has about"},
		{"no fields", `return {}`, "a scenario needs a function run(t), or a workload with a function event(c); its " +
			"table has no fields"},
		{"unknown field", `return { abuot = "a", run = function() end }`, `did you mean "about"?`},
		{"unknown scheme", `return { schemes = { "manul" }, run = function() end }`, `did you mean "manual"?`},
		{"reserved parameter", `return { params = { handle = 1 }, run = function() end }`, "is a field or method of t"},
	} {
		t.Run(test.name, func(t *testing.T) {
			script, err := luabind.Compile("test.lua", []byte(test.source))
			if err != nil {
				t.Fatal(err)
			}
			_, err = script.Describe(context.Background(), luabind.Options{})
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("got %v, want %q", err, test.err)
			}
		})
	}
}

func TestPlainScriptIsNotRunToDescribeIt(t *testing.T) {
	script, err := luabind.Compile("plain.lua", []byte(prelude+`local h = rocblas.create_handle() print(h)`))
	if err != nil {
		t.Fatal(err)
	}
	sc, err := script.Describe(context.Background(), luabind.Options{})
	if err != nil || len(sc) != 1 || !sc[0].Plain {
		t.Errorf("%+v, %v", sc, err)
	}
}

// TestRequiredFiles checks the files that a script depends on: all that require looked for, also those that do not
// exist.
func TestRequiredFiles(t *testing.T) {
	near, far := t.TempDir(), t.TempDir()
	for path, source := range map[string]string{filepath.Join(far, "top.lua"): `return require "array" and { n = 1 }`,
		filepath.Join(near, "late.lua"): `return require "top"`} {
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script, err := luabind.Compile("test.lua", []byte(`local n = require("top").n
		return { params = { n = n }, run = function() require "late" pcall(require, "sub.missing")
			pcall(require, "sub.missing") end }`))
	if err != nil {
		t.Fatal(err)
	}
	library := []string{near, far}
	top := []string{filepath.Join(near, "top.lua"), filepath.Join(far, "top.lua")}
	sc, err := script.Describe(t.Context(), luabind.Options{LibraryPaths: library})
	if err != nil || !slices.Equal(sc[0].Required, top) {
		t.Errorf("described: %+v, %v; want %q", sc, err, top)
	}
	r := luabind.Run(t.Context(), script, record.Case{},
		luabind.Options{Profile: workspace.Profiles()[0], LibraryPaths: library})
	want := append(top, filepath.Join(near, "late.lua"), filepath.Join(near, "sub", "missing.lua"),
		filepath.Join(far, "sub", "missing.lua"), filepath.Join(near, "sub", "missing", "init.lua"),
		filepath.Join(far, "sub", "missing", "init.lua"))
	if r.End != nil || !slices.Equal(r.Required, want) {
		t.Errorf("ran: %q, %v; want %q", r.Required, r.End, want)
	}
}
