package luabind

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/escape"
	"roclua/internal/nearest"
	"roclua/luabind/engine"
	"roclua/luabind/record"
	"roclua/workspace"
)

// scenarioFields are the fields that the table of a scenario may have.
var scenarioFields = sync.OnceValue(func() []string { return engine.FieldsOf("scenario") })

// testFields returns the names of the fields and methods of t, which a parameter may not have.
var testFields = sync.OnceValue(func() []string { return engine.MembersOf("test") })

// declaration is a scenario and the table that declares it.
type declaration struct {
	*record.Scenario
	table    *lua.LTable
	where    string    // of the table, for messages
	workload *workload // nil for a scenario with a function run
}

// declarations reads the table that a file returned: a scenario, or a list of scenarios with different names.
func (sc *Script) declarations(table *lua.LTable) ([]declaration, error) {
	left := maxDeclared
	if !isList(table) {
		d, err := sc.scenario(sc.Name, table, &left)
		if err == nil && d.Name != "" {
			err = sc.failure(sc.Name, "only scenarios in a list have a name; this one is named after its file")
		}
		return []declaration{d}, err
	}
	if n := table.Len(); n > maxScenarios {
		return nil, sc.failure(sc.Name, "the list has %d scenarios; a file can have at most %d", n, maxScenarios)
	}
	if name := anyField(table); name != "" {
		return nil, sc.failure(sc.Name, "a list of scenarios has a field %.200q; fields belong to one of the scenarios",
			name)
	}
	var list []declaration
	names := map[string]bool{}
	for i := 1; i <= table.Len(); i++ {
		where := fmt.Sprintf("%s: scenario %d", sc.Name, i)
		item, ok := table.RawGetInt(i).(*lua.LTable)
		if !ok {
			return nil, sc.failure(where, "got %s, want the table of a scenario", table.RawGetInt(i).Type())
		}
		d, err := sc.scenario(where, item, &left)
		switch {
		case err != nil:
			return nil, err
		case !scenarioName().MatchString(d.Name):
			return nil, sc.failure(where,
				"name = %.200q; a scenario in a list needs a name of letters, digits, _ and -", d.Name)
		case names[d.Name]:
			return nil, sc.failure(where, "the name %q is used twice", d.Name)
		}
		names[d.Name] = true
		list = append(list, d)
	}
	return list, nil
}

// isList reports whether a file returned a list of scenarios.
func isList(table *lua.LTable) bool {
	_, ok := table.RawGetInt(1).(*lua.LTable)
	return ok
}

// declaration reads one scenario of the table that a file returned: the only one for the name "", or one of a list.
// The others are not read, because a file may have thousands.
func (sc *Script) declaration(table *lua.LTable, name string) (declaration, error) {
	if name == "" {
		list, err := sc.declarations(table)
		if err != nil {
			return declaration{}, err
		}
		if !isList(table) {
			return list[0], nil
		}
	}
	left := maxDeclared
	for i := 1; i <= table.Len(); i++ {
		item, ok := table.RawGetInt(i).(*lua.LTable)
		if ok && item.RawGetString("name") == lua.LString(name) {
			return sc.scenario(fmt.Sprintf("%s: scenario %d", sc.Name, i), item, &left)
		}
	}
	return declaration{}, sc.failure(sc.Name, "the list has no scenario %q; a file with a list cannot use a device at "+
		"its top level", name)
}

// Bounds of what files declare, because plans and reports repeat it for each case. Bytes are counted as in reports.
const (
	maxDeclared  = 4 << 20   // bytes of the names and texts of a file
	maxScenario  = 128 << 10 // bytes of the names and texts of a scenario
	maxEntries   = 10_000    // entries of a table of a scenario
	maxScenarios = 100_000   // scenarios of a file
)

// scenarioName matches the names of scenarios in a list, which become a part of ids.
var scenarioName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
})

