package lualib

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
	"roclua/luabind/vm"
	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/internal/convert"
	"roclua/luabind/vm/internal/original"
	"roclua/luabind/vm/script"
)

// Preload registers a module of the host. open returns its value when a script first requires it.
func (lib *Library) Preload(name string, open func() lua.LValue) { lib.preloaded[name] = open }

// Preloaded lists the modules of the host, sorted by name.
func (lib *Library) Preloaded() []string { return slices.Sorted(maps.Keys(lib.preloaded)) }

// RequiredFiles lists the files that require, dofile and loadfile looked for, whether or not they exist. It lists the
// folders instead if these are many files.
func (lib *Library) RequiredFiles() []string { return lib.files.tried }

// Module returns one of Lua's libraries or a module of the host, or nil if there is none of that name.
func (lib *Library) Module(name string) lua.LValue {
	if v := lib.lookUp(name); v != nil {
		return v
	}
	open := lib.preloaded[name]
	if open == nil {
		return nil
	}
	v := open()
	lib.keep(name, v)
	return v
}

// lookUp returns a module that require has loaded, or nil. Lua's libraries are loaded.
func (lib *Library) lookUp(name string) lua.LValue {
	v, ok := lib.loaded[name]
	switch {
	case ok:
		return v
	case name == globals:
		return lib.Globals()
	case name == "package":
		return lib.lua.GetField(lib.lua.G.Global, name)
	case slices.Contains(libraryNames, name):
		return lib.table(name)
	}
	return nil
}

// keep notes the value of a module. Its memory counts as long as the machine exists.
func (lib *Library) keep(name string, v lua.LValue) {
	lib.loaded[name] = v
	lib.m.Keep(v)
}

