package luabind

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	lua "github.com/yuin/gopher-lua"
)

// Levels of the sandbox: what of the machine a script can reach.
const (
	SandboxStrict  = "strict"  // the built-in modules, and Lua files of the script's own folder by require
	SandboxProject = "project" // Lua files of the library folders too, and dofile and loadfile for all these
	SandboxFull    = "full"    // the whole of Lua's library: files, processes, debug
)

// Sandboxes lists the levels, from the closest on.
var Sandboxes = []string{SandboxStrict, SandboxProject, SandboxFull}

// DefaultSandbox is the level of a script that is given none.
const DefaultSandbox = SandboxProject

func (s *State) sandbox() string {
	if s.opts.Sandbox == "" {
		return DefaultSandbox
	}
	return s.opts.Sandbox
}

// libraryFolders are the folders that Lua files may come from.
func (s *State) libraryFolders() []string {
	if s.sandbox() == SandboxStrict {
		return s.opts.LibraryPaths[:min(1, len(s.opts.LibraryPaths))]
	}
	return s.opts.LibraryPaths
}

// folder is a folder that files may be read from. An os.Root resolves names below it step by step: no link and no race leads out.
type folder struct {
	path string
	root *os.Root
	err  error
}

// opened returns the folders, each opened once in the life of a case.
func (s *State) openedFolders() []*folder {
	if s.folders == nil {
		for _, path := range s.libraryFolders() {
			root, err := os.OpenRoot(path)
			s.folders = append(s.folders, &folder{path, root, err})
		}
	}
	return s.folders
}

func (s *State) closeFolders() {
	for _, f := range s.folders {
		if f.root != nil {
			f.root.Close()
		}
	}
	s.folders = nil
}

// read reads a Lua file. What is no ordinary file, a pipe that never ends say, is none.
func (f *folder) read(name string) ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("is no file")}
	}
	return io.ReadAll(io.LimitReader(file, maxSourceBytes+1))
}

// find compiles the first file of a name in the folders; nil when there is none.
func (s *State) find(name string) (*Script, error) {
	for _, f := range s.openedFolders() {
		s.looked(filepath.Join(f.path, name))
		source, err := f.read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		return Compile(filepath.Join(f.path, name), source)
	}
	return nil, nil
}

// looked notes a file that was looked for, whether or not it was there.
func (s *State) looked(path string) {
	if !contains(s.required, path) {
		s.required = append(s.required, path)
	}
}

// openFiles gives dofile and loadfile, for files of the script's folder and the library folders.
func (s *State) openFiles(g *lua.LTable) {
	g.RawSetString("loadfile", s.function("loadfile", func(l *lua.LState) int {
		script, err := s.fileNamed("loadfile", l.CheckString(1))
		if err != nil {
			l.Push(lua.LNil)
			l.Push(lua.LString(err.Error()))
			return 2
		}
		l.Push(l.NewFunctionFromProto(script.proto))
		return 1
	}))
	g.RawSetString("dofile", s.function("dofile", func(l *lua.LState) int {
		script, err := s.fileNamed("dofile", l.CheckString(1))
		if err != nil {
			s.raise(l, err)
		}
		top := l.GetTop()
		l.Push(l.NewFunctionFromProto(script.proto))
		l.Call(0, lua.MultRet)
		return l.GetTop() - top
	}))
}

// fileNamed compiles a file by its path in one of the folders.
func (s *State) fileNamed(function, name string) (*Script, error) {
	if !filepath.IsLocal(name) {
		return nil, usageError("%s: %q leads out of the folders of the script and its libraries; name a path below them", function, name)
	}
	script, err := s.find(filepath.Clean(name))
	switch {
	case err != nil:
		return nil, usageError("%s: %q: %s", function, name, err)
	case script == nil:
		return nil, usageError("%s: no file %q in %s", function, name, folders(s.libraryFolders()))
	}
	return script, nil
}

func folders(paths []string) string {
	if len(paths) == 0 {
		return "no folder"
	}
	return strings.Join(paths, ", ")
}

// openFull opens the rest of Lua's library, for scripts that are trusted. os.exit alone does not do what it says: it would take
// the report with it.
func (s *State) openFull(g *lua.LTable) {
	for _, lib := range []struct {
		name string
		open lua.LGFunction
	}{{lua.LoadLibName, lua.OpenPackage}, {lua.IoLibName, lua.OpenIo}, {lua.OsLibName, lua.OpenOs}, {lua.DebugLibName, lua.OpenDebug},
		{lua.ChannelLibName, lua.OpenChannel}} {
		s.openLibrary(lib.name, lib.open)
	}
	g.RawGetString("os").(*lua.LTable).RawSetString("exit", s.function("os.exit", func(l *lua.LState) int {
		s.usage(l, "os.exit would end the program and its report; end the case with error(...) or t:skip(...)")
		return 0
	}))
}

// merge puts the fields of a table into the global table of a name, which may be there already.
func (s *State) merge(g *lua.LTable, name string, fields *lua.LTable) {
	have, ok := g.RawGetString(name).(*lua.LTable)
	if !ok {
		g.RawSetString(name, fields)
		return
	}
	fields.ForEach(have.RawSet)
}
