package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
	"golang.org/x/tools/txtar"

	"roclua/host/exit"
)

// project is a folder with a configuration and scripts of all kinds.
const project = `
-- config.toml --
seed = 3
baseline = "kept"
[params]
n = 8
[[scenario]]
script = "scripts"
tags = ["nightly"]
[[scenario]]
script = "list.lua"
repeat = 2
-- scripts/solve.lua --
return { schemes = { "managed", "manual" }, params = { n = 1, type = "d", flag = false }, tags = { "slow" },
	run = function(t) end }
-- scripts/query/size.lua --
return { params = { m = 4 }, run = function(t) end }
-- scripts/query/notes.txt --
no script
-- scripts/_size.lua --
return { of = function(n) return 8 * n end }
-- scripts/query/.hidden.lua --
error("not a scenario")
-- scripts/_old/solve.lua --
return { params = { m = 4 }, run = function(t) end }
-- scripts/.git/solve.lua --
error("not a scenario")
-- list.lua --
return { { name = "one", run = function(t) end }, { name = "two", tags = { "slow" }, run = function(t) end } }
-- alone.toml --
shuffle = true
[[scenario]]
script = "list.lua/two"
-- plain.lua --
print("a script")
-- broken.lua --
error("no such thing")
-- broken.toml --
[[scenario]]
script = "broken.lua"
matrix = { q = [1, 2] }
-- extra/scripts/other.lua --
return { params = { n = 1 }, run = function(t) end }
-- missing.toml --
[[scenario]]
script = "none.lua"
-- unknown.toml --
[[scenario]]
script = "list.lua/three"
`

