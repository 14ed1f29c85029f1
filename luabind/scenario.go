package luabind

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/nearest"
	"roclua/luabind/record"
)

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

// scenario reads the table of a scenario. where begins the messages. left counts down from maxDeclared.
func (sc *Script) scenario(where string, table *lua.LTable, left *int) (declaration, error) {
	out := &record.Scenario{}
	d := declaration{Scenario: out, table: table, where: where}
	r := &fieldReader{script: sc, where: where, table: table, left: left, own: maxScenario}
	if r.limit("the table of a scenario", table) {
		return d, r.err
	}
	r.checkNames("a scenario", table, scenarioFields())
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
	run := r.function("run")
	r.function("setup_all")
	r.function("setup")
	r.function("teardown")
	d.workload = r.workload(out.Params)
	out.Workload = d.workload != nil
	if r.err == nil && run == nil && d.workload == nil {
		has := strings.Join(namesOf(table), ", ")
		if has == "" {
			has = "no fields"
		}
		r.fail("a scenario needs a function run(t), or a workload with a function event(c); its table has %s", has)
	}
	return d, r.err
}

// resolve returns the workload with the values of the parameters of a case.
func (d *declaration) resolve(sc *Script, values map[string]any) (*workload, error) {
	left := maxDeclared
	r := &fieldReader{script: sc, where: d.where, table: d.table, left: &left, own: maxScenario}
	var params []record.Param
	for name, value := range values {
		params = append(params, record.Param{Name: name, Value: value})
	}
	w := r.workload(params)
	return w, r.err
}
