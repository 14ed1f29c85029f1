package luabind

import (
	"context"
	"errors"
	"io"
	"slices"
	"sort"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/vm"
	"roclua/workspace"
)

// Script is a compiled Lua file. It can be run any number of times, also at the same time.
type Script struct{ *vm.Script }

// Compile compiles a Lua file: see [vm.Compile].
func Compile(name string, source []byte) (*Script, error) {
	return wrapScript(vm.Compile(name, source))
}

// CompileEntry compiles text that was typed at a prompt: see [vm.CompileEntry].
func CompileEntry(name string, line int, text string) (*Script, error) {
	return wrapScript(vm.CompileEntry(name, line, text))
}

func wrapScript(script *vm.Script, err error) (*Script, error) {
	if err != nil {
		return nil, err
	}
	return &Script{script}, nil
}

// Param is one parameter of a scenario with its default.
type Param struct {
	Name  string
	Value any // float64, string or bool
}

// Scenario is what a file declares about itself.
type Scenario struct {
	Plain     bool // the file returns no table: it is a plain script
	About     string
	Source    string // the document that it shows
	Params    []Param
	Schemes   []string // schemes it runs under, in the order given; nil means that it opens its handles itself
	AnyScheme bool     // it runs under every scheme
	Tags      []string
	Platforms []string          // platforms that it can run on; nil for all
	Profiles  []string          // beginnings of the names of profiles that it is about; nil for all
	Expect    map[string]string // what must hold of its metrics
	HasRun    bool
	Required  []string // the files in which its top level looked for modules, also those that are not there
}

// Describe runs the top level of the file without a device and returns what it declares. A file that uses a device
// right away, works until the context's deadline or to another limit, or returns no table, is a plain script. Of the options
// its sandbox, its folders and its limits count; which files were required is told also with an error.
func (sc *Script) Describe(ctx context.Context, o Options) (*Scenario, error) {
	s := newState(ctx, 0, Options{Output: io.Discard, Profile: workspace.Profiles()[0], LibraryPaths: o.LibraryPaths, Sandbox: o.Sandbox,
		Limits: o.Limits})
	defer s.close()
	table, err := s.load(sc)
	var limit *LimitError
	if s.deviceUsed || errors.As(err, &limit) || errors.Is(err, context.DeadlineExceeded) {
		return &Scenario{Plain: true, Required: s.vm.RequiredFiles()}, nil
	}
	if err != nil {
		return &Scenario{Required: s.vm.RequiredFiles()}, err
	}
	if table == nil {
		return &Scenario{Plain: true, Required: s.vm.RequiredFiles()}, nil
	}
	scenario, err := sc.describe(table)
	if err != nil {
		scenario = &Scenario{}
	}
	scenario.Required = s.vm.RequiredFiles()
	return scenario, err
}

// Unsuited says why a scenario is not for a platform or a profile; "" when it is.
func (s *Scenario) Unsuited(platform, profile string) string {
	switch {
	case s.Platforms != nil && !contains(s.Platforms, platform):
		return "for the platforms " + strings.Join(s.Platforms, ", ")
	case s.Profiles != nil && !slices.ContainsFunc(s.Profiles, func(p string) bool { return strings.HasPrefix(profile, p) }):
		return "about profiles " + strings.Join(s.Profiles, "..., ") + "..."
	}
	return ""
}

// load runs the file's top level and returns the table it returns, if any.
func (s *State) load(sc *Script) (*lua.LTable, error) {
	results, err := s.vm.Run(sc.Script, 1)
	if err != nil {
		return nil, err
	}
	table, _ := results[0].(*lua.LTable)
	if table != nil {
		s.vm.Keep(table)
	}
	return table, nil
}

// scenarioFields are the fields that the table of a scenario may have.
var scenarioFields = fieldsOf("scenario")

// fieldsOf returns the names of the fields of a class.
func fieldsOf(class string) []string {
	var names []string
	c, _ := api.FindClass(class)
	for _, f := range c.Fields {
		names = append(names, f.Name)
	}
	return names
}

