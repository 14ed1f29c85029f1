package luabind_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/tests/busy"
)

// describe returns the scenarios that a source declares.
func describe(t *testing.T, source string) ([]*record.Scenario, error) {
	t.Helper()
	script, err := luabind.Compile("s.lua", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return script.Describe(context.Background(), luabind.Options{})
}

// TestDeclaredTextIsBounded declares long names and texts in every field.
func TestDeclaredTextIsBounded(t *testing.T) {
	const long = `("x"):rep(5e6)`
	for _, fields := range []string{
		`about = ` + long, `source = ` + long, `tags = ` + long, `tags = { "a", ` + long + ` }`,
		`params = { n = ` + long + ` }`, `params = { [` + long + `] = 1 }`, `expect = { m = ` + long + ` }`,
		`expect = { [` + long + `] = "< 1" }`, `platforms = { ` + long + ` }`, `profiles = ` + long,
	} {
		_, err := describe(t, `return { run = function() end, `+fields+` }`)
		const want = "s.lua: the names and texts of a scenario have more than 131072 bytes"
		if err == nil || err.Error() != want {
			t.Errorf("%s: %.200v", fields, err)
		}
	}
	list := `local l = {} for i = 1, 50 do l[i] = { name = "s" .. i, about = ("x"):rep(1e5),
		run = function() end } end return l`
	if _, err := describe(t, list); err == nil || !strings.Contains(err.Error(), "scenario 42: the names and texts") {
		t.Errorf("a list: %v", err)
	}
}

// TestDeclaredTablesAreBounded declares tables of many entries.
func TestDeclaredTablesAreBounded(t *testing.T) {
	for name, entry := range map[string]string{"params": `l["n" .. i] = i`, "tags": `l[i] = "t"`,
		"expect": `l["m" .. i] = "< 1"`, "schemes": `l[i] = "managed"`, "platforms": `l[i] = "cpu"`} {
		_, err := describe(t, `local l = {} for i = 1, 10001 do `+entry+` end return { run = print, `+name+` = l }`)
		if err == nil || err.Error() != "s.lua: field "+name+" has more than 10000 entries" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLargestDeclarations declares as much as a file may.
func TestLargestDeclarations(t *testing.T) {
	list, err := describe(t, `local l = {} for i = 1, 10000 do l[i] = "t" end return { run = print, tags = l }`)
	if err != nil || len(list) != 1 || len(list[0].Tags) != 10000 {
		t.Errorf("%d tags: %v", len(list), err)
	}
	for text, n := range map[string]int{`"x"`: 131072, `"\255"`: 131072, `"é"`: 131072} {
		list, err = describe(t, fmt.Sprintf(`return { run = print, about = (%s):rep(%d / #%[1]s) }`, text, n))
		if err != nil || len(list) != 1 || len(list[0].About) != n {
			t.Errorf("a long text of %s: %v", text, err)
		}
		_, err = describe(t, fmt.Sprintf(`return { run = print, about = (%s):rep(%d / #%[1]s + 1) }`, text, n))
		if err == nil {
			t.Errorf("a longer text of %s is accepted", text)
		}
	}
	for name, source := range map[string]string{
		"entries":   `local l = { run = print } for i = 1, 10000 do l["f" .. i] = 1 end return l`,
		"scenarios": `local l = {} for i = 1, 100001 do l[i] = {} end return l`,
	} {
		if _, err := describe(t, source); err == nil || !strings.Contains(err.Error(), "10000") {
			t.Errorf("too many %s: %v", name, err)
		}
	}
}

// TestPlainScripts describes what files return that declare no scenario.
func TestPlainScripts(t *testing.T) {
	for source, want := range map[string]string{``: "", `return`: "", `return nil`: "", `return 5`: "the number 5",
		`return "x"`: `the string "x"`} {
		list, err := describe(t, source)
		if err != nil || len(list) != 1 || !list[0].Plain || list[0].Returned != want {
			t.Errorf("%q: %+v, %v; want %q", source, list[0], err, want)
		}
	}
}

// TestUnknownFieldsAreShort declares fields with long names, and many of them.
func TestUnknownFieldsAreShort(t *testing.T) {
	for source, most := range map[string]uint64{
		`return { run = function() end, [("x"):rep(2^20)] = 1 }`:                  3 << 20,
		`local p = {} for i = 1, 1000 do p[("k"):rep(1e4) .. i] = i end return p`: 32 << 20,
	} {
		used := busy.Allocated(func() {
			_, err := describe(t, source)
			if err == nil || !strings.Contains(err.Error(), "a scenario has no field") || len(err.Error()) > 1000 {
				t.Errorf("%.500v", err)
			}
		})
		if used > most {
			t.Errorf("%.60s: allocated %d bytes", source, used)
		}
	}
}

// TestManyScenarios describes a list of 20,000 scenarios, and runs the last one.
func TestManyScenarios(t *testing.T) {
	const source = `local l = {}
		for i = 1, 20000 do l[i] = { name = "s" .. i, run = function(t) t:metric("i", i) end } end return l`
	used := busy.Allocated(func() {
		list, err := describe(t, source)
		if err != nil || len(list) != 20000 || list[19999].Name != "s20000" {
			t.Fatal(len(list), err)
		}
	})
	if used > 128<<20 {
		t.Errorf("allocated %d bytes", used)
	}
	script, err := luabind.Compile("s.lua", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	rec := luabind.Run(context.Background(), script, record.Case{Scenario: "s20000"}, luabind.Options{})
	if !rec.Passed() || len(rec.Metrics) != 1 || rec.Metrics[0].Value != int64(20000) {
		t.Errorf("%+v", rec)
	}
	rec = luabind.Run(context.Background(), script, record.Case{Scenario: "other"}, luabind.Options{})
	if rec.End == nil || !strings.Contains(rec.End.Message, `the list has no scenario "other"`) {
		t.Errorf("%+v", rec)
	}
}