// require returns a module of the host, or runs the file name.lua or name/init.lua of the library folders, once.
func (lib *Library) require(l *lua.LState) int {
	name := l.CheckString(1)
	if err := checkName("require", name); err != nil {
		lib.m.Raise(l, err)
	}
	v := lib.Module(name)
	if v == nil {
		v = lib.requireFile(l, name)
		lib.keep(name, v)
	}
	return vm.Push(l, v)
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
func (lib *Library) requireFile(l *lua.LState, name string) lua.LValue {
	if name == "" || strings.ContainsAny(name, `/\`) || slices.Contains(strings.Split(name, "."), "") {
		l.RaiseError("module '%s' not found: not a name of a module; use names such as \"lib.solve\"", name)
	}
	base := strings.ReplaceAll(name, ".", string(filepath.Separator))
	path, folder := base+".lua", filepath.Join(base, "init.lua")
	file, err := lib.files.compile(path)
	if file == nil && err == nil {
		file, err = lib.files.compile(folder)
	}
	var syntax *script.Error
	switch {
	case errors.As(err, &syntax):
		lib.m.Raise(l, err)
	case err != nil:
		l.RaiseError("error loading module '%s': %s", name, err)
	case file == nil && lib.opts.Sandbox == bounds.SandboxFull:
		original.Functions()[globals]["require"](l) // Lua's own
		return l.Get(-1)
	case file == nil:
		similar := ""
		if lib.opts.Suggest != nil {
			similar = lib.opts.Suggest(name, lib.Preloaded())
		}
		l.RaiseError("module '%s' not found%s; looked for %s and %s in %s", name, similar, path, folder, &lib.files)
	}
	if lib.loading[name] {
		l.RaiseError("loop or previous error loading module '%s': it requires itself", name)
	}
	lib.loading[name] = true
	defer delete(lib.loading, name)
	l.Push(l.NewFunctionFromProto(file.Proto))
	l.Call(0, 1)
	v := l.Get(-1)
	l.Pop(1)
	if v.Type() == lua.LTNil {
		v = lua.LTrue
	}
	return v
}

func (lib *Library) loadfile(l *lua.LState) int {
	file, err := lib.compile("loadfile", l.CheckString(1))
	if err != nil {
		return vm.Push(l, lua.LNil, lua.LString(err.Error()))
	}
	return vm.Push(l, l.NewFunctionFromProto(file.Proto))
}

func (lib *Library) dofile(l *lua.LState) int {
	file, err := lib.compile("dofile", l.CheckString(1))
	if err != nil {
		lib.m.Raise(l, err)
	}
	top := l.GetTop()
	l.Push(l.NewFunctionFromProto(file.Proto))
	l.Call(0, lua.MultRet)
	return l.GetTop() - top
}

// compile compiles a file by its path in one of the folders, or any file in the full sandbox.
func (lib *Library) compile(function, name string) (*script.Script, error) {
	if err := checkName(function, name); err != nil {
		return nil, err
	}
	if lib.opts.Sandbox == bounds.SandboxFull {
		return compileFile(name)
	}
	if !filepath.IsLocal(name) {
		return nil, outside(function, name)
	}
	file, err := lib.files.compile(filepath.Clean(name))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %q: %s", function, name, err)
	case file == nil:
		return nil, fmt.Errorf("%s: no file %q in %s", function, name, &lib.files)
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

// packageTable makes the table package of the sandbox. Libraries look at it to learn about the system and to find other
// modules. Its fields cannot be changed: require does not depend on them.
func (lib *Library) packageTable() lua.LValue {
	loaded := lib.readOnly("package.loaded", func(_ *lua.LState, name string) lua.LValue { return lib.lookUp(name) })
	path := lua.LString(strings.Join(lib.files.patterns(), ";"))
	return lib.readOnly("package", func(l *lua.LState, name string) lua.LValue {
		switch name {
		case "config":
			return lua.LString(string(filepath.Separator) + "\n;\n?\n!\n-")
		case "loaded":
			return loaded
		case "path":
			return path
		case "cpath":
			return lua.LString("")
		case "preload", "loaders":
			l.RaiseError("%s", unavailable(lib.opts.Sandbox, "package."+name))
		}
		return lib.absentFunction("package", name)
	})
}

// readOnly makes a table whose fields are those that get knows. Scripts may add others.
func (lib *Library) readOnly(name string, get func(l *lua.LState, name string) lua.LValue) *lua.LTable {
	l := lib.m.State()
	t, meta := l.CreateTable(0, 0), l.CreateTable(0, 3)
	field := func(l *lua.LState) lua.LValue {
		if key, ok := l.Get(2).(lua.LString); ok {
			if v := get(l, string(key)); v != nil {
				return v
			}
		}
		return lua.LNil
	}
	meta.RawSetString("__metatable", lua.LString(name))
	meta.RawSetString("__index", lib.m.Function(name, func(l *lua.LState) int { return vm.Push(l, field(l)) }))
	meta.RawSetString("__newindex", lib.m.Function(name, func(l *lua.LState) int {
		if key := l.Get(2); field(l) != lua.LNil || name == "package.loaded" {
			l.RaiseError("%s.%s cannot be changed: require searches the folder of the script, then the folders of the "+
				"key library, and loads a module once", name, key.String())
		}
		t.RawSet(l.Get(2), l.Get(3))
		return 0
	}))
	t.Metatable = meta
	return t
}

// searchPackagePath is the element of package.loaders that looks for a file in package.path.
func (lib *Library) searchPackagePath(l *lua.LState) int {
	module := strings.ReplaceAll(l.CheckString(1), ".", string(filepath.Separator))
	paths, _ := lib.m.State().G.Global.RawGetString("package").(*lua.LTable).RawGetString("path").(lua.LString)
	var tried strings.Builder
	for _, pattern := range strings.Split(string(paths), ";") {
		name := strings.ReplaceAll(pattern, "?", module)
		file, err := compileFile(name)
		switch {
		case err == nil:
			return vm.Push(l, l.NewFunctionFromProto(file.Proto))
		case !errors.Is(err, fs.ErrNotExist):
			lib.m.Raise(l, err)
		}
		tried.WriteString("\n\tno file '" + name + "'")
	}
	return vm.Push(l, lua.LString(tried.String()))
}

// CompileOptional compiles a file of the script's own folder. It returns nil if there is none.
func (lib *Library) CompileOptional(name string) (*script.Script, error) {
	own := lib.files
	own.paths = own.paths[:min(1, len(own.paths))]
	own.folders = nil
	defer own.close()
	file, err := own.compile(name)
	lib.files.note(filepath.Join(strings.Join(own.paths, ""), name))
	return file, err
}

// IsFull reports whether the sandbox is full: scripts can write files.
func (lib *Library) IsFull() bool { return lib.opts.Sandbox == bounds.SandboxFull }

// OpenData opens a file for a function of the host: in the sandbox, below the folders that require searches. In the
// full sandbox any file can be opened.
func (lib *Library) OpenData(function, name string, k input.Kind) (*input.Reader, error) {
	if err := checkName(function, name); err != nil {
		return nil, err
	}
	if lib.opts.Sandbox == bounds.SandboxStrict {
		return nil, fmt.Errorf("%s is not available in the sandbox strict", function)
	}
	local := filepath.IsLocal(name)
	if !local && !lib.IsFull() {
		return nil, outside(function, name)
	}
	if local {
		file, _, err := lib.files.find(filepath.Clean(name), k)
		if file != nil || err != nil {
			return file, prefixed(function, name, err)
		}
	}
	if lib.IsFull() {
		file, err := input.Open(name, k)
		return file, prefixed(function, name, err)
	}
	return nil, fmt.Errorf("%s: no file %q in %s", function, name, &lib.files)
}

// prefixed adds the function and the name of a file to an error, which may be nil.
func prefixed(function, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %q: %w", function, name, err)
}

// outside returns the error for a file that scripts of the sandbox cannot read.
func outside(function, name string) error {
	return fmt.Errorf("%s: %q is outside of the folders of the script and its libraries; name a path below them",
		function, name)
}

// loadFields returns load and loadstring, which check the source like Compile. They do not load bytecode.
func loadFields() []field {
	return methods(globals, method{"loadstring", static(loadString)},
		method{"load", static(load)})
}

// loadString is loadstring(text [, name]).
func loadString(l *lua.LState) int {
	text := convert.TextArg(l, 1)
	return pushChunk(l, text, l.OptString(2, text))
}

// load compiles the concatenation of the strings that a function returns.
func load(l *lua.LState) int {
	fn, name := l.CheckFunction(1), l.OptString(2, "=(load)")
	var text strings.Builder
	for text.Len() <= script.MaxLoadedBytes {
		l.Push(fn)
		l.Call(0, 1)
		piece := l.Get(-1)
		l.Pop(1)
		if piece == lua.LNil || piece == lua.LString("") {
			break
		}
		if piece.Type() != lua.LTString {
			return vm.Push(l, lua.LNil, lua.LString("reader function must return a string"))
		}
		text.WriteString(piece.String())
	}
	return pushChunk(l, text.String(), name)
}

// pushChunk pushes a compiled text as a function, or nil and an error message.
func pushChunk(l *lua.LState, text, name string) int {
	loaded, err := script.CompileLoaded(script.ChunkName(name), []byte(text))
	if err != nil {
		return vm.Push(l, lua.LNil, lua.LString(err.Error()))
	}
	return vm.Push(l, l.NewFunctionFromProto(loaded.Proto))
}