// describe checks the table that a scenario's file returned.
func (sc *Script) describe(table *lua.LTable) (*Scenario, error) {
	out := &Scenario{}
	r := &fieldReader{script: sc, table: table}
	r.known(scenarioFields)
	out.About, out.Source = r.text("about"), r.text("source")
	out.Params = r.params()
	out.Schemes, out.AnyScheme = r.schemes()
	out.Tags = r.texts("tags")
	out.Platforms, out.Profiles = r.texts("platforms"), r.texts("profiles")
	out.Expect = r.textMap("expect")
	out.HasRun = r.function("run")
	r.function("setup")
	r.function("teardown")
	if r.err == nil && !out.HasRun {
		r.fail("a scenario needs a function run(t); its table has %s", strings.Join(r.names(), ", "))
	}
	if r.err != nil {
		return nil, r.err
	}
	return out, nil
}

// fieldReader reads a scenario's table and keeps the first thing wrong with it.
type fieldReader struct {
	script *Script
	table  *lua.LTable
	err    error
}

func (r *fieldReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = &Error{File: r.script.Name, Message: r.script.Name + ": " + sprintf(format, args...)}
	}
}

func (r *fieldReader) names() []string {
	var names []string
	r.table.ForEach(func(k, _ lua.LValue) { names = append(names, k.String()) })
	sort.Strings(names)
	if names == nil {
		names = []string{"nothing"}
	}
	return names
}

func (r *fieldReader) known(fields []string) {
	for _, name := range r.names() {
		if name != "nothing" && !contains(fields, name) {
			r.fail("a scenario has no field %q%s (fields: %s)", name, nearest.DidYouMean(name, fields), strings.Join(fields, ", "))
		}
	}
}

func (r *fieldReader) text(name string) string {
	switch v := r.table.RawGetString(name).(type) {
	case *lua.LNilType:
	case lua.LString:
		return string(v)
	default:
		r.fail("field %s must be a string, got %s", name, v.Type())
	}
	return ""
}

// textMap reads a table of texts by name.
func (r *fieldReader) textMap(name string) map[string]string {
	v := r.table.RawGetString(name)
	table, ok := v.(*lua.LTable)
	if !ok {
		if v.Type() != lua.LTNil {
			r.fail("field %s must be a table, got %s", name, v.Type())
		}
		return nil
	}
	texts := map[string]string{}
	table.ForEach(func(k, v lua.LValue) {
		text, ok := v.(lua.LString)
		if !ok {
			r.fail("field %s: %s must be a string, got %s", name, k, v.Type())
		}
		texts[k.String()] = string(text)
	})
	return texts
}

func (r *fieldReader) function(name string) bool {
	v := r.table.RawGetString(name)
	if v.Type() != lua.LTNil && v.Type() != lua.LTFunction {
		r.fail("field %s must be a function, got %s", name, v.Type())
	}
	return v.Type() == lua.LTFunction
}

func (r *fieldReader) texts(name string) []string {
	var list []string
	switch v := r.table.RawGetString(name).(type) {
	case *lua.LNilType:
	case lua.LString:
		list = []string{string(v)}
	case *lua.LTable:
		for i := 1; i <= v.Len(); i++ {
			text, ok := v.RawGetInt(i).(lua.LString)
			if !ok {
				r.fail("field %s must list strings, item %d is a %s", name, i, v.RawGetInt(i).Type())
			}
			list = append(list, string(text))
		}
	default:
		r.fail("field %s must be a string or a list of strings, got %s", name, v.Type())
	}
	return list
}

func (r *fieldReader) schemes() (list []string, any bool) {
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

func (r *fieldReader) params() []Param {
	v := r.table.RawGetString("params")
	if v.Type() == lua.LTNil {
		return nil
	}
	table, ok := v.(*lua.LTable)
	if !ok {
		r.fail("field params must be a table, got %s", v.Type())
		return nil
	}
	var list []Param
	table.ForEach(func(k, v lua.LValue) {
		value, ok := plainValue(v)
		switch {
		case !ok:
			r.fail("parameter %s must be a number, a string or a boolean, got %s", k, v.Type())
		case contains(testFields(), k.String()):
			r.fail("parameter %s: t.%s has a meaning of its own; choose another name", k, k)
		}
		list = append(list, Param{k.String(), value})
	})
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}
