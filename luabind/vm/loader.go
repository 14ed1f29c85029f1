package vm

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"roclua/input"
	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/script"
)

// loader implements require, dofile and loadfile.
type loader struct {
	m         *Machine
	files     searchPath
	preloaded map[string]func() lua.LValue
	loaded    map[string]lua.LValue
	loading   map[string]bool // modules whose files run
}

func newLoader(m *Machine) *loader {
	paths := m.opts.LibraryPaths
	if m.opts.Sandbox == bounds.SandboxStrict {
		paths = paths[:min(1, len(paths))]
	}
	return &loader{m: m, files: searchPath{paths: paths}, preloaded: map[string]func() lua.LValue{},
		loaded: map[string]lua.LValue{}, loading: map[string]bool{}}
}

func (ld *loader) close() { ld.files.close() }

// loaderFields returns the global functions.
func loaderFields() []field {
	type function = method[*loader]
	of := func(m *Machine) *loader { return m.loader }
	fields := methods(globals, of, function{"require", (*loader).require})
	for _, f := range methods(globals, of, function{"loadfile", (*loader).loadfile},
		function{"dofile", (*loader).dofile}) {
		fields = append(fields, field{f.name, func(m *Machine) lua.LValue {
			if m.opts.Sandbox == bounds.SandboxStrict {
				return lua.LNil
			}
			return f.make(m)
		}})
	}
	return fields
}

// Preload registers a module of the host. open returns its value when a script first requires it.
func (m *Machine) Preload(name string, open func() lua.LValue) { m.loader.preloaded[name] = open }

// Preloaded lists the modules of the host, sorted by name.
func (m *Machine) Preloaded() []string { return slices.Sorted(maps.Keys(m.loader.preloaded)) }

// Module returns a module of the host as require does, or nil if there is none of that name.
func (m *Machine) Module(name string) lua.LValue {
	if v, ok := m.loader.loaded[name]; ok {
		return v
	}
	open := m.loader.preloaded[name]
	if open == nil {
		return nil
	}
	v := open()
	m.loader.loaded[name] = v
	return v
}

func (m *Machine) suggest(name string, known []string) string {
	if m.opts.Suggest == nil {
		return ""
	}
	return m.opts.Suggest(name, known)
}

// RequiredFiles lists the files that require, dofile and loadfile looked for, whether or not they exist. It lists the
// folders instead if these are many files.
func (m *Machine) RequiredFiles() []string { return m.loader.files.tried }

// require returns a module of the host, or runs the file name.lua of the library folders, once.
func (ld *loader) require(l *lua.LState) int {
	name := l.CheckString(1)
	if err := checkName("require", name); err != nil {
		ld.m.Raise(l, err)
	}
	v := ld.m.Module(name)
	if v == nil {
		v = ld.requireFile(l, name)
		ld.loaded[name] = v
	}
	l.Push(v)
	return 1
}

// maxFileName is the most bytes of a name of a module or file.
const maxFileName = 1024

// checkName returns an error for a long name of a module or file, which does not repeat it.
func checkName(function, name string) error {
	if len(name) > maxFileName {
		return fmt.Errorf("%s: a name of %d bytes is too long; it can have at most %d", function, len(name),
			maxFileName)
	}
	return nil
}

// requireFile loads the file of a module. A name consists of words with dots between them, so that it cannot lead out
// of the folders.
func (ld *loader) requireFile(l *lua.LState, name string) lua.LValue {
	if name == "" || strings.ContainsAny(name, `/\`) || slices.Contains(strings.Split(name, "."), "") {
		ld.m.Raisef(l, "require: %q is not a module name; use names such as \"lib.solve\"", name)
	}
	path := strings.ReplaceAll(name, ".", string(filepath.Separator)) + ".lua"
	file, err := ld.files.compile(path)
	var syntax *script.Error
	switch {
	case errors.As(err, &syntax):
		ld.m.Raise(l, err)
	case err != nil:
		ld.m.Raisef(l, "require: module %q: %s", name, err)
	case file == nil && ld.m.opts.Sandbox == bounds.SandboxFull:
		original()[globals]["require"](l) // Lua's own
		return l.Get(-1)
	case file == nil:
		ld.m.Raisef(l, "require: no module %q%s; looked for %s in %s",
			name, ld.m.suggest(name, ld.m.Preloaded()), path, &ld.files)
	}
	if ld.loading[name] {
		ld.m.Raisef(l, "require: module %q requires itself, directly or through other modules", name)
	}
	ld.loading[name] = true
	defer delete(ld.loading, name)
	l.Push(l.NewFunctionFromProto(file.Proto))
	l.Call(0, 1)
	v := l.Get(-1)
	l.Pop(1)
	if v.Type() == lua.LTNil {
		v = lua.LTrue
	}
	return v
}

func (ld *loader) loadfile(l *lua.LState) int {
	file, err := ld.compile("loadfile", l.CheckString(1))
	if err != nil {
		l.Push(lua.LNil)
		l.Push(lua.LString(err.Error()))
		return 2
	}
	l.Push(l.NewFunctionFromProto(file.Proto))
	return 1
}

func (ld *loader) dofile(l *lua.LState) int {
	file, err := ld.compile("dofile", l.CheckString(1))
	if err != nil {
		ld.m.Raise(l, err)
	}
	top := l.GetTop()
	l.Push(l.NewFunctionFromProto(file.Proto))
	l.Call(0, lua.MultRet)
	return l.GetTop() - top
}

// compile compiles a file by its path in one of the folders, or any file in the full sandbox.
func (ld *loader) compile(function, name string) (*script.Script, error) {
	if err := checkName(function, name); err != nil {
		return nil, err
	}
	if ld.m.opts.Sandbox == bounds.SandboxFull {
		return compileFile(name)
	}
	if !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%s: %q is outside of the folders of the script and its libraries; "+
			"name a path below them", function, name)
	}
	file, err := ld.files.compile(filepath.Clean(name))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %q: %s", function, name, err)
	case file == nil:
		return nil, fmt.Errorf("%s: no file %q in %s", function, name, &ld.files)
	}
	return file, nil
}

// compileFile compiles any file.
func compileFile(name string) (*script.Script, error) {
	source, err := input.File(name, sourceKind)
	if err != nil {
		return nil, err
	}
	return script.Compile(name, source)
}

// searchPackagePath is the element of package.loaders that looks for a file in package.path.
func (ld *loader) searchPackagePath(l *lua.LState) int {
	module := strings.ReplaceAll(l.CheckString(1), ".", string(filepath.Separator))
	paths, _ := ld.m.lua.G.Global.RawGetString("package").(*lua.LTable).RawGetString("path").(lua.LString)
	var tried strings.Builder
	for _, pattern := range strings.Split(string(paths), ";") {
		name := strings.ReplaceAll(pattern, "?", module)
		file, err := compileFile(name)
		switch {
		case err == nil:
			l.Push(l.NewFunctionFromProto(file.Proto))
			return 1
		case !errors.Is(err, fs.ErrNotExist):
			ld.m.Raise(l, err)
		}
		tried.WriteString("\n\tno file '" + name + "'")
	}
	l.Push(lua.LString(tried.String()))
	return 1
}
