package plan

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/host/config"
	"roclua/host/exit"
	"roclua/host/output"
	"roclua/luabind/record"
)

// inspected is a folder whose plan has all that a listing distinguishes.
const inspected = `
-- config.toml --
[[scenario]]
script = "solve.lua"
tags = ["nightly"]
zip = { n = [1, 2], m = [3, 4] }
matrix = { type = ["s", "d"], k = 7 }
repeat = 2
skip = [{ match = "scheme=managed,n=2", reason = "slow" }]
[[scenario]]
script = "one.lua"
[[scenario]]
script = "number.lua"
[[scenario]]
script = "string.lua"
[[scenario]]
script = "broken.lua"
[[target]]
[[target]]
arch = "gfx942"
-- solve.lua --
return { schemes = { "managed", "manual" }, params = { n = 1, m = 1, k = 1, type = "d" }, tags = { "slow" },
	run = function(t) end }
-- one.lua --
return { run = function(t) end }
-- number.lua --
return 5
-- string.lua --
return "x"
-- broken.lua --
error("no such thing")
`

// inspect plans the folder.
func inspect(t *testing.T, s Selection, args ...string) (*config.Config, List) {
	t.Helper()
	enterProject(t, inspected)
	p, err := s.Plan(t.Context(), testInput(""), args)
	if err != nil {
		t.Fatal(err)
	}
	return p.Config, p.Cases
}

func TestWriteText(t *testing.T) {
	const solve = "  solve: 2 targets x 2 schemes x type(2) x m and n(2) x repeat(2) = 32 cases"
	for _, test := range []struct {
		filter string
		want   string // after the settings
	}{
		{"one", "  one: 2 targets = 2 cases, 1 of them selected\n\n  one@cpu/rocm-7.2/gfx90a\n\n1 case\n"},
		{"scheme=managed,type=s,arch=gfx90a", solve + `, 4 of them selected, 2 of these skipped
  broken: 2 targets = 2 cases

  'solve[scheme=managed,k=7,m=3,n=1,type=s]@cpu/rocm-7.2/gfx90a'
  'solve[scheme=managed,k=7,m=3,n=1,type=s,repeat=2]@cpu/rocm-7.2/gfx90a'
  'solve[scheme=managed,k=7,m=4,n=2,type=s]@cpu/rocm-7.2/gfx90a'  skipped: slow
  'solve[scheme=managed,k=7,m=4,n=2,type=s,repeat=2]@cpu/rocm-7.2/gfx90a'  skipped: slow
  broken@cpu/rocm-7.2/gfx90a  cannot be loaded: broken.lua:1: no such thing
  broken@cpu/rocm-7.2/gfx942  cannot be loaded: broken.lua:1: no such thing

6 cases
`},
		{"/(n=1,type=d|manual.*n=1,type=s)[]@].*gfx942/", solve + `, 3 of them selected
  broken: 2 targets = 2 cases

  'solve[scheme=manual,k=7,m=3,n=1,type=s]@cpu/rocm-7.2/gfx942'
  'solve[scheme=managed,k=7,m=3,n=1,type=d]@cpu/rocm-7.2/gfx942'
  'solve[scheme=manual,k=7,m=3,n=1,type=d]@cpu/rocm-7.2/gfx942'
  broken@cpu/rocm-7.2/gfx90a  cannot be loaded: broken.lua:1: no such thing
  broken@cpu/rocm-7.2/gfx942  cannot be loaded: broken.lua:1: no such thing

5 cases
`},
	} {
		cfg, cases := inspect(t, Selection{Filter: test.filter})
		if test.filter == "one" {
			_, cases = inspect(t, Selection{Filter: test.filter, Repeat: 1})
			cases = slices.DeleteFunc(cases, func(c *Case) bool { return c.Scenario != "one" })[:1]
		}
		var b strings.Builder
		if err := output.WriteText(&b, &Listing{cfg, cases}); err != nil {
			t.Fatal(err)
		}
		settings, rest, _ := strings.Cut(b.String(), "\ncases\n")
		if diff := cmp.Diff(test.want, rest); diff != "" {
			t.Errorf("%s (-want +have):\n%s", test.filter, diff)
		}
		lines := strings.Split(strings.TrimSuffix(settings, "\n"), "\n")
		if lines[0] != "settings" || len(lines) != 1+len(cfg.Settings()) {
			t.Errorf("the settings are\n%s", settings)
		}
		for _, line := range lines[1:] {
			if at := strings.Index(line, "default"); at > 0 && at != strings.Index(lines[1], "default") {
				t.Errorf("the sources are not in a column:\n%s", settings)
			}
		}
	}
}

