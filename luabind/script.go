package luabind

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sort"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"roclua/internal/nearest"
	"roclua/workspace"
)

// Script is a compiled Lua file. It can be run any number of times, also at the same time.
type Script struct {
	Name   string // the name that messages show, usually the path as the user gave it
	source []byte
	proto  *lua.FunctionProto
}

// Source returns the text of the file.
func (sc *Script) Source() []byte { return sc.source }

// Compile parses a Lua file; an error is an *Error with line, column and the text of the line. A first line that
// begins with #! is skipped.
func Compile(name string, source []byte) (*Script, error) {
	if err := checkSize(name, len(source)); err != nil {
		return nil, err
	}
	text := source
	if bytes.HasPrefix(text, []byte("#!")) {
		text = append([]byte("--"), text...)
	}
	chunk, err := parse.Parse(bytes.NewReader(text), name)
	if err != nil {
		return nil, syntaxError(name, source, err)
	}
	return compile(name, source, chunk)
}

func compile(name string, source []byte, chunk []ast.Stmt) (*Script, error) {
	if err := checkChunk(name, chunk); err != nil {
		return nil, err
	}
	proto, err := lua.Compile(chunk, name)
	if err != nil {
		return nil, syntaxError(name, source, err)
	}
	return &Script{Name: name, source: source, proto: proto}, nil
}

func syntaxError(name string, source []byte, err error) *Error {
	e := &Error{File: name, Message: err.Error(), cause: err}
	var p *parse.Error
	var c *lua.CompileError
	switch {
	case errors.As(err, &p):
		e.Line, e.Column = p.Pos.Line, p.Pos.Column
		e.Message = strings.TrimSpace(p.Message)
		if p.Token != "" {
			e.Message += ` near "` + p.Token + `"`
		}
		switch {
		case e.Line > 1 && p.Message == "unterminated string" && e.Column == 0: // the parser stands behind the end of the line
			e.Line--
		case e.Line < 0: // the parser's way to say "at the end"
			e.Line, e.Column = bytes.Count(source, []byte("\n"))+1, 0
			e.Message += " at the end of the file"
		}
	case errors.As(err, &c):
		e.Line, e.Message = c.Line, c.Message
	}
	if lines := strings.Split(string(source), "\n"); e.Line >= 1 && e.Line <= len(lines) {
		e.Source = strings.TrimRight(lines[e.Line-1], "\r")
	}
	return e
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
	if s.described || errors.As(err, &limit) || errors.Is(err, context.DeadlineExceeded) {
		return &Scenario{Plain: true, Required: s.required}, nil
	}
	if err != nil {
		return &Scenario{Required: s.required}, err
	}
	if table == nil {
		return &Scenario{Plain: true, Required: s.required}, nil
	}
	scenario, err := sc.describe(table)
	if err != nil {
		scenario = &Scenario{}
	}
	scenario.Required = s.required
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
	s.lua.Push(s.lua.NewFunctionFromProto(sc.proto))
	if err := s.fromLua(s.lua.PCall(0, 1, nil)); err != nil {
		return nil, err
	}
	result := s.lua.Get(-1)
	s.lua.Pop(1)
	table, _ := result.(*lua.LTable)
	if table != nil {
		s.keep(table)
	}
	return table, nil
}

var scenarioFields = []string{"about", "source", "params", "schemes", "platforms", "profiles", "tags", "expect", "bytes", "setup", "run", "teardown"}

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
		case contains(testFields, k.String()):
			r.fail("parameter %s: t.%s has a meaning of its own; choose another name", k, k)
		}
		list = append(list, Param{k.String(), value})
	})
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}