// anyField returns the first name of a field that is not an item of the list; "" when there is none.
func anyField(table *lua.LTable) string {
	field := ""
	table.ForEach(func(k, _ lua.LValue) {
		if name, ok := k.(lua.LString); ok && (field == "" || string(name) < field) {
			field = string(name)
		}
	})
	return field
}

// failure returns an error in the declarations of a file.
func (sc *Script) failure(where, format string, args ...any) error {
	return &InvalidError{&Error{File: sc.Name, Message: where + ": " + fmt.Sprintf(format, args...)}}
}

// scenario reads the table of a scenario. where begins the messages. left counts down from maxDeclared.
func (sc *Script) scenario(where string, table *lua.LTable, left *int) (declaration, error) {
	out := &record.Scenario{}
	d := declaration{Scenario: out, table: table, where: where}
	r := &fieldReader{script: sc, where: where, table: table, left: left, own: maxScenario}
	if r.limit("the table of a scenario", table) {
		return d, r.err
	}
	r.checkNames(scenarioFields())
	out.Name = r.text("name")
	out.About, out.Source = r.text("about"), r.text("source")
	out.Params = r.params()
	out.Schemes, out.AnyScheme = r.schemes()
	out.Tags = r.texts("tags")
	out.Platforms, out.Profiles = r.texts("platforms"), r.texts("profiles")
	out.Expect = r.textMap("expect")
	out.Metrics = r.textMap("metrics")
	for _, name := range slices.Sorted(maps.Keys(out.Metrics)) {
		if choice := out.Metrics[name]; !slices.Contains(record.Choices, choice) {
			r.fail("field metrics: %.200s = %.200q%s; want one of %s", name, choice,
				nearest.DidYouMean(choice, record.Choices), strings.Join(record.Choices, ", "))
		}
	}
	hasRun := r.function("run")
	r.function("setup_all")
	r.function("setup")
	r.function("teardown")
	d.workload = r.workload(out.Params)
	out.Workload = d.workload != nil
	if r.err == nil && !hasRun && d.workload == nil {
		has := strings.Join(r.names(), ", ")
		if has == "" {
			has = "no fields"
		}
		r.fail("a scenario needs a function run(t), or a workload with a function event(c); its table has %s", has)
	}
	return d, r.err
}

// fieldReader reads the fields of a scenario's table and keeps the first error.
type fieldReader struct {
	script *Script
	where  string // of the table, for messages
	table  *lua.LTable
	left   *int // bytes that the file may still declare
	own    int  // bytes that the scenario may still declare
	err    error
}

// take counts a name or text for maxScenario and maxDeclared, and returns it, or "" if it is too long.
func (r *fieldReader) take(text string) string {
	n := len(text)
	if n <= maxScenario {
		n = escape.Size(text)
	}
	switch *r.left, r.own = *r.left-n, r.own-n; {
	case r.own < 0:
		r.fail("the names and texts of a scenario have more than %d bytes in a report", maxScenario)
	case *r.left < 0:
		r.fail("the names and texts that the file declares have more than %d bytes in a report", maxDeclared)
	default:
		return text
	}
	return ""
}

// limit fails if a table has too many entries, and reports whether it has. what names the table.
func (r *fieldReader) limit(what string, table *lua.LTable) bool {
	n := 0
	for k, _ := table.Next(lua.LNil); k != lua.LNil && n <= maxEntries; k, _ = table.Next(k) {
		n++
	}
	if n > maxEntries {
		r.fail("%s has more than %d entries", what, maxEntries)
	}
	return n > maxEntries
}

// fail keeps an error, if it is the first.
func (r *fieldReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = r.script.failure(r.where, format, args...)
	}
}

// names lists the fields of the table, sorted.
func (r *fieldReader) names() []string {
	var names []string
	r.table.ForEach(func(k, _ lua.LValue) { names = append(names, k.String()) })
	slices.Sort(names)
	return names
}