func TestWriteJSON(t *testing.T) {
	cfg, cases := inspect(t, Selection{Filter: "scheme=managed,/(n=1,type=s|n=2,type=d).@.*gfx90a/"})
	var b bytes.Buffer
	if err := output.WriteJSON(&b, &Listing{cfg, cases}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "{\n  \"schema_version\": 1,\n  \"settings\": [") {
		t.Errorf("the document starts with %.100q", b.String())
	}
	var have map[string]any
	if err := json.Unmarshal(b.Bytes(), &have); err != nil {
		t.Fatal(err)
	}
	if settings := have["settings"].([]any); len(settings) != len(cfg.Settings()) {
		t.Errorf("%d settings", len(settings))
	}
	delete(have, "settings")
	target := map[string]any{"platform": "cpu", "profile": "rocm-7.2", "arch": "gfx90a"}
	of := func(arch string, values map[string]any) map[string]any {
		all := maps.Clone(target)
		all["arch"] = arch
		maps.Copy(all, values)
		return all
	}
	const failed = "broken.lua:1: no such thing"
	want := map[string]any{"schema_version": 1.0,
		"products": []any{"solve: 2 targets x 2 schemes x type(2) x m and n(2) x repeat(2) = 32 cases, " +
			"2 of them selected, 1 of these skipped",
			"broken: 2 targets = 2 cases"},
		"cases": []any{
			of("gfx90a", map[string]any{"id": "solve[scheme=managed,k=7,m=3,n=1,type=s]@cpu/rocm-7.2/gfx90a",
				"scenario": "solve", "script": "solve.lua", "scheme": "managed", "tags": []any{"slow", "nightly"},
				"params": map[string]any{"k": 7.0, "m": 3.0, "n": 1.0, "type": "s"}}),
			of("gfx90a", map[string]any{"id": "solve[scheme=managed,k=7,m=4,n=2,type=d]@cpu/rocm-7.2/gfx90a",
				"scenario": "solve", "script": "solve.lua", "scheme": "managed", "tags": []any{"slow", "nightly"},
				"params": map[string]any{"k": 7.0, "m": 4.0, "n": 2.0, "type": "d"}, "skip": "slow"}),
			of("gfx90a", map[string]any{"id": "broken@cpu/rocm-7.2/gfx90a", "scenario": "broken",
				"script": "broken.lua", "error": failed}),
			of("gfx942", map[string]any{"id": "broken@cpu/rocm-7.2/gfx942", "scenario": "broken",
				"script": "broken.lua", "error": failed}),
		}}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
}

// TestStrayResults lists the results of plain scripts, which are most likely mistakes.
func TestStrayResults(t *testing.T) {
	_, cases := inspect(t, Selection{})
	const ignored = ", which is ignored; a scenario is a table with a function run, such as " +
		"return { run = function(t) ... end } (see roclua docs scenario)"
	want := []string{"number.lua returns the number 5" + ignored, `string.lua returns the string "x"` + ignored}
	if diff := cmp.Diff(want, StrayResults(cases)); diff != "" {
		t.Error(diff)
	}
}

// TestUnusedExceptions has exceptions that select no case of their scenario, if one of another.
func TestUnusedExceptions(t *testing.T) {
	const example = "; an id is, for example, f/a[n=64,type=s]@cpu/rocm-7.2/gfx90a (roclua inspect lists them)"
	for _, test := range []struct{ entry, want string }{
		{`skip = [{ match = "n=640", reason = "r" }, { match = "type=d", reason = "r" }]`, ""},
		{`known_failures = [{ match = "f/a[n=64,type=s]@cpu/rocm-7.2/gfx90a", reason = "r" }]`, ""},
		{`skip = [{ match = "n=640", reason = "r" }, { match = "n=6", reason = "r" }]`,
			`c.toml:5:46: skip: match = "n=6" selects no case, did you mean "n=64"?` + example},
		{`known_failures = [{ match = "type=s.*n=64", reason = "r" }]`,
			`c.toml:5:21: known_failures: match = "type=s.*n=64" selects no case; ` +
				`a regular expression is between slashes: match = "/type=s.*n=64/"` + example},
		{`skip = [{ match = "other", reason = "r" }]`, `c.toml:5:11: skip: match = "other" selects no case` + example},
	} {
		enterProject(t, `
-- c.toml --
[[scenario]]
script = "f"
name = "f"
matrix = { n = [64, 640], type = ["s", "d"] }
`+test.entry+`
[[scenario]]
script = "other.lua"
-- f/a.lua --
return { params = { n = 1, type = "s" }, run = function(t) end }
-- f/b.lua --
return { params = { n = 1, type = "s" }, run = function(t) end }
-- other.lua --
return { run = function(t) end }
`)
		have := ""
		if _, err := (&Selection{Filter: "f/b"}).Plan(t.Context(), testInput(""), []string{"c.toml"}); err != nil {
			have = err.Error()
		}
		if have != test.want {
			t.Errorf("%s:\n%s, want\n%s", test.entry, have, test.want)
		}
		for _, s := range []Selection{{Axes: []string{"n=1"}}, {Set: []string{"seed=2"}}, {Repeat: 1}} {
			if _, err := s.Plan(t.Context(), testInput(""), []string{"c.toml"}); err != nil {
				t.Errorf("other cases: %v", err)
			}
		}
	}
}

