package luabind

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/luabind/manual"
)

// TestManualIsComplete holds that the manual describes what is bound, no more and no less.
func TestManualIsComplete(t *testing.T) {
	s := newState(t.Context(), 1, Options{})
	defer s.close()
	bound := map[string][]string{
		"rocblas": functionsOf(s.rocblas()), "rocsolver": functionsOf(s.rocsolver()), "hip": functionsOf(s.hip()), "array": tableFunctions(s.array()),
		"handle:": slices.Sorted(maps.Keys(handleMethods)), "array:": slices.Sorted(maps.Keys(arrayMethods)), "t:": slices.Sorted(maps.Keys(testMethods)),
		"allocation:": {"release"}, "os": {"getenv", "setenv"},
	}
	described := map[string][]string{}
	for _, f := range api.Functions() {
		owner := strings.TrimSuffix(f.Title(), f.Name)
		owner = strings.TrimSuffix(owner, ".")
		described[owner] = append(described[owner], f.Name)
		slices.Sort(described[owner])
	}
	described["array:"] = slices.Sorted(slices.Values(append(described["array:"], "norm"))) // also a function of the module
	if diff := cmp.Diff(bound, described); diff != "" {
		t.Errorf("bound, but described otherwise (-bound +described):\n%s", diff)
	}
}

// functionsOf lists the functions of a module that are not routines of the table.
func functionsOf(m *module) []string {
	names := slices.Collect(maps.Keys(m.bindings))
	for name, v := range m.values {
		if v.Type() == lua.LTFunction {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func tableFunctions(t *lua.LTable) []string {
	var names []string
	t.ForEach(func(k, _ lua.LValue) { names = append(names, k.String()) })
	slices.Sort(names)
	return names
}

// TestManualCountsResults compares the results that the manual gives the functions of C with what is bound.
func TestManualCountsResults(t *testing.T) {
	s := newState(t.Context(), 1, Options{})
	defer s.close()
	modules := map[string]*module{"rocblas": s.rocblas(), "rocsolver": s.rocsolver(), "hip": s.hip()}
	for _, f := range api.Functions() {
		if f.C == "" {
			continue
		}
		if b := modules[f.Owner].bindings[f.Name]; b.outputs != len(f.Results) && !b.bare || b.bare == (f.Status != "") {
			t.Errorf("%s has %d outputs and bare is %v; declared is %s", f.Title(), b.outputs, b.bare, f.Signature())
		}
	}
}

// maxStub is the size above which the language server does not load a file.
const maxStub = 500 * 1000

// TestStubsAreLua compiles the annotations, which are Lua with comments, and looks for every routine.
func TestStubsAreLua(t *testing.T) {
	var all strings.Builder
	for name, text := range manual.Stubs() {
		if _, err := Compile(name, []byte(text)); err != nil {
			t.Error(err)
		}
		if len(text) > maxStub {
			t.Errorf("%s has %d bytes; a language server loads at most %d", name, len(text), maxStub)
		}
		all.WriteString(text)
	}
	for _, r := range routine.All() {
		if !strings.Contains(all.String(), "\nfunction "+r.Library.String()+"."+r.Name+"(handle") {
			t.Errorf("no stub of %s", r.CName())
		}
	}
}
