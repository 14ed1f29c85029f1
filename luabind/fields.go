package luabind

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/nearest"
	"roclua/luabind/engine"
	"roclua/luabind/record"
	"roclua/workspace"
)

// scenarioFields are the fields that the table of a scenario may have.
var scenarioFields = sync.OnceValue(func() []string { return engine.FieldsOf("scenario") })

// testFields returns the names of the fields and methods of t, which a parameter may not have.
var testFields = sync.OnceValue(func() []string { return engine.MembersOf("test") })

// fieldReader reads the fields of a scenario's table and keeps the first error.
type fieldReader struct {
	script *Script
	where  string // of the table, for messages
	table  *lua.LTable
	left   *int // bytes that the file may still declare
	own    int  // bytes that the scenario may still declare
	err    error
}

// Bounds of the declarations of a file, which plans and reports repeat for each case.
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

// take counts a name or text for maxScenario and maxDeclared, and returns it, or "" if it is too long.
func (r *fieldReader) take(text string) string {
	switch *r.left, r.own = *r.left-len(text), r.own-len(text); {
	case r.own < 0:
		r.fail("the names and texts of a scenario have more than %d bytes", maxScenario)
	case *r.left < 0:
		r.fail("the names and texts that the file declares have more than %d bytes", maxDeclared)
	default:
		return text
	}
	return ""
}

// limit fails if a table has too many entries, and reports whether it has.
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

// namesOf lists the fields of a table, sorted.
func namesOf(table *lua.LTable) []string {
	var names []string
	table.ForEach(func(k, _ lua.LValue) { names = append(names, k.String()) })
	slices.Sort(names)
	return names
}

// checkNames fails if a table has an unknown field. owner names the table in the message.
func (r *fieldReader) checkNames(owner string, table *lua.LTable, known []string) {
	for _, name := range namesOf(table) {
		if !slices.Contains(known, name) {
			r.fail("%s has no field %.200q%s (fields: %s)", owner, name, nearest.DidYouMean(name, known),
				strings.Join(known, ", "))
			return
		}
	}
}

// field reads a field that has one type; ok is false if it is nil.
func field[T lua.LValue](r *fieldReader, name, want string) (value T, ok bool) {
	v := r.table.RawGetString(name)
	if value, ok = v.(T); !ok && v != lua.LNil {
		r.fail("field %s must be %s, got %s", name, want, v.Type())
	}
	return value, ok
}

// text reads a string. It is "" if the field is nil.
func (r *fieldReader) text(name string) string {
	text, _ := field[lua.LString](r, name, "a string")
	return r.take(string(text))
}

// function reads a function. It is nil if the field is.
func (r *fieldReader) function(name string) *lua.LFunction {
	fn, _ := field[*lua.LFunction](r, name, "a function")
	return fn
}

// textMap reads a table of strings by name.
func (r *fieldReader) textMap(name string) map[string]string {
	table, ok := field[*lua.LTable](r, name, "a table")
	if !ok || r.limit("field "+name, table) {
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

// texts reads a string or a list of strings.
func (r *fieldReader) texts(name string) []string { return r.textsOf(name, r.table.RawGetString(name)) }

func (r *fieldReader) textsOf(name string, v lua.LValue) []string {
	var list []string
	switch v := v.(type) {
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
	table, ok := field[*lua.LTable](r, "params", "a table")
	if !ok || r.limit("field params", table) {
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