func TestLoadErrors(t *testing.T) {
	_, cases := inspect(t, Selection{})
	err := LoadErrors(append(cases, &Case{}))
	if err == nil || exit.Of(err) != exit.Script || err.Error() != "broken.lua:1: no such thing" {
		t.Errorf("errors of scripts: %v", err)
	}
	if err := LoadErrors(append(cases[:4:4], &Case{})); err != nil {
		t.Errorf("errors of scripts that can be loaded: %v", err)
	}
}

func TestScenariosOfAPlan(t *testing.T) {
	enterProject(t, inspected)
	s := Selection{SkipTags: []string{"slow"}}
	p, err := s.Plan(t.Context(), testInput(""), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"broken", "number", "one", "string"}, Names(p.Definitions())); diff != "" {
		t.Error(diff)
	}
	for _, test := range []struct {
		ids  []string
		want string
	}{
		{nil, ""}, {[]string{}, ""}, {[]string{"none"}, ""},
		{[]string{"one@cpu/rocm-7.2/gfx942", "number@cpu/rocm-7.2/gfx90a"}, "one@cpu/rocm-7.2/gfx942 number"},
	} {
		q, err := p.Restrict(test.ids)
		if err != nil || shortIDs(q) != test.want {
			t.Errorf("%v: %s, %v", test.ids, shortIDs(q), err)
		}
	}
}

// TestNamesOfBrokenScripts names a scenario of a script that cannot be loaded, which may have it.
func TestNamesOfBrokenScripts(t *testing.T) {
	enterProject(t, inspected)
	s := Selection{}
	p, err := s.Plan(t.Context(), testInput(""), []string{"broken/one"})
	if err != nil || shortIDs(p) != "broken broken@cpu/rocm-7.2/gfx942" {
		t.Errorf("%v, %s", err, shortIDs(p))
	}
	_, err = s.Plan(t.Context(), testInput(""), []string{"one/two"})
	const want = `config.toml has no scenario "one/two" (see roclua list)`
	if err == nil || err.Error() != want || exit.Of(err) != exit.Nothing {
		t.Error(err)
	}
}

// TestUnreadableScripts plans a script that cannot be read, and stops when the context ends.
func TestUnreadableScripts(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("scripts/a.lua", 0o700); err != nil {
		t.Fatal(err)
	}
	text := []byte("return { run = function(t) end }")
	for _, name := range []string{"b.lua", "a.lua/c.lua"} {
		if err := os.WriteFile(filepath.Join("scripts", name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("nowhere", "scripts/d.lua"); err != nil {
		t.Skip(err)
	}
	cfg := config.New("")
	cfg.Scenarios, cfg.Library = []config.Scenario{{Script: "scripts"}}, []string{"lib"}
	list, err := LoadScenarios(t.Context(), cfg, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.lua/c", "b", "d"}, Names(list)); diff != "" {
		t.Fatal(diff)
	}
	d := list[2]
	if d.Broken == nil || d.Broken.Kind != record.EndInvalid || d.Source != nil || !d.Declared.Plain ||
		!strings.HasPrefix(d.ErrorText(), "cannot read the script: open scripts/d.lua: ") {
		t.Errorf("%+v, %s", d, d.ErrorText())
	}
	if list[1].ErrorText() != "" || list[1].Source == nil || list[1].Declared.Plain {
		t.Errorf("%+v", list[1])
	}
	if diff := cmp.Diff([]string{filepath.Join("scripts", "a.lua"), "lib"}, list[0].SearchPaths); diff != "" {
		t.Error(diff)
	}
}
