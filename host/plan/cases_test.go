package plan

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/host/config"
)

// TestOrder makes outlines of parts whose cases are shuffled or not.
func TestOrder(t *testing.T) {
	part := func(shuffle bool, spaces ...*Space) Part { return Part{Spaces: spaces, Shuffle: shuffle, Seed: 7} }
	excluded := repeated("x", 3)
	excluded.Excluded = true
	broken := repeated("y", 1)
	broken.Excluded, broken.Broken = true, true
	a, b := repeated("a", 4), repeated("b", 3)
	for _, test := range []struct {
		name  string
		parts []Part
		only  []string
		want  string
	}{
		{"in order", []Part{part(false, a, b)}, nil, "a a2 a3 a4 b b2 b3"},
		{"shuffled", []Part{part(true, a, b)}, nil, "b a4 a3 b2 a b3 a2"},
		{"a part in order, one shuffled", []Part{part(false, a), part(true, b)}, nil, "a a2 a3 a4 b2 b3 b"},
		{"a part shuffled, one in order", []Part{part(true, a), part(false, b)}, nil, "a4 a2 a a3 b b2 b3"},
		{"excluded", []Part{part(false, excluded, a, broken)}, nil, "a a2 a3 a4 y"},
		{"excluded in the second part", []Part{part(false, a), part(false, excluded, b)}, nil, "a a2 a3 a4 b b2 b3"},
		{"all are excluded", []Part{part(false, excluded)}, nil, ""},
		{"only some", []Part{part(false, a), part(true, b)}, []string{"b3", "a"}, "a b3"},
		{"only none", []Part{part(false, a)}, []string{}, ""},
	} {
		o := Outline{Parts: test.parts}
		for _, p := range test.parts {
			for _, sp := range p.Spaces {
				if err := sp.prepare(); err != nil {
					t.Fatal(err)
				}
			}
		}
		all, _, err := o.Cases(Shard{})
		if err != nil {
			t.Fatal(err)
		}
		if test.only != nil {
			o.Only = []string{}
			for _, c := range all {
				if slices.Contains(test.only, shortID(c.ID)) {
					o.Only = append(o.Only, c.ID)
				}
			}
			if all, _, err = o.Cases(Shard{}); err != nil {
				t.Fatal(err)
			}
		}
		var have []string
		for _, c := range all {
			have = append(have, shortID(c.ID))
		}
		if text := strings.Join(have, " "); text != test.want {
			t.Errorf("%s: %s, want %s", test.name, text, test.want)
		}
	}
}

// shortID shortens "a[repeat=2]@cpu/..." to "a2".
func shortID(id string) string {
	id, _, _ = strings.Cut(id, "@")
	return strings.TrimSuffix(strings.ReplaceAll(id, "[repeat=", ""), "]")
}

func TestIDs(t *testing.T) {
	target := config.Target{Platform: "cpu", Profile: "rocm-7.2", Arch: "gfx90a"}
	for _, test := range []struct {
		id     string
		is, of bool // an id of a case, and of a case of solve on the target
	}{
		{"solve@cpu/rocm-7.2/gfx90a", true, true}, {"solve[n=1]@cpu/rocm-7.2/gfx90a", true, true},
		{"solve/one@cpu/rocm-7.2/gfx90a", true, true}, {"solver@cpu/rocm-7.2/gfx90a", true, false},
		{"solve@cpu/rocm-7.2/gfx942", true, false}, {"other@cpu/rocm-7.2/gfx90a", true, false},
		{"solve", false, false}, {"a@b.lua", false, false}, {"a@b.toml", false, false},
	} {
		if is, of := IsCaseID(test.id), IsOf(test.id, "solve", target); is != test.is || of != test.of {
			t.Errorf("%s: %t, %t", test.id, is, of)
		}
	}
	broken := repeated("solve", 1)
	broken.Broken = true
	other := repeated("other", 2)
	for _, test := range []struct {
		id   string
		want int
	}{{"solve[n=7]@cpu/rocm-7.2/gfx90a", 1}, {"solve[n=7]@cpu/rocm-7.2/gfx942", 0},
		{"other[repeat=2]@cpu/rocm-7.2/gfx90a", 1}, {"other[n=2]@cpu/rocm-7.2/gfx90a", 0}} {
		o := Outline{Parts: []Part{{Spaces: []*Space{broken, other}, Only: []string{test.id}}}}
		if c, _, err := o.Cases(Shard{}); err != nil || len(c) != test.want {
			t.Errorf("%s: %d cases, %v", test.id, len(c), err)
		}
	}
}

