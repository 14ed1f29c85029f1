package config

import (
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the files that are made from Keys")

// about is the start of every documented configuration.
const about = `Each source overrides those before it: the program's default, this file, an environment variable
ROCLUA_*, --set KEY=VALUE, a flag. An unknown key is an error. Paths are relative to the folder of this file.`

// Reference returns a configuration file that describes every key and sets it to its default, if any. The keys of
// targets and scenarios are in comments at the end, so a file can continue with its own.
func Reference() string {
	var b strings.Builder
	comment(&b, about)
	for i := range Keys {
		writeKey(&b, &Keys[i])
	}
	return b.String()
}

// TestEveryFieldHasAKey compares the fields of the configuration with Keys, in both directions.
func TestEveryFieldHasAKey(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[Config](), reflect.TypeFor[Limits](), reflect.TypeFor[Faults](),
		reflect.TypeFor[Target](), reflect.TypeFor[Scenario](), reflect.TypeFor[Exception]()} {
		for i := range typ.NumField() {
			if f := typ.Field(i); f.IsExported() && KeyOf(typ, f.Name) == nil {
				t.Errorf("%s.%s has no row in Keys", typ, f.Name)
			}
		}
	}
	seen := map[string]bool{}
	for _, k := range Keys {
		if _, _, ok := fieldType(k.Name); !ok {
			t.Errorf("the key %s has no field", k.Name)
		}
		if seen[k.Name] || k.Flag != "" && seen["--"+k.Flag] {
			t.Errorf("the key %s or its flag is described twice", k.Name)
		}
		seen[k.Name], seen["--"+k.Flag] = true, true
		if k.Usage == "" || strings.HasSuffix(k.Usage, ".") ||
			strings.ToLower(k.Usage[:1]) != k.Usage[:1] && !strings.HasPrefix(k.Usage, "Lua ") {
			t.Errorf("the usage of %s is not a phrase in lower case: %q", k.Name, k.Usage)
		}
		if k.Doc != "" && !strings.HasSuffix(k.Doc, ".") {
			t.Errorf("the documentation of %s is not a sentence: %q", k.Name, k.Doc)
		}
	}
}

// TestExamples decodes the default and the example of every key.
func TestExamples(t *testing.T) {
	for _, k := range Keys {
		for _, value := range []string{k.Default, k.Example} {
			text := k.Base() + " = " + value
			if k.Table() != "" {
				text = "[" + k.Table() + "]\n" + text
			}
			switch {
			case value == "":
				continue
			case k.hasHeader():
				text = "[" + k.Name + "]\n" + value
			case k.Table() == "target" || k.Table() == "scenario":
				text = "[" + text
				text = strings.Replace(text, "]", "]]", 1)
			}
			c := Default()
			if err := c.decode(text, "example"); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// ownPart starts the part of config.toml that is not generated from Keys.
const ownPart = `
# The targets and scenarios of this file. "make docs" writes the text above from host/config/keys.go.
`

// TestBundledConfigIsFresh compares the documentation in config.toml with Keys.
func TestBundledConfigIsFresh(t *testing.T) {
	const path = "../../config.toml"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	have, own, found := strings.Cut(string(text), ownPart)
	if !found {
		t.Fatalf("%s has no line %q", path, strings.TrimSpace(ownPart))
	}
	const title = "# The default run: every scenario under scripts/, under every scheme, on several releases."
	want := title + "\n#\n" + Reference()
	if *update {
		if err := os.WriteFile(path, []byte(want+ownPart+own), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("%s is stale; run make docs\n%s", path, diff)
	}
}

// TestPages compares the pages of some keys with testdata.
func TestPages(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"seed", "library", "limits", "limits.timeout", "target", "target.arch", "scenario",
		"scenario.skip", "expect", "faults.streams"} {
		b.WriteString(Find(name).Page() + "\n")
	}
	b.WriteString("All\n\n" + Table(""))
	const path = "testdata/pages.txt"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s is stale; run make docs\n%s", path, diff)
	}
}

// TestReferenceIsTheDefault decodes the reference and the starter file.
func TestReferenceIsTheDefault(t *testing.T) {
	c := Config{}
	meta, err := toml.Decode(Reference(), &c)
	if err != nil || len(meta.Undecoded()) > 0 {
		t.Fatal(err, meta.Undecoded())
	}
	if diff := cmp.Diff(Default(), c, cmp.AllowUnexported(Config{}),
		cmp.FilterValues(bothEmpty, cmp.Ignore())); diff != "" {
		t.Error(diff)
	}
	s := Default()
	if err := s.decode(Starter("scripts", "schema.json"), "starter"); err != nil {
		t.Error(err)
	}
	s.complete()
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	if len(s.Targets) != 2 || len(s.Scenarios) != 1 {
		t.Errorf("the starter file has %d targets and %d scenarios", len(s.Targets), len(s.Scenarios))
	}
}

// bothEmpty reports whether two maps have no entries; the reference has headers of empty tables.
func bothEmpty(a, b any) bool {
	v, w := reflect.ValueOf(a), reflect.ValueOf(b)
	return v.Kind() == reflect.Map && w.Kind() == reflect.Map && v.Len() == 0 && w.Len() == 0
}

// TestFlagsParse sets every key with a default to it by its flag.
func TestFlagsParse(t *testing.T) {
	for _, k := range Keys {
		if k.Flag == "" || k.Default == "" {
			continue
		}
		c := New("test")
		if err := c.override(&k, "--"+k.Flag, strings.Trim(k.Default, `"`)); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(New("test"), c, cmp.AllowUnexported(Config{}), cmp.FilterPath(func(p cmp.Path) bool {
			return p.String() == "sources"
		}, cmp.Ignore())); diff != "" {
			t.Errorf("--%s: %s", k.Flag, diff)
		}
	}
}