// checkNames fails if the table has an unknown field.
func (r *fieldReader) checkNames(known []string) {
	for _, name := range r.names() {
		if !slices.Contains(known, name) {
			r.fail("a scenario has no field %.200q%s (fields: %s)",
				name, nearest.DidYouMean(name, known), strings.Join(known, ", "))
			return
		}
	}
}

// text reads a string. It is "" if the field is nil.
func (r *fieldReader) text(name string) string {
	switch v := r.table.RawGetString(name).(type) {
	case *lua.LNilType:
	case lua.LString:
		return r.take(string(v))
	default:
		r.fail("field %s must be a string, got %s", name, v.Type())
	}
	return ""
}

// textMap reads a table of strings by name.
func (r *fieldReader) textMap(name string) map[string]string {
	v := r.table.RawGetString(name)
	table, ok := v.(*lua.LTable)
	if !ok {
		if v.Type() != lua.LTNil {
			r.fail("field %s must be a table, got %s", name, v.Type())
		}
		return nil
	}
	if r.limit("field "+name, table) {
		return nil
	}
	texts := map[string]string{}
	table.ForEach(func(k, v lua.LValue) {
		text, ok := v.(lua.LString)
		if !ok {
			r.fail("field %s: %.200s must be a string, got %s", name, k.String(), v.Type())
		}
		texts[r.take(k.String())] = r.take(string(text))
	})
	return texts
}

// function reports whether a field is a function; it may be nil.
func (r *fieldReader) function(name string) bool {
	v := r.table.RawGetString(name)
	if v.Type() != lua.LTNil && v.Type() != lua.LTFunction {
		r.fail("field %s must be a function, got %s", name, v.Type())
	}
	return v.Type() == lua.LTFunction
}

// texts reads a string or a list of strings.
func (r *fieldReader) texts(name string) []string {
	var list []string
	switch v := r.table.RawGetString(name).(type) {
	case *lua.LNilType:
	case lua.LString:
		list = []string{r.take(string(v))}
	case *lua.LTable:
		if r.limit("field "+name, v) {
			return nil
		}
		for i := 1; i <= v.Len(); i++ {
			text, ok := v.RawGetInt(i).(lua.LString)
			if !ok {
				r.fail("field %s must list strings, item %d is a %s", name, i, v.RawGetInt(i).Type())
			}
			list = append(list, r.take(string(text)))
		}
	default:
		r.fail("field %s must be a string or a list of strings, got %s", name, v.Type())
	}
	return list
}

// schemes reads the field schemes, which may be "any".
func (r *fieldReader) schemes() (list []string, anyScheme bool) {
	list = r.texts("schemes")
	if len(list) == 1 && list[0] == "any" {
		return workspace.Schemes, true
	}
	for _, s := range list {
		if err := workspace.CheckScheme(s); err != nil {
			r.fail("field schemes: %s", err)
		}
	}
	return list, false
}

// params reads the parameters, sorted by name.
func (r *fieldReader) params() []record.Param {
	v := r.table.RawGetString("params")
	if v.Type() == lua.LTNil {
		return nil
	}
	table, ok := v.(*lua.LTable)
	if !ok {
		r.fail("field params must be a table, got %s", v.Type())
		return nil
	}
	if r.limit("field params", table) {
		return nil
	}
	var list []record.Param
	table.ForEach(func(k, v lua.LValue) {
		value, ok := engine.PlainValue(v)
		switch {
		case !ok:
			r.fail("parameter %.200s must be a number, a string or a boolean, got %s", k.String(), v.Type())
		case slices.Contains(testFields(), k.String()):
			r.fail("parameter %s: t.%s is a field or method of t; choose another name", k, k)
		}
		if text, ok := value.(string); ok {
			r.take(text)
		}
		list = append(list, record.Param{Name: r.take(k.String()), Value: value})
	})
	slices.SortFunc(list, func(a, b record.Param) int { return strings.Compare(a.Name, b.Name) })
	return list
}