func TestFilesOfBaselines(t *testing.T) {
	a, b, c, d := repeated("a", 1), repeated("b", 1), repeated("c", 1), repeated("d", 1)
	a.Baseline, b.Baseline, d.Baseline = "x.toml", "y.toml", "x.toml"
	excluded, skipped := repeated("e", 1), repeated("f", 1)
	excluded.Baseline, excluded.Excluded = "excluded.toml", true
	skipped.Baseline, skipped.Broken, skipped.Targets[0].Skip = "skipped.toml", true, "a reason"
	if err := skipped.prepare(); err != nil {
		t.Fatal(err)
	}
	cases, _, err := (&Outline{Parts: []Part{{Spaces: []*Space{a, excluded, b, skipped, c, d}}}}).Cases(Shard{})
	have := cases.Files(func(c *Case) string { return c.Baseline })
	if diff := cmp.Diff([]string{"x.toml", "y.toml"}, have); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestWholePlans(t *testing.T) {
	broken := repeated("b", 1)
	broken.Broken = true
	for _, test := range []struct {
		o    Outline
		want bool
	}{
		{Outline{Whole: true, Parts: []Part{{Spaces: []*Space{repeated("a", 1)}}}}, true},
		{Outline{Parts: []Part{{Spaces: []*Space{repeated("a", 1)}}}}, false},
		{Outline{Whole: true, Parts: []Part{{Spaces: []*Space{repeated("a", 1)}}, {Spaces: []*Space{broken}}}}, false},
	} {
		if have := test.o.IsWhole(); have != test.want {
			t.Errorf("%+v: %t", test.o, have)
		}
	}
	for _, test := range []struct {
		s    Selection
		want bool
	}{
		{Selection{}, false}, {Selection{Set: []string{"seed=3"}}, false}, {Selection{Filter: "a"}, true},
		{Selection{Tags: []string{}}, true}, {Selection{SkipTags: []string{}}, true},
		{Selection{Axes: []string{}}, true}, {Selection{Repeat: 1}, true},
	} {
		if have := test.s.IsPartial(); have != test.want {
			t.Errorf("%+v: %t", test.s, have)
		}
	}
}

func TestNothingSelected(t *testing.T) {
	enterProject(t, project)
	const tags = "no case is selected: no scenario has the tags (roclua list shows them)"
	const example = "; an id is, for example, query/size@cpu/rocm-7.2/gfx90a (roclua inspect lists them)"
	for _, test := range []struct {
		s    Selection
		want string
	}{
		{Selection{}, "no case is selected: there is no scenario"}, {Selection{Tags: []string{"slow", "a"}}, tags},
		{Selection{Tags: []string{"slow", "nightli"}},
			`no case is selected: no scenario has the tags, did you mean "nightly"? (roclua list shows them)`},
		{Selection{SkipTags: []string{"a"}}, tags},
		{Selection{Filter: "a$"}, `no case is selected: no case id matches --filter "a$"; ` +
			"a regular expression is between slashes: --filter '/a$/'" + example},
		{Selection{Filter: "solve,n=[1-9].*"}, `no case is selected: no case id matches --filter "solve,n=[1-9].*"; ` +
			`a regular expression is between slashes: --filter 'solve,/n=[1-9].*/'` + example},
		{Selection{Filter: "/a$/"}, `no case is selected: no case id matches --filter "/a$/"` + example},
		{Selection{Filter: "scheme=manul,type=d"}, `no case is selected: no case id matches ` +
			`--filter "scheme=manul,type=d", did you mean "scheme=manual"?` + example},
		{Selection{Filter: "list/one@cpu/rocm-7.2/gfx90b"}, `no case is selected: no case id matches ` +
			`--filter "list/one@cpu/rocm-7.2/gfx90b", did you mean "list/one@cpu/rocm-7.2/gfx90a"?` + example},
		{Selection{Filter: "a$", Tags: []string{"a"}}, `no case is selected: no case id matches --filter "a$"; ` +
			"a regular expression is between slashes: --filter '/a$/'"},
	} {
		p, err := test.s.Plan(t.Context(), testInput(""), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := test.s.NothingSelected(p); err.Error() != test.want {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

func TestNamesOfScripts(t *testing.T) {
	roots := []string{filepath.FromSlash("a/b"), filepath.FromSlash("a")}
	for path, want := range map[string]string{"a/b/c.lua": "c", "a/c/d.lua": "c/d", "e/f.lua": "f", "b/a/x.lua": "x"} {
		if have := nameOf(filepath.FromSlash(path), roots); have != want {
			t.Errorf("%s is called %s, want %s", path, have, want)
		}
	}
	for _, test := range []struct{ arg, file, name string }{
		{"a.lua", "a.lua", ""}, {"a.lua/one", "a.lua", "one"}, {"a.lua//one", "a.lua", "one"}, {"a.lua/", "a.lua/", ""},
		{"a/b", "a/b", ""}, {"one", "one", ""}, {"x/a.lua/one", "x/a.lua", "one"},
	} {
		if file, name := SplitScenario(test.arg); file != test.file || name != test.name {
			t.Errorf("%s: %s and %s", test.arg, file, name)
		}
	}
}