// enterProject writes the files of an archive and makes their folder the current one.
func enterProject(t *testing.T, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, f := range txtar.Parse([]byte(text)).Files {
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func testInput(stdin string) Input {
	return Input{Stdin: strings.NewReader(stdin), Getenv: func(string) string { return "" },
		Flags: pflag.NewFlagSet("", 0)}
}

// shortIDs lists the ids of cases without the default target.
func shortIDs(p *Plan) string {
	var ids []string
	for _, c := range p.Cases {
		ids = append(ids, strings.TrimSuffix(c.ID, "@cpu/rocm-7.2/gfx90a"))
	}
	return strings.Join(ids, " ")
}

func TestSelection(t *testing.T) {
	enterProject(t, project)
	const all = "query/size solve[scheme=managed,n=8] solve[scheme=manual,n=8] " +
		"list/one list/one[repeat=2] list/two list/two[repeat=2]"
	for _, test := range []struct {
		name  string
		s     Selection
		args  string
		stdin string
		want  string
	}{
		{name: "the default file", want: all},
		{name: "a configuration", args: "config.toml", want: all},
		{name: "a script", args: "scripts/solve.lua", want: "solve[scheme=managed] solve[scheme=manual]"},
		{name: "a list", args: "list.lua", want: "list/one list/two"},
		{name: "one of a list", args: "list.lua/two", want: "list/two"},
		{name: "one of a configured list", args: "alone.toml", want: "list/two"},
		{name: "a name", args: "query/size", want: "query/size"},
		{name: "a folder of names", args: "query/", want: "query/size"},
		{name: "a name of a list", args: "list", want: "list/one list/one[repeat=2] list/two list/two[repeat=2]"},
		{name: "a folder of scripts", args: "scripts", want: "query/size solve[scheme=managed] solve[scheme=manual]"},
		{name: "a folder outside of the configuration", args: "extra", want: "scripts/other"},
		{name: "a folder of modules by its name", args: "scripts/_old", want: "solve"},
		{name: "a module by its name", args: "scripts/_old/solve.lua", want: "solve"},
		{name: "standard input", args: "-",
			stdin: "return { params = { n = 1 }, run = function(t) end }", want: "stdin"},
		{name: "an id", args: "solve[scheme=manual,n=8]@cpu/rocm-7.2/gfx90a", want: "solve[scheme=manual,n=8]"},
		{name: "an id of a repetition", args: "list/two[repeat=2]@cpu/rocm-7.2/gfx90a", want: "list/two[repeat=2]"},
		{name: "several arguments", args: "query/size list.lua/two", want: "query/size list/two"},
		{name: "an id and a name", args: "solve[scheme=manual,n=8]@cpu/rocm-7.2/gfx90a query/size",
			want: "solve[scheme=manual,n=8] query/size"},
		{name: "a name and a shuffled file", args: "solve alone.toml",
			want: "solve[scheme=managed,n=8] solve[scheme=manual,n=8] list/two"},
		{name: "a filter", s: Selection{Filter: "/manual|repeat=2/"},
			want: "solve[scheme=manual,n=8] list/one[repeat=2] list/two[repeat=2]"},
		{name: "a filter on several keys", s: Selection{Filter: "n=8,scheme=managed"},
			want: "solve[scheme=managed,n=8]"},
		{name: "an id as a filter", s: Selection{Filter: "list/one@cpu/rocm-7.2/gfx90a"}, want: "list/one"},
		{name: "an id of a file", args: "alone.toml list/two@cpu/rocm-7.2/gfx90a", want: "list/two"},
		{name: "an id of a script", args: "solve[scheme=manual]@cpu/rocm-7.2/gfx90a scripts/solve.lua",
			want: "solve[scheme=manual]"},
		{name: "ids of a folder", args: "extra scripts/other@cpu/rocm-7.2/gfx90a", want: "scripts/other"},
		{name: "ids of a script and of another", want: "list/one solve[scheme=manual]",
			args: "list.lua scripts/solve.lua solve[scheme=manual]@cpu/rocm-7.2/gfx90a list/one@cpu/rocm-7.2/gfx90a"},
		{name: "an id of standard input", args: "stdin[n=3]@cpu/rocm-7.2/gfx90a -",
			s:     Selection{Axes: []string{"n=2,3"}},
			stdin: "return { params = { n = 1 }, run = function(t) end }", want: "stdin[n=3]"},
		{name: "a filter that matches no case", s: Selection{Filter: "zzz"}},
		{name: "repetitions", s: Selection{Repeat: 1}, args: "list", want: "list/one list/two"},
		{name: "more repetitions", s: Selection{Repeat: 3}, args: "list.lua/one",
			want: "list/one list/one[repeat=2] list/one[repeat=3]"},
		{name: "tags", s: Selection{Tags: []string{"slow"}},
			want: "solve[scheme=managed,n=8] solve[scheme=manual,n=8] list/two list/two[repeat=2]"},
		{name: "tags of the configuration", s: Selection{Tags: []string{"nightly", "none"}},
			want: "query/size solve[scheme=managed,n=8] solve[scheme=manual,n=8]"},
		{name: "without tags", s: Selection{SkipTags: []string{"slow"}},
			want: "query/size list/one list/one[repeat=2]"},
		{name: "tags and without tags", s: Selection{Tags: []string{"slow"}, SkipTags: []string{"nightly"}},
			want: "list/two list/two[repeat=2]"},
		{name: "no tags", s: Selection{Tags: []string{}}},
		{name: "an axis", s: Selection{Axes: []string{"n=1,2:4:x2"}}, args: "solve",
			want: "solve[scheme=managed,n=1] solve[scheme=manual,n=1] solve[scheme=managed,n=2] " +
				"solve[scheme=manual,n=2] solve[scheme=managed,n=4] solve[scheme=manual,n=4]"},
		{name: "axes of strings and booleans", args: "scripts/solve.lua",
			s: Selection{Axes: []string{"type=s,true", "flag=true,false"}},
			want: "solve[scheme=managed,flag=true,type=s] solve[scheme=manual,flag=true,type=s] " +
				"solve[scheme=managed,flag=true,type=true] solve[scheme=manual,flag=true,type=true] " +
				"solve[scheme=managed,flag=false,type=s] solve[scheme=manual,flag=false,type=s] " +
				"solve[scheme=managed,flag=false,type=true] solve[scheme=manual,flag=false,type=true]"},
		{name: "a key of faults", s: Selection{Axes: []string{"faults.nth=1,3"}}, args: "query/size",
			want: "query/size[faults.nth=1] query/size[faults.nth=3]"},
		{name: "a setting", s: Selection{Set: []string{"params.n=2K", "params.m=5"}}, args: "query solve",
			want: "query/size[m=5] solve[scheme=managed,n=2048] solve[scheme=manual,n=2048]"},
		{name: "a setting of a script", s: Selection{Set: []string{"params.n=3"}}, args: "-",
			stdin: "return { params = { n = 1 }, run = function(t) end }", want: "stdin[n=3]"},
		{name: "a script that cannot be loaded",
			s:    Selection{Tags: []string{"none"}, Axes: []string{"q=1"}, Filter: "none"},
			args: "broken.toml", want: "broken"},
		{name: "a parameter of a broken script", s: Selection{Set: []string{"params.n=3"}}, args: "broken.lua",
			want: "broken"},
	} {
		p, err := test.s.Plan(t.Context(), testInput(test.stdin), strings.Fields(test.args))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if diff := cmp.Diff(test.want, shortIDs(p)); diff != "" {
			t.Errorf("%s (-want +have):\n%s", test.name, diff)
		}
	}
}

func TestWrongSelections(t *testing.T) {
	enterProject(t, project)
	const wrongSet = "--set params: want KEY=VALUE, such as limits.timeout=30s or params.n=512"
	for _, test := range []struct {
		s    Selection
		args string
		code exit.Code
		want string
	}{
		{args: "list.lua list/on@cpu/rocm-7.2/gfx90a", code: exit.Nothing, want: `list.lua has no case ` +
			`"list/on@cpu/rocm-7.2/gfx90a", did you mean "list/one@cpu/rocm-7.2/gfx90a"? (see roclua inspect)`},
		{args: "solv", code: exit.Nothing,
			want: `config.toml has no scenario "solv", did you mean "solve"? (see roclua list)`},
		{args: "query/siz", code: exit.Nothing,
			want: `config.toml has no scenario "query/siz", did you mean "query/size"? (see roclua list)`},
		{args: "list.lua/tow", code: exit.Nothing,
			want: `list.lua has no scenario "list/tow", did you mean "list/two"? (see roclua list)`},
		{args: "unknown.toml", code: exit.Nothing,
			want: `unknown.toml:2:1: list.lua has no scenario "list/three", did you mean "list/two" or "list/one"? ` +
				"(see roclua list)"},
		{args: "solve[scheme=manual,n=9]@cpu/rocm-7.2/gfx90a", code: exit.Nothing,
			want: `config.toml has no case "solve[scheme=manual,n=9]@cpu/rocm-7.2/gfx90a", ` +
				`did you mean "solve[scheme=manual,n=8]@cpu/rocm-7.2/gfx90a"? (see roclua inspect)`},
		{args: "none.lua", code: exit.Usage,
			want: `cannot read the script: open none.lua: no such file or directory`},
		{args: "none.lua/one", code: exit.Usage,
			want: `cannot read the script: open none.lua: no such file or directory`},
		{args: "none.toml", code: exit.Usage,
			want: `cannot read the configuration: open none.toml: no such file or directory`},
		{args: "missing.toml", code: exit.Usage,
			want: `missing.toml:2:1: script "none.lua": stat none.lua: no such file or directory`},
		{args: "scripts/query/notes.txt", code: exit.Usage,
			want: `scripts/query/notes.txt is neither a configuration (.toml) nor a script (.lua) nor a recording`},
		{s: Selection{Set: []string{"params.n=x"}}, code: exit.Usage,
			want: `--set params.n=x: scenario solve: parameter n is x, must be a number like its default 1`},
		{s: Selection{Repeat: -1}, code: exit.Usage, want: `--repeat -1: must be positive`},
		{s: Selection{Filter: "/(/"}, code: exit.Usage,
			want: "--filter: error parsing regexp: missing closing ): `(`"},
		{s: Selection{Axes: []string{"n"}}, code: exit.Usage,
			want: `--axis n: want NAME=VALUES, such as n=64:1024:x2 or type=s,d`},
		{s: Selection{Axes: []string{"n="}}, code: exit.Usage,
			want: `--axis n=: want NAME=VALUES, such as n=64:1024:x2 or type=s,d`},
		{s: Selection{Axes: []string{"typ=s"}}, code: exit.Usage,
			want: `--axis typ=s: no scenario has a parameter "typ", did you mean "type"?`},
		{s: Selection{Axes: []string{"fault.nth=1"}}, code: exit.Usage,
			want: `--axis fault.nth=1: no scenario has a parameter "fault.nth", did you mean "faults.nth"?`},
		{s: Selection{Axes: []string{"n=1:x"}}, code: exit.Usage,
			want: `--axis n=1:x: scenario solve: matrix: n: "1:x": FROM and TO must be integers`},
		{s: Selection{Axes: []string{"flag=yes"}}, code: exit.Usage,
			want: `--axis flag=yes: scenario solve: parameter flag is yes, must be a boolean like its default false`},
		{s: Selection{Axes: []string{"n=4,4"}}, code: exit.Usage,
			want: `two cases are called solve[scheme=managed,n=4]@cpu/rocm-7.2/gfx90a: ` +
				`config.toml:6:1 (scripts/solve.lua) and config.toml:6:1 (scripts/solve.lua)` +
				`; give one another script name or other parameters`},
		{s: Selection{Set: []string{"params"}}, code: exit.Usage, want: wrongSet},
		{s: Selection{Set: []string{"params"}}, args: "plain.lua", code: exit.Usage, want: wrongSet},
		{s: Selection{Set: []string{"params"}}, args: "extra", code: exit.Usage,
			want: wrongSet},
		{s: Selection{Set: []string{"params.k=3"}}, args: "scripts/solve.lua", code: exit.Usage,
			want: `scripts/solve.lua has no parameter "k" (has flag, n, type)`},
		{s: Selection{Set: []string{"params.k=3"}}, args: "plain.lua", code: exit.Usage,
			want: `plain.lua has no parameter "k" (has none)`},
	} {
		_, err := test.s.Plan(t.Context(), testInput(""), strings.Fields(test.args))
		if err == nil {
			t.Errorf("%+v %s: no error", test.s, test.args)
			continue
		}
		if diff := cmp.Diff(test.want, err.Error()); diff != "" || exit.Of(err) != test.code {
			t.Errorf("%+v %s: exit code %d, want %d (-want +have):\n%s", test.s, test.args, exit.Of(err),
				test.code, diff)
		}
	}
}

// TestPlacesOfSettings checks that the error about a setting names its place in the file.
func TestPlacesOfSettings(t *testing.T) {
	enterProject(t, project)
	const script = "[[scenario]]\nscript = \"list.lua\"\n[[scenario]]\nscript = \"scripts/solve.lua\"\n"
	const notNumber = "scenario solve: parameter n is x, must be a number like its default 1"
	const notCondition = `: column 1: want a comparison such as "< 1e-10" or "== 64" (<= >= == != < >)`
	for text, want := range map[string]string{
		"params = { n = 'x' }":             "5:12: " + notNumber,
		"params = { k = 1 }":               `5:12: scenario solve has no parameter "k" (has flag, n, type)`,
		"matrix = { k = [1] }":             `5:12: scenario solve has no parameter "k" (has flag, n, type)`,
		"matrix = { n = [1, 'x'] }":        "5:20: " + notNumber,
		"matrix = { n = [] }":              "5:12: scenario solve: matrix: n has no values",
		"[scenario.zip]\nn='1:2'\ntype=''": "7:1: scenario solve: zip: n has 2 values, type has 1; they step together",
		"schemes = ['manual', 'user_owned']": "5:22: scenario solve: scheme user_owned is not one of its schemes " +
			"(managed, manual)",
		"[scenario.expect]\nx = '1'":        `6:1: [[scenario]] scripts/solve.lua: expect: x: "1"` + notCondition,
		"[scenario.tolerance]\nx = 'wide'":  "6:1: " + wrongTolerance,
		"[expect]\nx = '1'":                 `6:1: [expect]: expect: x: "1"` + notCondition,
		"[tolerance]\nx = 'wide'":           "6:1: " + wrongTolerance,
		"[params]\nn = 'x'":                 "6:1: " + notNumber,
		"[[scenario]]\nscript = 'none.lua'": `6:1: script "none.lua": stat none.lua: no such file or directory`,
		"[[scenario]]\nscript='list.lua'\nbytes=1": "7:1: scenario list/one: bytes has no effect, because it " +
			"opens its own handles",
	} {
		if err := os.WriteFile("wrong.toml", []byte(script+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := new(Selection).Plan(t.Context(), testInput(""), []string{"wrong.toml"})
		if err == nil || err.Error() != "wrong.toml:"+want {
			t.Errorf("%q:\n%v, want\nwrong.toml:%s", text, err, want)
		}
	}
}

// TestNamesWithoutConfiguration names scenarios where config.toml has an error, which a folder of scripts does not
// hide, and where there is none.
func TestNamesWithoutConfiguration(t *testing.T) {
	enterProject(t, project)
	plan := func(arg string) (string, error) {
		p, err := new(Selection).Plan(t.Context(), testInput(""), []string{arg})
		if err != nil {
			return "", err
		}
		return shortIDs(p), nil
	}
	if err := os.WriteFile("config.toml", []byte("[[scenario]]\nscript = \"none.lua\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, arg := range []string{"extra", "solve"} {
		const want = `config.toml:2:1: script "none.lua": stat none.lua: no such file or directory`
		if ids, err := plan(arg); err == nil || err.Error() != want {
			t.Errorf("%s: %s, %v, want %s", arg, ids, err, want)
		}
	}
	if err := os.Remove("config.toml"); err != nil {
		t.Fatal(err)
	}
	if ids, err := plan("extra"); err != nil || ids != "scripts/other" {
		t.Errorf("a folder: %s, %v", ids, err)
	}
	const want = `"solve" is not a .toml or .lua file, so it names a scenario: cannot read the configuration`
	if ids, err := plan("solve"); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("a name: %s, %v", ids, err)
	}
}
